import Foundation

extension DecodingError {
    /// Where decoding failed, what was expected there and what was found:
    /// `albums[3].year: expected Int, found a string`.
    ///
    /// Nothing of the body is shown but the names of its members: messages of models quote values, so of a message only
    /// what Foundation says about the type that it found is taken over.
    var finding: String {
        switch self {
        case .typeMismatch(let type, let context):
            context.finding(expected: name(of: type))
        case .valueNotFound(let type, let context):
            context.finding(
                expected: name(of: type),
                found: context.debugDescription.contains("at end") ? "the end of the array" : "null")
        case .keyNotFound(let key, let context):
            context.finding(at: context.codingPath + [key], expected: "a value", found: "none")
        case .dataCorrupted(let context):
            context.finding(expected: context.expectedFormat)
        @unknown default: "the body is not what was expected"
        }
    }

    private func name(of type: any Any.Type) -> String {
        switch type {
        case is [String: Any].Type: "an object"
        case is [Any].Type: "an array"
        default: "\(type)"
        }
    }
}

extension EncodingError {
    /// Where encoding failed and on what type, without the value.
    var finding: String {
        switch self {
        case .invalidValue(let value, let context):
            context.codingPath.location + ": cannot encode this \(type(of: value))"
        @unknown default:
            "the body cannot be encoded"
        }
    }
}

extension DecodingError.Context {
    fileprivate func finding(at path: [any CodingKey]? = nil, expected: String, found: String? = nil) -> String {
        let cause = (underlyingError as? DecodingError).map { " (\($0.finding))" } ?? ""
        return "\((path ?? codingPath).location): expected \(expected), found \(found ?? foundType)\(cause)"
    }

    /// The type of value that Foundation found, as it says behind "found" in its message.
    private var foundType: String {
        let types = [
            ("string", "a string"), ("number", "a number"), ("bool", "a boolean"), ("null", "null"),
            ("dictionary", "an object"), ("array", "an array"), ("date", "a date"), ("data", "data"),
            ("other bytes", "other bytes"),
        ]
        let message = debugDescription.range(of: "found ").map { debugDescription[$0.upperBound...] } ?? ""
        return types.first { message.contains($0.0) }?.1 ?? "something else"
    }

    /// What the bytes or the string should have been, as far as Foundation's messages tell.
    fileprivate var expectedFormat: String {
        let formats = [
            ("not valid JSON", "JSON"), ("property list", "a property list"), ("Base64", "Base64"),
            ("ISO8601", "an ISO 8601 date"), ("Date string", "a date"), ("Invalid URL", "a URL"),
            ("Invalid UUID", "a UUID"), ("Attempted to decode UUID", "a UUID"), ("does not fit", "a number in range"),
        ]
        if let format = formats.first(where: { debugDescription.contains($0.0) }) { return format.1 }
        // The standard library names the type of an enumeration that has no case for a raw value; the library's own
        // decoders name what they want.
        let patterns = [("Cannot initialize ", " from invalid "), ("Expected ", " but found other bytes.")]
        for (prefix, suffix) in patterns where debugDescription.hasPrefix(prefix) {
            guard let end = debugDescription.range(of: suffix) else { continue }
            return String(debugDescription[..<end.lowerBound].dropFirst(prefix.count))
        }
        return "a valid value"
    }
}

extension [any CodingKey] {
    /// The path as one would write it in code: `albums[3].year`.
    fileprivate var location: String {
        let path = map { key in
            let name = key.stringValue
            if let index = key.intValue, name == "Index \(index)" { return "[\(index)]" }
            return "." + (name.isEmpty ? "\"\"" : name)
        }.joined()
        return isEmpty ? "the body" : path.hasPrefix(".") ? String(path.dropFirst()) : path
    }
}
