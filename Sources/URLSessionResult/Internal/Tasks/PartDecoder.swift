import Foundation

/// Decodes parts of a body, such as lines.
struct PartDecoder<Value>: Sendable {
    let decoder: ResultDecoder<Value>

    /// The body. A response of our own would show its URL when an iterator is dumped.
    let source: BodySource

    /// Decodes a part. The function adds its place to the error of the decoder.
    @concurrent
    func decode(
        _ part: Data, located: @Sendable (any Error) -> DecodingError
    ) async throws(NetworkError) -> sending Value {
        switch decoder.decode(received: ReceivedBody(data: part, response: source.response)) {
        case .success(let value):
            return value
        case .failure(.decodingError(let error, let response)):
            throw .decodingError(located(error), response: response)
        case .failure(let error):
            throw error
        }
    }
}
