import Foundation

/// The body of a successful transfer and, if there is one, its response: what a decoder reads.
struct ReceivedBody: Sendable {
    let data: Data
    let response: URLResponse?

    var networkResponse: NetworkResponse<Data>? {
        response.map { NetworkResponse(body: data, urlResponse: $0) }
    }

    /// The error of a decoder. A `NetworkError` stays what it is.
    func decodingError(_ error: any Error) -> NetworkError {
        error as? NetworkError ?? .decodingError(error, response: networkResponse)
    }
}
