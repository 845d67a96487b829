import ArgumentParser
import Foundation
import URLSessionResult

/// Sessions that are made, used once over TLS, and dropped, as a function does that makes its own session.
struct Sessions: Comparison {
    static let configuration = CommandConfiguration(
        abstract: "The client makes 20 sessions, one after the other, and uses each once over TLS.",
        discussion: "The difference shows with libcurl 8.9 or later, which URLSession takes from the system.")
    static let limit = Duration.seconds(120)
    private static let count = 20

    @Option(help: "The URL of a server with TLS that the system trusts.")
    var server = "https://example.com/"

    @OptionGroup var worker: WorkerOptions

    func run() async throws {
        guard try await !runsAsWorker() else { return }
        guard let url = URL(string: server), url.scheme == "https" else {
            throw ValidationError("The URL of the server has to begin with https.")
        }
        try await Self.compare(url)
    }

    static func useURLSession(_ url: URL) async throws -> String {
        try await useSessions { session in _ = try await session.data(from: url) }
    }

    static func useLibrary(_ url: URL) async throws -> String {
        try await useSessions { session in _ = try await session.dataResult(from: url).get() }
    }

    private static func useSessions(_ use: (URLSession) async throws -> Void) async throws -> String {
        for _ in 0..<count {
            let session = URLSession(configuration: .ephemeral)
            try await use(session)
            session.finishTasksAndInvalidate()
        }
        // A session is closed a moment after it was invalidated.
        try await Task.sleep(for: .seconds(1))
        return "\(count) sessions were made, used and closed"
    }
}
