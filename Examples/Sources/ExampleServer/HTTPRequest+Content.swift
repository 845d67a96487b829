import FlyingFox
import Foundation

extension HTTPRequest {
    /// The body as JSON. The error is a 400 if the body is not JSON or is nested deeper than Firebase allows.
    var json: JSON {
        get async throws {
            do {
                let json = try await JSON(parsing: bodyData)
                guard json.depth <= 32 else {
                    throw ErrorResponse(.badRequest, "The body is nested deeper than 32 levels.")
                }
                return json
            } catch is DecodingError {
                throw ErrorResponse(.badRequest, "The body is not JSON.")
            }
        }
    }
}
