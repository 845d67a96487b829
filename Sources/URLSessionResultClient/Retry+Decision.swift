import Foundation
internal import URLSessionResultTransport

extension Retry {
    /// What to do after an error.
    public struct Decision: Hashable, Sendable {
        enum Kind: Hashable { case usual, never, after(TimeInterval) }

        let kind: Kind

        /// Decide as without a function, by status code, error and `Retry-After`.
        public static let usual = Decision(kind: .usual)

        /// Send nothing again. The error is the result.
        public static let never = Decision(kind: .never)

        /// Send the request again, unless the wait is longer than ``Retry/longestWait``.
        ///
        /// - Parameter seconds: The seconds to wait before.
        /// - Returns: The decision.
        public static func after(seconds: TimeInterval) -> Decision { Decision(kind: .after(seconds)) }
    }

    /// An attempt that failed.
    public struct Attempt: Sendable {
        /// The request, as the middleware around ``Retry`` has changed it.
        public let request: URLRequest

        /// The error, with the response if there was one.
        public let error: NetworkError

        /// The number of the attempt, from 1 on.
        public let number: Int

        /// Creates an attempt, to test a decision.
        ///
        /// ```swift
        /// let attempt = Retry.Attempt(
        ///     request: request, error: .noData, number: 1)
        /// let decision = await retry.decide(attempt)
        /// ```
        ///
        /// - Parameters:
        ///   - request: The request.
        ///   - error: The error.
        ///   - number: The number of the attempt, from 1 on.
        public init(request: URLRequest, error: NetworkError, number: Int) {
            self.request = request
            self.error = error
            self.number = number
        }
    }
}

// MARK: - What is decided

extension Retry {
    func mayRepeat(_ request: URLRequest) -> Bool {
        guard !request.isReadOnce else { return false }
        return request.isIdempotent || alsoRepeating.contains(request.method)
            || request.value(forHTTPHeaderField: "Idempotency-Key") != nil
    }

    /// The seconds before the next attempt, or nil to give up.
    func wait(after attempt: Attempt) async -> TimeInterval? {
        let limit = min(max(0, longestWait), 86_400)
        switch await decide(attempt).kind {
        case .usual: return usualWait(after: attempt, limit: limit)
        case .never: return nil
        case .after(let seconds): return seconds <= limit ? seconds : nil
        }
    }

    private func usualWait(after attempt: Attempt, limit: TimeInterval) -> TimeInterval? {
        let error = attempt.error
        guard error.statusCode.map(statusCodes.contains) ?? error.isTemporary else { return nil }
        if let wait = error.secondsUntilRetry(from: now()) { return wait <= limit ? wait : nil }
        // At random, because clients that failed at the same time must not all come back at the same time. 60 doublings exceed
        // every limit.
        let doublings = Double(min(attempt.number - 1, 60))
        return random(min(max(0, firstWait) * pow(2, doublings), limit))
    }
}
