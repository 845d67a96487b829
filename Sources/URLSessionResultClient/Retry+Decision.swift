import Foundation

extension Retry {
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

    /// An attempt that failed.
    public struct Attempt: Sendable {
        /// The request, as the middleware around ``Retry`` has changed it.
        public let request: URLRequest

        /// The error, with the response if there was one.
        public let error: NetworkError

        /// The number of the attempt, from 1 on.
        public let number: Int
    }

    /// The function that decides.
    enum Decider: Sendable {
        case immediate(@Sendable (NetworkError, Int) -> Decision)
        case awaited(@Sendable (Attempt) async -> Decision)

        func decision(after attempt: Attempt) async -> Decision {
            switch self {
            case .immediate(let decide): decide(attempt.error, attempt.number)
            case .awaited(let decide): await decide(attempt)
            }
        }
    }
}
