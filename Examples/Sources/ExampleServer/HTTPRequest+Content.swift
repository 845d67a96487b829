import FlyingFox
import Foundation

extension HTTPRequest {
    /// The body as JSON; one that is malformed is refused with 400.
    var json: JSON {
        get async throws {
            do {
                return try await JSON(parsing: bodyData)
            } catch let error as JSONSyntaxError {
                throw Refusal(.badRequest, error.localizedDescription)
            }
        }
    }
}
