import Foundation
import URLSessionResult

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

protocol EchoGateway {
    func fetch(with parameters: EchoParameters) async throws -> Echo
}

struct EchoParameters: Encodable {
    let value: String
}

struct Echo: Codable {
    let value: String
}

/// What the service says when it refuses, such as `{"error": {"code": 422, "message": "…"}}`.
struct EchoError: LocalizedError, Decodable {
    let code: Int
    let message: String

    var errorDescription: String? { "The service refused with code \(code): \(message)" }
}

struct NetworkEchoGateway: EchoGateway {
    let server: URL

    func fetch(with parameters: EchoParameters) async throws -> Echo {
        var request = URLRequest(url: server.appending(path: "post"), method: .post)
        try request.setJSONBody(parameters)
        let result = await URLSession.shared.dataResult(for: request)
        if let refusal = refusal(in: result) { throw refusal }
        return try unwrap(result).get()
    }

    /// Takes the echo out of its envelope.
    private func unwrap(_ result: DataResult) -> Result<Echo, NetworkError> {
        ResultDecoder.json(at: "json").decode(result)
    }

    /// Looks for an error in the envelope, whatever the status that it came with.
    private func refusal(in result: DataResult) -> EchoError? {
        let body = result.flatMapError { error in error.response.map { .success($0.body) } ?? .failure(error) }
        return try? ResultDecoder.json(at: "error").decode(body).get()
    }
}
