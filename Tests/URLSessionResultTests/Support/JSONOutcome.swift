import Foundation

@testable import URLSessionResult

/// What decoding ended in, so that two ways of decoding can be compared: the value, or all that an error says.
enum JSONOutcome<Value: Equatable & Sendable>: Equatable, Sendable {
    case value(Value)
    case error(String)

    init(_ decode: () throws -> Value) {
        do {
            self = .value(try decode())
        } catch NetworkError.decodingError(let error) {
            self = .error(signature(of: error))
        } catch {
            self = .error(signature(of: error))
        }
    }
}

/// The case of an error, the type it is about, its coding path and its description.
func signature(of error: any Error) -> String {
    func text(_ name: String, _ context: DecodingError.Context) -> String {
        let path = context.codingPath.map { $0.intValue.map { "#\($0)" } ?? $0.stringValue }
        return "\(name) at \(path): \(context.debugDescription)"
    }
    switch error {
    case DecodingError.typeMismatch(let type, let context): return text("typeMismatch(\(type))", context)
    case DecodingError.valueNotFound(let type, let context): return text("valueNotFound(\(type))", context)
    case DecodingError.keyNotFound(let key, let context): return text("keyNotFound(\(key.stringValue))", context)
    case DecodingError.dataCorrupted(let context): return text("dataCorrupted", context)
    default: return "\(type(of: error)): \(error)"
    }
}

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
        guard case .failure(.decodingError(let error)) = decode(.success(Data(body.utf8))) else { return nil }
        return signature(of: error)
    }
}
