import ExampleServer
import FlyingFox
import Foundation

/// Calls `body` with the address of an example server whose albums are its own.
package func withExampleServer(
    _ body: @escaping @Sendable (URL) async throws -> Void
) async throws {
    try await withTemporaryFolder { folder in
        try await ExampleServer.run(dataFile: folder.appending(path: "albums.json"), while: body)
    }
}

/// Calls `body` with the address of a server that answers every request alike.
package func withServer(
    answering status: Int,
    _ content: String = "",
    headers: [String: String] = [:],
    _ body: @escaping @Sendable (URL) async throws -> Void
) async throws {
    let headers = HTTPHeaders(Dictionary(uniqueKeysWithValues: headers.map { (HTTPHeader($0), $1) }))
    let response = HTTPResponse(
        statusCode: HTTPStatusCode(status, phrase: ""), headers: headers, body: Data(content.utf8))
    let server = try HTTPServer.loopback()
    await server.appendRoute("*") { _ in response }
    try await server.serve(while: body)
}
