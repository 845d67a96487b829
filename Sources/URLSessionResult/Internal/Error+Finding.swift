import Foundation

extension Error {
    /// What a decoder or an encoder stumbled over and where: `albums[3].year: expected Int, found a string`.
    ///
    /// Nothing of the body is shown but the names of its members: messages of models quote values, so of a message only
    /// what Foundation says about the type that it found is taken over.
    var finding: String {
        switch self as any Error {
        case DecodingError.typeMismatch(let type, let context):
            context.finding(expected: noun(for: type))
        case DecodingError.valueNotFound(let type, let context):
            context.finding(expected: noun(for: type), found: context.isAtEnd ? "the end of the array" : "null")
        case DecodingError.keyNotFound(let key, let context):
            context.finding(at: [key], expected: "a value", found: "none")
        case DecodingError.dataCorrupted(let context):
            context.finding(expected: context.expectedFormat)
        case EncodingError.invalidValue(let value, let context):
            "\(context.codingPath.location): cannot encode this \(type(of: value))"
        default: name
        }
    }

    /// The error without its message, which may quote what was sent or received.
    var name: String {
        let bridged = self as NSError
        return switch bridged.domain {
        case NSURLErrorDomain: "URLError \(bridged.code)"
        case NSCocoaErrorDomain: "CocoaError \(bridged.code)"
        case let domain where type(of: self) is NSError.Type: "\(domain) \(bridged.code)"
        default: "\(type(of: self))"
        }
    }
}

/// What a person calls a value of a type.
private func noun(for type: any Any.Type) -> String {
    switch type {
    case is [String: Any].Type: "an object"
    case is [Any].Type: "an array"
    default: "\(type)"
    }
}

extension DecodingError.Context {
    fileprivate func finding(at key: [any CodingKey] = [], expected: String, found: String? = nil) -> String {
        let cause = (underlyingError as? DecodingError).map { " (\($0.finding))" } ?? ""
        return "\((codingPath + key).location): expected \(expected), found \(found ?? foundType)\(cause)"
    }

    /// The type of value that Foundation found, as it says behind "found" in its message.
    private var foundType: String {
        let types: KeyValuePairs = [
            "string": "a string", "number": "a number", "bool": "a boolean", "null": "null", "array": "an array",
            "dictionary": "an object", "date": "a date", "data": "data", "other bytes": "other bytes",
        ]
        let message = debugDescription.range(of: "found ").map { debugDescription[$0.upperBound...] } ?? ""
        return types.first { message.contains($0.key) }?.value ?? "something else"
    }

    fileprivate var isAtEnd: Bool { debugDescription.contains("at end") }

    /// What the bytes or the string should have been, as far as Foundation's messages tell.
    fileprivate var expectedFormat: String {
        let formats: KeyValuePairs = [
            "not valid JSON": "JSON", "property list": "a property list", "Base64": "Base64", "Invalid URL": "a URL",
            "ISO8601": "an ISO 8601 date", "Date string": "a date", "Invalid UUID": "a UUID",
            "Attempted to decode UUID": "a UUID", "does not fit": "a number in range",
        ]
        return formats.first { debugDescription.contains($0.key) }?.value
            // The standard library names the type of an enumeration that has no case for a raw value.
            ?? text(between: "Cannot initialize ", and: " from invalid ")
            // The library's own decoders name what they want.
            ?? text(between: "Expected ", and: " but found other bytes.") ?? "a valid value"
    }

    private func text(between start: String, and end: String) -> String? {
        guard debugDescription.hasPrefix(start), let end = debugDescription.range(of: end) else { return nil }
        return String(debugDescription[..<end.lowerBound].dropFirst(start.count))
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
