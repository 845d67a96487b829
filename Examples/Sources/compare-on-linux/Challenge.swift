import ArgumentParser
import ExampleServer
import FlyingFox
import Foundation
import URLSessionResult

/// A 401 that no stored credential can answer.
struct Challenge: LoopbackComparison {
    static let configuration = CommandConfiguration(abstract: "The server answers 401 and wants a password.")
    static let limit = Duration.seconds(6)

    @OptionGroup var worker: WorkerOptions

    static func serve(while body: @escaping @Sendable (URL) async throws -> Void) async throws {
        let headers: HTTPHeaders = [HTTPHeader("WWW-Authenticate"): #"Basic realm="albums""#]
        let challenge = HTTPResponse(statusCode: .unauthorized, headers: headers)
        let server = try HTTPServer.loopback()
        await server.appendRoute("*") { _ in challenge }
        try await server.serve(while: body)
    }

    static func useURLSession(_ url: URL) async throws -> String {
        let (_, response) = try await URLSession.shared.data(for: request(url))
        return "status \((response as? HTTPURLResponse)?.statusCode ?? 0)"
    }

    static func useLibrary(_ url: URL) async -> String {
        "\(await URLSession.shared.dataResult(for: request(url)))"
    }

    private static func request(_ url: URL) -> URLRequest { URLRequest(url: url, timeoutInterval: 2) }
}
