import ArgumentParser
import Dispatch
import ExampleServer
import FlyingFox
import Foundation
import URLSessionResult

/// Requests that are cancelled about when their response arrives, as those of a search field are.
struct Cancellation: LoopbackComparison {
    static let configuration = CommandConfiguration(abstract: "The client cancels 10,000 requests near their end.")
    static let limit = Duration.seconds(120)
    private static let count = 10_000

    @OptionGroup var worker: WorkerOptions

    static func serve(while body: @escaping @Sendable (URL) async throws -> Void) async throws {
        let server = try HTTPServer.loopback()
        await server.appendRoute("*") { _ in HTTPResponse(statusCode: .ok, body: Data("[]".utf8)) }
        try await server.serve(while: body)
    }

    static func useURLSession(_ url: URL) async -> String {
        await cancelRequests { called in
            URLSession.shared.dataTask(with: url) { _, _, _ in called() }
        }
    }

    static func useLibrary(_ url: URL) async -> String {
        await cancelRequests { called in
            URLSession.shared.dataTask(with: url, resultHandler: { _ in called() })
        }
    }

    /// Cancels one request after another, each after a random part of two milliseconds, and waits for its handler.
    private static func cancelRequests(
        _ makeTask: @escaping @Sendable (_ called: @escaping @Sendable () -> Void) -> URLSessionDataTask
    ) async -> String {
        await withCheckedContinuation { continuation in
            // A thread of its own, because it sleeps and waits.
            Thread.detachNewThread {
                for _ in 0..<count { cancelRequest(makeTask) }
                continuation.resume()
            }
        }
        return "cancelled \(count) requests, and each called its handler once"
    }

    private static func cancelRequest(_ makeTask: (_ called: @escaping @Sendable () -> Void) -> URLSessionDataTask) {
        let called = DispatchSemaphore(value: 0)
        let task = makeTask { called.signal() }
        task.resume()
        usleep(.random(in: 0...2_000))
        task.cancel()
        called.wait()
    }
}
