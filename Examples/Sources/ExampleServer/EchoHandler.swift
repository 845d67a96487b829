import FlyingFox
import Foundation

/// An echo service like Postman's, whose errors come in the same envelope.
enum EchoHandler {
    /// `POST /post` returns the body of the request.
    static func echo(_ request: HTTPRequest) async throws -> HTTPResponse {
        let json: JSON
        do {
            json = try await request.json
        } catch let error as ErrorResponse {
            return try failure(error.status, error.message)
        }
        guard let value = json["value"].text, !value.isEmpty else {
            return try failure(.unprocessableContent, "The body has no value to echo.")
        }
        return try .json(["json": json, "url": .string(request.target.rawValue)])
    }

    private static func failure(_ status: HTTPStatusCode, _ message: String) throws -> HTTPResponse {
        try .json(["error": ["code": .number(Decimal(status.code)), "message": .string(message)]], status)
    }
}
