import Foundation
import URLSessionResult

protocol EchoGateway: Sendable {
    func fetch(with parameters: EchoParameters) async throws -> Echo
}

struct EchoParameters: Encodable {
    let value: String
}

struct Echo: Codable {
    let value: String
}

/// The error that the service describes in its envelope, such as `{"error": {"code": 422, "message": "…"}}`.
struct EchoError: LocalizedError, Decodable {
    let code: Int
    let message: String

    var errorDescription: String? { "The service answered with error \(code): \(message)" }
}

struct NetworkEchoGateway: EchoGateway {
    let server: URL
    var session: URLSession = .shared

    func fetch(with parameters: EchoParameters) async throws -> Echo {
        let request = try URLRequest(url: server.appending(path: "post"), method: .post, json: parameters)
        // The envelope may describe an error with any status code.
        let response = try await session.dataResult(for: request, decoder: .response(.data), accepting: 0...999).get()
        if case .success(let error) = response.decode(with: .json(EchoError.self, at: "error")) { throw error }
        return try response.decode(with: .json(at: "json"), accepting: 200..<300).get()
    }
}
