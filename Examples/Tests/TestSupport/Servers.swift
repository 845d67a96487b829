import ExampleServer
import FlyingFox
import Foundation

/// Calls `body` with the address of an example server whose albums are its own.
package func withExampleServer<Value: Sendable>(
    _ body: @escaping @Sendable (URL) async throws -> Value
) async throws -> Value {
    try await withTemporaryFolder { folder in
        try await ExampleServer.run(dataFile: folder.appending(path: "albums.json"), while: body)
    }
}

/// Calls `body` with the address of a server that answers every request alike.
package func withServer<Value: Sendable>(
    answering status: Int,
    _ content: String = "",
    headers: [String: String] = [:],
    _ body: @escaping @Sendable (URL) async throws -> Value
) async throws -> Value {
    let server = try HTTPServer.loopback()
    let headers = HTTPHeaders(Dictionary(uniqueKeysWithValues: headers.map { (HTTPHeader($0), $1) }))
    await server.appendRoute("*") { _ in
        HTTPResponse(statusCode: HTTPStatusCode(status, phrase: ""), headers: headers, body: Data(content.utf8))
    }
    return try await server.serve(while: body)
}
