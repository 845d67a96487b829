import Foundation

struct JSONSyntaxError: LocalizedError {
    let offset: Int
    var errorDescription: String? { "The JSON text is malformed at byte \(offset)." }
}
