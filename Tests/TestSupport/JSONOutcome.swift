/// What decoding ended in, so that two ways of decoding can be compared: the value, or all that an error says.
enum JSONOutcome<Value: Equatable & Sendable>: Equatable, Sendable {
    case value(Value)
    case error(String)

    var isError: Bool {
        if case .error = self { true } else { false }
    }

    init(_ decode: () throws -> Value) {
        do {
            self = .value(try decode())
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
