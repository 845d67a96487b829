import Foundation
import URLSessionResult

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends the requests of endpoints.
protocol HTTPClient {
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
            return await URLSession.shared
                .dataResult(for: try endpoint.makeRequest(), decoder: .json(responseModel))
                .mapError(RequestError.init)
        } catch {
            return .failure(error)
        }
    }
}
