import Foundation
import URLSessionResult

enum RequestError: LocalizedError {
    case decode(NetworkError)
    case invalidURL
    case noResponse(NetworkError)
    case unauthorized
    case unexpectedStatusCode(NetworkError)
    case unknown(NetworkError)

    init(_ error: NetworkError) {
        self =
            switch error {
            case .decodingError: .decode(error)
            case .transportError, .noData: .noResponse(error)
            case .serverError(statusCode: 401, _): .unauthorized
            case .serverError: .unexpectedStatusCode(error)
            case .encodingError: .unknown(error)
            }
    }

    var customMessage: String {
        switch self {
        case .invalidURL: "This is no address that a request could be sent to."
        case .unauthorized:
            "The server answered with status 401: the token is missing or not valid. Pass one with --token."
        case .unexpectedStatusCode(let error): error.reason ?? error.localizedDescription
        case .decode(let error), .noResponse(let error), .unknown(let error): error.localizedDescription
        }
    }

    var errorDescription: String? { customMessage }
}

extension NetworkError {
    /// What TMDB itself says about an error.
    fileprivate var reason: String? {
        try? response?.decode(with: .json(String.self, at: "status_message")).get()
    }
}
