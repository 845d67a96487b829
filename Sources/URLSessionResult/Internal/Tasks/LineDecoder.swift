import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Decodes the lines of a body.
struct LineDecoder<Value>: Sendable {
    let decoder: ResultDecoder<Value>
    let response: URLResponse

    /// - Throws: ``NetworkError/decodingError(_:response:)`` with the number of the line.
    @concurrent
    func decode(_ line: Data, number: Int) async throws(NetworkError) -> sending Value {
        switch decoder.decode(received: ReceivedBody(data: line, response: response)) {
        case .success(let value):
            return value
        case .failure(.decodingError(let error, let response)):
            throw .decodingError(DecodingError(error, inLine: number), response: response)
        case .failure(let error):
            throw error
        }
    }
}
