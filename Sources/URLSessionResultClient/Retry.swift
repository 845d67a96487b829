import Foundation
internal import URLSessionResultTransport

/// Middleware that sends a request again after a temporary error, if the request is safe to repeat.
///
/// ```swift
/// let result = await Retry().response(for: request) { request in
///     await session.dataResult(for: request, decoder: .response(.data))
/// }
/// ```
///
/// Temporary are the ``statusCodes`` and errors of the connection. A request is safe to repeat if its method is idempotent (RFC 9110,
/// section 9.2.2) or one of ``alsoRepeating``, or if it has an `Idempotency-Key`. A request with a body stream is never repeated.
///
/// The wait before the next attempt is what `Retry-After` says, or a random one of up to 1, 2, 4, … seconds.
public struct Retry: RequestMiddleware {
    /// The maximum number of attempts. A request is sent at least once.
    public var attempts: Int

    /// The longest wait before an attempt in seconds, at most a day. If the server asks for a longer one, its error is the result.
    public var longestWait: TimeInterval

    /// The methods that are repeated although they are not idempotent.
    public var alsoRepeating: Set<HTTPMethod>

    /// The HTTP status codes of a server that may succeed later.
    public var statusCodes: Set<Int>

    /// A function that decides what to do after an error and a number of attempts. It is asked only about requests that are safe to
    /// repeat, before the last attempt.
    public var decide: @Sendable (_ error: NetworkError, _ attempt: Int) -> Decision

    /// A function that waits for a number of seconds. It throws if the Swift task is cancelled. Replace it in tests.
    public var sleep: @Sendable (TimeInterval) async throws -> Void = { try await Task.sleep(seconds: $0) }

    /// The time to which a date in `Retry-After` is compared, if the response has none.
    package var now: @Sendable () -> Date = { Date() }

    /// A random number of seconds up to a limit.
    package var random: @Sendable (TimeInterval) -> TimeInterval = { .random(in: 0...$0) }

    /// What to do after an error.
    public struct Decision: Sendable {
        enum Kind { case usual, never, after(TimeInterval) }

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

    /// Creates the middleware.
    ///
    /// ```swift
    /// let retry = Retry { error, _ in
    ///     guard error.statusCode == 403,
    ///         let wait = error.retryAfter()
    ///     else { return .usual }
    ///     return .after(seconds: wait)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - attempts: The maximum number of attempts.
    ///   - longestWait: The longest wait before an attempt in seconds.
    ///   - methods: The methods that are repeated although they are not idempotent.
    ///   - statusCodes: The HTTP status codes of a server that may succeed later.
    ///   - decide: A function that decides what to do after an error.
    public init(
        attempts: Int = 4, longestWait: TimeInterval = 60, alsoRepeating methods: Set<HTTPMethod> = [],
        statusCodes: Set<Int> = [408, 429, 502, 503, 504],
        decide: @escaping @Sendable (_ error: NetworkError, _ attempt: Int) -> Decision = { _, _ in .usual }
    ) {
        self.attempts = attempts
        self.longestWait = longestWait
        alsoRepeating = methods
        self.statusCodes = statusCodes
        self.decide = decide
    }

    /// Sends the request until it succeeds or another attempt is of no use. Cancelling the Swift task ends a wait, too.
    public func response<Body: Sendable>(
        for request: URLRequest, next: @escaping SendRequest<Body>
    ) async -> Result<NetworkResponse<Body>, NetworkError> {
        await FirstUsers.$current.withValue(FirstUsers.current ?? FirstUsers()) {
            await attempts(to: request, by: next)
        }
    }

    private func attempts<Body: Sendable>(
        to request: URLRequest, by next: @escaping SendRequest<Body>
    ) async -> Result<NetworkResponse<Body>, NetworkError> {
        var attempt = 1
        while true {
            let progress = Locked(false)
            let result = await AttemptProgress.$current.withValue(progress) { await next(request) }
            if progress.withLock({ $0 }) { attempt = 1 }
            guard case .failure(let error) = result, attempt < attempts, !error.isCancelled, mayRepeat(request),
                let wait = wait(after: error, attempt: attempt)
            else { return result }
            do {
                try await sleep(wait)
            } catch {
                return .failure(.transportError(code: .cancelled))
            }
            attempt += 1
        }
    }

    private func mayRepeat(_ request: URLRequest) -> Bool {
        // A stream can be read only once.
        guard request.httpBodyStream == nil else { return false }
        return idempotentMethods.contains(request.method) || alsoRepeating.contains(request.method)
            || request.value(forHTTPHeaderField: "Idempotency-Key") != nil
    }

    /// The seconds before the next attempt, or nil to give up.
    private func wait(after error: NetworkError, attempt: Int) -> TimeInterval? {
        let limit = min(max(0, longestWait), 86_400)
        switch decide(error, attempt).kind {
        case .usual: return usualWait(after: error, attempt: attempt, limit: limit)
        case .never: return nil
        case .after(let seconds): return seconds <= limit ? seconds : nil
        }
    }

    private func usualWait(after error: NetworkError, attempt: Int, limit: TimeInterval) -> TimeInterval? {
        guard error.statusCode.map(statusCodes.contains) ?? error.isTemporary else { return nil }
        if let wait = error.retryAfter(now()) { return wait <= limit ? wait : nil }
        // Clients that failed together are not to come back together.
        return random(min(pow(2, Double(attempt - 1)), limit))
    }
}

/// RFC 9110, section 9.2.2.
private let idempotentMethods: Set<HTTPMethod> = [.get, .head, .put, .delete, .options, "TRACE"]
