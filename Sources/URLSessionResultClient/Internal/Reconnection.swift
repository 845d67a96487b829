import Foundation

/// When to connect again after connections that were lost, one after the other.
struct Reconnection: Sendable {
    typealias Decide = @Sendable (_ error: NetworkError?, _ losses: Int) -> Retry.Decision

    private let decide: Decide
    private let random: @Sendable (ClosedRange<TimeInterval>) -> TimeInterval

    /// The wait after the first loss, in seconds: 3, or what the server has said.
    private var firstWait: TimeInterval = 3

    /// How many connections in a row were lost.
    private var losses = 0

    /// Whether there has been a connection at all.
    private var wasConnected = false

    /// - Parameters:
    ///   - decide: A function that decides after a loss.
    ///   - random: A function that gives a random number of seconds of a range.
    init(decide: @escaping Decide, random: @escaping @Sendable (ClosedRange<TimeInterval>) -> TimeInterval) {
        self.decide = decide
        self.random = random
    }

    mutating func connected() { wasConnected = true }

    /// An event has arrived, so the connection was of use.
    mutating func received() { losses = 0 }

    /// - Parameter retry: The milliseconds of the latest `retry` field of the connection.
    mutating func lost(retry: Int?) {
        losses += 1
        if let retry { firstWait = min(max(0.1, TimeInterval(retry) / 1000), longestWait) }
    }

    /// Decides when to connect again.
    ///
    /// - Parameter error: Why the connection was lost, or nil if the server has ended it regularly.
    /// - Returns: The seconds before the next connection, or nil if there is none.
    @concurrent
    func wait(after error: NetworkError?) async -> TimeInterval? {
        if let error, error.isCancelled { return nil }
        return switch decide(error, losses).kind {
        case .usual: usualWait(after: error)
        case .never: nil
        case .after(let seconds): seconds
        }
    }

    private func usualWait(after error: NetworkError?) -> TimeInterval? {
        let wait = min(firstWait * pow(2, Double(losses - 1)), longestWait)
        // At random, because clients that lost a server at the same time must not all come back at the same time.
        let randomWait = random(wait / 2...wait)
        guard let error else { return randomWait }
        guard mayPass(error) else { return nil }
        return max(randomWait, error.retryAfter ?? 0)
    }

    /// Whether the same request may succeed later.
    private func mayPass(_ error: NetworkError) -> Bool {
        wasConnected ? error.isTemporary || error.isOfBusyServer : error.isTemporary && losses < Retry().attempts
    }
}

/// In seconds. A server may ask for a longer one with `Retry-After`.
private let longestWait: TimeInterval = 60

extension NetworkError {
    fileprivate var isOfBusyServer: Bool { [429, 502, 503, 504].contains(statusCode) }
}
