import Foundation
internal import URLSessionResultJSON

extension ResultDecoder {
    /// Decodes a part of a body, such as a line. An error gets the coding path of the part, which may depend on it.
    @concurrent
    func decode(
        part: ReceivedBody, at path: @Sendable (any Error) -> [any CodingKey]
    ) async throws(NetworkError) -> sending T {
        switch decode(received: part) {
        case .success(let value):
            return value
        case .failure(.decodingError(let error, let response)):
            throw .decodingError(DecodingError(error, inside: path(error)), response: response)
        case .failure(let error):
            throw error
        }
    }
}
