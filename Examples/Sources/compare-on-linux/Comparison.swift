import ArgumentParser
import Foundation

/// The same task, done by both clients against the same server.
protocol Comparison: AsyncParsableCommand {
    /// How long a client may take.
    static var limit: Duration { get }

    /// Does the task with `URLSession` alone, and says what happened.
    static func useURLSession(_ url: URL) async throws -> String

    /// Does the task with the counterpart of the same method, and says what happened.
    static func useLibrary(_ url: URL) async throws -> String

    var worker: WorkerOptions { get }
}

/// A comparison with a server on loopback.
protocol LoopbackComparison: Comparison {
    /// Runs the server while `body` runs. `body` is called with the URL to request.
    static func serve(while body: @escaping @Sendable (URL) async throws -> Void) async throws
}

extension LoopbackComparison {
    func run() async throws {
        guard try await !runsAsWorker() else { return }
        try await Self.serve { url in try await Self.compare(url) }
    }
}

enum Client: String, CaseIterable, ExpressibleByArgument {
    case urlSession = "URLSession"
    case library = "URLSessionResult"
}

/// The arguments that the program passes to itself. People don't see them.
struct WorkerOptions: ParsableArguments {
    @Option(help: .hidden)
    var client: Client?

    @Option(help: .hidden)
    var url: String?
}

extension Comparison {
    /// Does the task with one client if the program was told to, by itself, and prints what happened.
    ///
    /// - Returns: Whether it was told to.
    func runsAsWorker() async throws -> Bool {
        guard let client = worker.client, let url = worker.url.flatMap(URL.init(string:)) else { return false }
        switch client {
        case .urlSession: print(try await Self.useURLSession(url))
        case .library: print(try await Self.useLibrary(url))
        }
        return true
    }

    /// Runs each client in a process of its own, because a client may crash or never return. It also gets the arguments of this
    /// process.
    static func compare(_ url: URL) async throws {
        for client in Client.allCases {
            let ownArguments = Array(CommandLine.arguments.dropFirst())
            let arguments = ownArguments + ["--client", client.rawValue, "--url", url.absoluteString]
            let outcome = try await ChildProcess.run(arguments, limit: limit)
            let name = client.rawValue.padding(toLength: 16, withPad: " ", startingAt: 0)
            print("\(name)  \(outcome)")
        }
    }
}
