import Foundation
import URLSessionResult

extension ResultDecoder {
    /// Decodes a body that arrived without trouble.
    func decode(_ body: Data) throws -> T {
        try decode(.success(body)).get()
    }

    func decode(_ body: String) throws -> T {
        try decode(Data(body.utf8))
    }

    /// The signature of the `decodingError` that a body ends in, or `nil` when it is decoded.
    func failure(_ body: String) -> String? {
        guard case .failure(.decodingError(let error, _)) = decode(.success(Data(body.utf8))) else { return nil }
        return signature(of: error)
    }
}

extension ResultDecoder where T: Equatable & Sendable {
    /// What decoding a body ends in, with the error beneath a `decodingError`.
    func outcome(of body: Data) -> JSONOutcome<T> {
        JSONOutcome {
            do {
                return try decode(body)
            } catch NetworkError.decodingError(let error, _) {
                throw error
            }
        }
    }
}
