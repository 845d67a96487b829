import Foundation

/// So many requests in a window of time, then none until it is over.
actor RateLimit {
    private let requests: Int
    private let window: TimeInterval
    private var start = Date.distantPast
    private var count = 0

    init(requests: Int, seconds: TimeInterval) {
        self.requests = requests
        window = seconds
    }

    /// Counts a request; gives the whole seconds until the next one may come when this one comes too soon.
    func secondsToWait(now: Date = Date()) -> Int? {
        if now.timeIntervalSince(start) >= window {
            (start, count) = (now, 0)
        }
        count += 1
        return count > requests ? Int((window - now.timeIntervalSince(start)).rounded(.up)) : nil
    }
}
