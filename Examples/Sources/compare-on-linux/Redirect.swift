import ArgumentParser
import ExampleServer
import FlyingFox
import Foundation
import URLSessionResult

/// A request with a token, redirected to another server.
struct Redirect: LoopbackComparison {
    static let configuration = CommandConfiguration(abstract: "The server redirects a request with a token elsewhere.")
    static let limit = Duration.seconds(10)

    @OptionGroup var worker: WorkerOptions

    /// Runs two servers: the first redirects to the second, which answers with the token that it was sent.
    static func serve(while body: @escaping @Sendable (URL) async throws -> Void) async throws {
        let other = try HTTPServer.loopback()
        await other.appendRoute("*") { request in
            let token = request.headers[.authorization] ?? "no token"
            return HTTPResponse(statusCode: .ok, body: Data("the other server received \(token)".utf8))
        }
        try await other.serve { otherURL in
            let server = try HTTPServer.loopback()
            await server.appendRoute("*") { _ in
                let headers: HTTPHeaders = [.location: otherURL.absoluteString]
                return HTTPResponse(statusCode: .found, headers: headers)
            }
            try await server.serve(while: body)
        }
    }

    static func useURLSession(_ url: URL) async throws -> String {
        let (data, _) = try await URLSession.shared.data(for: request(url))
        return String(decoding: data, as: UTF8.self)
    }

    static func useLibrary(_ url: URL) async throws -> String {
        try await URLSession.shared.dataResult(for: request(url), decoder: .string()).get()
    }

    private static func request(_ url: URL) -> URLRequest {
        var request = URLRequest(url: url)
        request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
        return request
    }
}
