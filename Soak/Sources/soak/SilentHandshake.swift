import Foundation
import URLSessionResult

/// A request to a server of TLS that never says a word. libcurl's own limit for a connection, 300 s, must not come before the timeout.
enum SilentHandshake {
    private static let timeout: TimeInterval = 330

    /// Sends the request, prints a row, and returns what went wrong.
    static func run() async throws -> [String] {
        let server = try LoopbackServer(.silent)
        guard let url = URL(string: "https://127.0.0.1:\(server.port)/") else { return ["no URL"] }
        let start = Date()
        let request = URLRequest(url: url, timeoutInterval: timeout)
        let error = await URLSession(configuration: .forTests).dataResult(for: request).error
        let seconds = -start.timeIntervalSinceNow
        print("\na silent handshake     ended after \(Int(seconds)) s, with a timeout of \(Int(timeout)) s")
        let isInTime = error?.urlError?.code == .timedOut && timeout <= seconds && seconds < timeout + 30
        return isInTime ? [] : ["a silent handshake ended after \(seconds) s: \(String(describing: error))"]
    }
}
