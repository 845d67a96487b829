import Foundation

/// What a Firebase-style database says when it refuses, such as `{"error": "Permission denied"}`.
package struct DatabaseRefusal: LocalizedError, Decodable {
    package let error: String

    package var errorDescription: String? { "The database refused: \(error)" }
}
