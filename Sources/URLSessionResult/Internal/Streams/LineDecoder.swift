import Foundation

/// Decodes the lines of a body.
struct LineDecoder<Value>: Sendable {
    let decoder: ResultDecoder<Value>

    /// The body. A response of our own would show its URL when an iterator is dumped.
    let source: BodySource

    /// - Throws: ``NetworkError/decodingError(_:response:)`` with the number of the line.
    @concurrent
    func decode(_ line: Data, number: Int) async throws(NetworkError) -> sending Value {
        switch decoder.decode(received: ReceivedBody(data: line, response: source.response)) {
        case .success(let value):
            return value
        case .failure(.decodingError(let error, let response)):
            throw .decodingError(DecodingError(error, inLine: number), response: response)
        case .failure(let error):
            throw error
        }
    }
}
