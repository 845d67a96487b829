import Foundation
internal import URLSessionResultJSON

/// Decodes parts of a body, such as lines.
struct PartDecoder<Value>: Sendable {
    let decoder: ResultDecoder<Value>

    /// The body. A response of our own would show its URL when an iterator is dumped.
    let source: BodySource

    /// Decodes a part. An error gets the coding path of the part, which may depend on it.
    @concurrent
    func decode(
        _ part: Data, at path: @Sendable (any Error) -> [any CodingKey]
    ) async throws(NetworkError) -> sending Value {
        switch decoder.decode(received: ReceivedBody(data: part, response: source.response)) {
        case .success(let value):
            return value
        case .failure(.decodingError(let error, let response)):
            throw .decodingError(DecodingError(error, inside: path(error)), response: response)
        case .failure(let error):
            throw error
        }
    }
}
