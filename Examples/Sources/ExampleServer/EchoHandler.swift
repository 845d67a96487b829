import FlyingFox

/// An echo service like Postman's. Values and errors come in the same envelope.
enum EchoHandler {
    /// `POST /post`
    static func echo(_ request: HTTPRequest) async throws -> HTTPResponse {
        let echo = try await request.json(Echo.self)
        guard !echo.value.isEmpty else {
            let error = EchoError(code: 422, message: "The body has no value to echo.")
            return try .json(["error": error], .unprocessableContent)
        }
        return try .json(["json": echo])
    }
}

private struct Echo: Codable {
    let value: String
}

private struct EchoError: Encodable {
    let code: Int
    let message: String
}
