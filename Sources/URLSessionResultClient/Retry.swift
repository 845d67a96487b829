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
/// Temporary are the ``statusCodes`` and errors of the connection. A request is safe to repeat if its method is GET, HEAD, PUT, DELETE,
/// OPTIONS or TRACE, which are idempotent (RFC 9110, section 9.2.2), or one of ``alsoRepeating``, or if it has an `Idempotency-Key`. So a
/// POST and a PATCH are not repeated by default. A request with a body stream is never repeated.
///
/// The wait before the next attempt is what `Retry-After` says. Otherwise it is an exponential back-off with jitter: with the default
/// values, a random time of up to 1, 2 and 4 seconds before the second, the third and the fourth attempt.
public struct Retry: RequestMiddleware {
    /// The maximum number of attempts. A request is sent at least once.
    public var attempts: Int

    /// The longest random wait before the second attempt in seconds. It doubles before each further attempt, up to ``longestWait``.
    public var firstWait: TimeInterval

    /// The longest wait before an attempt in seconds, at most a day. If the server asks for a longer one, its error is the result.
    public var longestWait: TimeInterval

    /// The methods that are repeated although they are not idempotent.
    public var alsoRepeating: Set<HTTPMethod>

    /// The HTTP status codes of a server that may succeed later.
    public var statusCodes: Set<Int>

    /// A function that decides what to do after an attempt that failed. It is asked only about requests that are safe to repeat,
    /// not after the last attempt, and off your actor. It may wait, for longer than ``longestWait``, too.
    public var decide: @Sendable (Attempt) async -> Decision

    /// A function that waits for a number of seconds. It throws if the Swift task is cancelled. Replace it in tests.
    public var sleep: @Sendable (TimeInterval) async throws -> Void = { try await Task.sleep(seconds: $0) }

    /// The time to which a date in `Retry-After` is compared, if the response has none.
    package var now: @Sendable () -> Date = { Date() }

    /// A random number of seconds up to a limit.
    package var random: @Sendable (TimeInterval) -> TimeInterval = { .random(in: 0...$0) }

    /// Creates the middleware.
    ///
    /// ```swift
    /// let retry = Retry { attempt in
    ///     guard attempt.error.statusCode == 403,
    ///         let wait = attempt.error.retryAfter
    ///     else { return .usual }
    ///     return .after(seconds: wait)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - attempts: The maximum number of attempts.
    ///   - firstWait: The longest random wait before the second attempt in seconds. It doubles before each further attempt.
    ///   - longestWait: The longest wait before an attempt in seconds. The decision itself may take longer.
    ///   - methods: The methods that are repeated although they are not idempotent.
    ///   - statusCodes: The HTTP status codes of a server that may succeed later.
    ///   - decide: A function that decides what to do after an attempt that failed, as in ``decide``.
    public init(
        attempts: Int = 4, firstWait: TimeInterval = 1, longestWait: TimeInterval = 60,
        alsoRepeating methods: Set<HTTPMethod> = [], statusCodes: Set<Int> = [408, 429, 502, 503, 504],
        decide: @escaping @Sendable (Attempt) async -> Decision = { _ in .usual }
    ) {
        self.attempts = attempts
        self.firstWait = firstWait
        self.longestWait = longestWait
        alsoRepeating = methods
        self.statusCodes = statusCodes
        self.decide = decide
    }

    /// Sends the request until it succeeds or another attempt is of no use. Cancelling the Swift task ends a wait, too.
    public func response<Body: Sendable>(
        for request: URLRequest, next: @escaping SendRequest<Body>
    ) async -> Result<NetworkResponse<Body>, NetworkError> {
        let surroundings = Surroundings.current.withinCall(of: request)
        let advances = surroundings.call(of: request)?.advances ?? CallProgress(0)
        return await surroundings.run { await attempts(to: request, advancing: advances, by: next) }
    }

    private func attempts<Body: Sendable>(
        to request: URLRequest, advancing advances: CallProgress, by next: @escaping SendRequest<Body>
    ) async -> Result<NetworkResponse<Body>, NetworkError> {
        var attempt = 1
        while true {
            let count = advances.withLock { $0 }
            let result = await next(request)
            if advances.withLock({ $0 }) > count { attempt = 1 }
            guard case .failure(let error) = result, attempt < attempts, !error.isCancelled, mayRepeat(request),
                let wait = await wait(after: Attempt(request: request, error: error, number: attempt))
            else { return result }
            do {
                try await sleep(wait)
            } catch {
                return .failure(.transportError(code: .cancelled))
            }
            attempt += 1
        }
    }
}
