import Foundation

/// The error that a Firebase-style database describes in the body of its response, such as
/// `{"error": "Permission denied"}`.
package struct DatabaseError: LocalizedError, Decodable {
    package let error: String

    package var errorDescription: String? { "The database rejected the request: \(error)" }
}
