import Foundation

/// Allows a number of requests within a period of time.
actor RateLimit {
    private let requests: Int
    private let window: TimeInterval
    private var start = Date.distantPast
    private var count = 0

    init(requests: Int, seconds: TimeInterval) {
        self.requests = requests
        window = seconds
    }

    /// Counts a request. Returns the seconds until the next period if there were too many requests in this one.
    func secondsToWait(now: Date = Date()) -> Int? {
        if now.timeIntervalSince(start) >= window {
            (start, count) = (now, 0)
        }
        count += 1
        return count > requests ? Int((window - now.timeIntervalSince(start)).rounded(.up)) : nil
    }
}
