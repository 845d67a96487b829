import Foundation

extension Error {
    /// What a decoder or an encoder stumbled over and where: `albums[3].year: expected Int, found a string`.
    ///
    /// Nothing of the body is shown but the names of its members: messages of models quote values, so a message is only
    /// looked at for what Foundation says in it.
    var finding: String {
        switch self as any Error {
        case DecodingError.typeMismatch(let type, let context): context.finding(expected: "\(type)")
        case DecodingError.valueNotFound(let type, let context): context.finding(expected: "\(type)", found: "null")
        case DecodingError.keyNotFound(let key, let context): context.finding([key], expected: "a value", found: "none")
        case DecodingError.dataCorrupted(let context):
            context.finding(expected: context.meaning(among: formats) ?? "a valid value")
        case EncodingError.invalidValue(let value, let context):
            "\(context.codingPath.location): cannot encode this \(type(of: value))"
        default: name
        }
    }

    /// The error without its message, which may quote what was sent or received.
    var name: String {
        let (type, error) = (type(of: self), self as NSError)
        return "\(type is NSError.Type ? error.domain : "\(type)") \(error.code)"
    }
}

/// What a person calls the types that stand for any object and any array.
private let nouns = ["Dictionary<String, Any>": "an object", "Array<Any>": "an array"]

/// What the bytes or a value should have been, by what Foundation and the standard library say in their messages.
///
/// Of a number that does not fit `JSONDecoder` says no more than that the body is not valid JSON.
private let formats: KeyValuePairs = [
    "fit in": "a number in range", "valid JSON": "JSON (numbers in range)", "Invalid URL": "a URL", "UUID": "a UUID",
    "property list": "a property list", "Base64": "Base64", "[Dd]ate string": "a date", "from invalid": "a known value",
]

/// What was found, by what Foundation says in its messages, the first of which quotes a key that may hold the others.
private let findings: KeyValuePairs = [
    "^No value": "none", "is at end": "the end of the array", "found .*string": "a string", "found .*bool": "a boolean",
    "found .*(number|integer)": "a number", "found .*null": "null", "found .*array": "an array",
    "found .*dictionary": "an object", "found .*date": "a date", "found .*data": "data", "other bytes": "other bytes",
]

extension DecodingError.Context {
    fileprivate func finding(_ key: [any CodingKey] = [], expected: String, found: String? = nil) -> String {
        let (expected, found) = (nouns[expected] ?? expected, meaning(among: findings) ?? found ?? "something else")
        let cause = (underlyingError as? DecodingError).map { " (\($0.finding))" } ?? ""
        return "\((codingPath + key).location): expected \(expected), found \(found)\(cause)"
    }

    fileprivate func meaning(among meanings: KeyValuePairs<String, String>) -> String? {
        meanings.first { debugDescription.range(of: $0.key, options: .regularExpression) != nil }?.value
    }
}

extension [any CodingKey] {
    /// The path as one would write it in code: `albums[3].year`.
    fileprivate var location: String {
        reduce(isEmpty ? "the body" : "") { path, key in
            if let index = key.intValue, key.stringValue == "Index \(index)" { return "\(path)[\(index)]" }
            return (path.isEmpty ? "" : "\(path).") + (key.stringValue.isEmpty ? "\"\"" : key.stringValue)
        }
    }
}
