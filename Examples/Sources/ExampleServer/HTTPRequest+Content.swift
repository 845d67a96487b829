import FlyingFox
import Foundation

extension HTTPRequest {
    /// Decodes the body.
    func json<Value: Decodable>(_ type: Value.Type = Value.self) async throws -> Value {
        try JSONDecoder().decode(type, from: await bodyData)
    }

    /// The body as JSON. The error is a 400 if the body is not JSON.
    var json: JSON {
        get async throws {
            do {
                return try await JSON(parsing: bodyData)
            } catch is DecodingError {
                throw ErrorResponse(.badRequest, "The body is not JSON.")
            }
        }
    }
}
