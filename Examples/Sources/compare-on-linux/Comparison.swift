import ArgumentParser
import Foundation

/// The same task, done by both clients against a server on loopback.
protocol Comparison: AsyncParsableCommand {
    /// How long a client may take.
    static var limit: Duration { get }

    /// Runs the server while `body` runs. `body` is called with the URL to request.
    static func serve(while body: @escaping @Sendable (URL) async throws -> Void) async throws

    /// Does the task with `URLSession` alone, and says what happened.
    static func useURLSession(_ url: URL) async throws -> String

    /// Does the task with the twin of the same method, and says what happened.
    static func useTwin(_ url: URL) async throws -> String

    var worker: WorkerOptions { get }
}

enum Client: String, CaseIterable, ExpressibleByArgument {
    case urlSession = "URLSession"
    case twin = "URLSessionResult"
}

/// The arguments that the program passes to itself. People don't see them.
struct WorkerOptions: ParsableArguments {
    @Option(help: .hidden)
    var client: Client?

    @Option(help: .hidden)
    var url: String?
}

extension Comparison {
    func run() async throws {
        if let client = worker.client, let url = worker.url.flatMap(URL.init(string:)) {
            try await Self.report(client, url)
        } else {
            try await Self.serve { url in try await Self.compare(url) }
        }
    }

    private static func report(_ client: Client, _ url: URL) async throws {
        switch client {
        case .urlSession: print(try await useURLSession(url))
        case .twin: print(try await useTwin(url))
        }
    }

    /// Runs each client in a process of its own, because a client may crash or never return.
    private static func compare(_ url: URL) async throws {
        for client in Client.allCases {
            let arguments = [_commandName, "--client", client.rawValue, "--url", url.absoluteString]
            let outcome = try await ChildProcess.run(arguments, limit: limit)
            let name = client.rawValue.padding(toLength: 16, withPad: " ", startingAt: 0)
            print("\(name)  \(outcome)")
        }
    }
}
