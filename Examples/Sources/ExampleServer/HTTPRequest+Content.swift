import FlyingFox
import Foundation

extension HTTPRequest {
    /// The body as JSON; one that is none, or nested deeper than Firebase allows, is refused with 400.
    var json: JSON {
        get async throws {
            do {
                let json = try await JSON(parsing: bodyData)
                guard json.depth <= 32 else { throw Refusal(.badRequest, "The body is nested deeper than 32 levels.") }
                return json
            } catch is DecodingError {
                throw Refusal(.badRequest, "The body is not JSON.")
            }
        }
    }
}
