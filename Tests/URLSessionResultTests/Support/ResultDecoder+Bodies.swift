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
