import Foundation
import URLSessionResult

/// A clock without a Swift task, for which a busy machine may have no thread: a request that times out.
struct SilentClock: Sendable {
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer(.silent) }

    /// Blocks the thread. A request that has timed out by then, and began earlier, has ended.
    func wait(seconds: TimeInterval) {
        var request = URLRequest(url: server.url())
        request.timeoutInterval = seconds
        let isOver = Gate()
        URLSession(configuration: .forTests).dataTask(with: request) { (_: DataResult) in isOver.open() }.resume()
        isOver.wait()
    }
}
