import FlyingFox
import Foundation

/// An echo service like Postman's, with its errors in the same envelope.
enum EchoHandler {
    /// `POST /post` gives back what was sent.
    static func echo(_ request: HTTPRequest) async throws -> HTTPResponse {
        let json: JSON
        do {
            json = try await request.json
        } catch let refusal as Refusal {
            return try failure(refusal.status, refusal.message)
        }
        guard let value = json["value"].text, !value.isEmpty else {
            return try failure(.unprocessableContent, "There is no value to echo.")
        }
        return try .json(["json": json, "url": .string(request.target.rawValue)])
    }

    private static func failure(_ status: HTTPStatusCode, _ message: String) throws -> HTTPResponse {
        try .json(["error": ["code": .number(Decimal(status.code)), "message": .string(message)]], status)
    }
}
