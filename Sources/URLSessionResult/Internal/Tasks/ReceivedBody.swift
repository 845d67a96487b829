import Foundation

/// The body of a successful transfer and, if there is one, its response: what a decoder reads.
@usableFromInline
struct ReceivedBody: Sendable {
    @usableFromInline let data: Data
    @usableFromInline let response: URLResponse?

    @usableFromInline
    init(data: Data, response: URLResponse?) {
        self.data = data
        self.response = response
    }

    @usableFromInline
    var networkResponse: NetworkResponse<Data>? {
        response.map { NetworkResponse(body: data, urlResponse: $0) }
    }

    /// The error of a decoder. A `NetworkError` stays what it is.
    @usableFromInline
    func decodingError(_ error: any Error) -> NetworkError {
        error as? NetworkError ?? .decodingError(error, response: networkResponse)
    }
}
