import Foundation
import URLSessionResult

/// Sends the requests of endpoints.
protocol HTTPClient {
    var session: URLSession { get }

    func sendRequest<T: Decodable & SendableMetatype>(
        endpoint: some Endpoint,
        responseModel: T.Type
    ) async -> Result<T, RequestError>
}

extension HTTPClient {
    func sendRequest<T: Decodable & SendableMetatype>(
        endpoint: some Endpoint,
        responseModel: T.Type
    ) async -> Result<T, RequestError> {
        do {
            return await session.dataResult(for: try endpoint.makeRequest(), decoder: .json(responseModel))
                .mapError(RequestError.init)
        } catch {
            return .failure(error)
        }
    }
}

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
        case .invalidURL: "The endpoint does not make a valid URL."
        case .unauthorized:
            "The server answered with status 401: the token is missing or not valid. Pass one with --token."
        case .unexpectedStatusCode(let error): error.reason ?? error.localizedDescription
        case .decode(let error), .noResponse(let error), .unknown(let error): error.localizedDescription
        }
    }

    var errorDescription: String? { customMessage }
}

extension NetworkError {
    /// The reason that TMDB gives in the body of an error response.
    fileprivate var reason: String? {
        try? response?.decode(with: .json(String.self, at: "status_message")).get()
    }
}
