import Foundation
import URLSessionResultClient

/// The error of a request, in TMDB's words if it has any.
struct RequestError: LocalizedError {
    let cause: NetworkError

    init(_ cause: NetworkError) {
        self.cause = cause
    }

    var errorDescription: String? {
        if cause.statusCode == 401 {
            return "The server answered with status 401: the token is missing or not valid. Pass one with --token."
        }
        return cause.body(with: .json(String.self, at: "status_message")) ?? cause.localizedDescription
    }
}
