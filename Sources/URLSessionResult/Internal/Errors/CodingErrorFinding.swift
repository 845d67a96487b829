import Foundation
internal import URLSessionResultJSON

extension Error {
    /// What a decoder or an encoder failed on, and where: `albums[3].year: expected Int, found a string`.
    ///
    /// It shows nothing of the body except the names of its members. Messages of models quote values, so a message is
    /// only searched for the phrases that Foundation writes.
    var finding: String {
        switch self as any Error {
        case let error as DecodingError:
            error.decodingFinding ?? domainAndCode
        case EncodingError.invalidValue(let value, let context):
            "\(location(of: context.codingPath)): cannot encode this \(type(of: value))"
        case let error as UnknownCharsetError:
            "the body: expected a known charset, found \"\(error.charset.safeToLog)\""
        case let error as NoEventStreamError:
            error.finding
        case is MissingResponseError:
            "the body: expected a response with it, found none"
        default:
            domainAndCode
        }
    }
}

extension DecodingError {
    /// What a decoder failed on, or nil for a case that a later Swift may add.
    fileprivate var decodingFinding: String? {
        switch self {
        case .typeMismatch(let type, let context):
            context.finding(expected: "\(type)")
        case .valueNotFound(let type, let context):
            context.finding(expected: "\(type)", foundByDefault: "null")
        case .keyNotFound(let key, let context):
            context.finding(at: context.codingPath + [key], expected: "a value", foundByDefault: "none")
        case .dataCorrupted(let context) where context.isInvalidJSON && context.faultFinding == nil:
            // JSONDecoder throws this error for malformed JSON, and also for a number that does not fit its type.
            "the body is not valid JSON, or a number in it does not fit"
        case .dataCorrupted(let context):
            context.faultFinding ?? context.finding(expected: context.expectedFormat)
        @unknown default:
            nil
        }
    }
}

extension DecodingError.Context {
    /// What the ``JSONFault`` or ``BeginningIsForgotten`` beneath the error says, or nil if there is none.
    fileprivate var faultFinding: String? {
        switch underlyingError {
        case JSONFault.syntax(let place)?:
            "\(location(of: codingPath)) is not valid JSON (\(place.finding))"
        case JSONFault.number(let path, let type)?:
            "\(location(of: codingPath + path)): expected \(type), found a number that does not fit"
        case let error as BeginningIsForgotten:
            "\(location(of: codingPath)) is not valid JSON (\(error.finding))"
        default:
            nil
        }
    }

    /// The format that a value does not have.
    fileprivate var expectedFormat: String {
        if let typeOfKnownValues { return "a known \(typeOfKnownValues)" }
        return phrase(in: debugDescription, among: expectedFormats) ?? "a valid value"
    }

    /// The name of a type that has no case for a raw value, from the message of the standard library: "Cannot initialize Format
    /// from invalid String value vinyl". The value is left out, because it is content of the body. Text that does not look like the
    /// name of a type is not taken, because it may be content, too.
    private var typeOfKnownValues: String? {
        let beginning = String(debugDescription.unicodeScalars.prefix(200))
        let pattern = "(?<=^Cannot initialize )\\p{Lu}\\w{0,79}(?= from invalid \\w+ value )"
        return beginning.range(of: pattern, options: .regularExpression).map { String(beginning[$0]) }
    }

    fileprivate func finding(
        at path: [any CodingKey]? = nil, expected: String, foundByDefault: String = "something else"
    ) -> String {
        let expectation = noun(ofType: expected) ?? expected
        let found = phrase(in: debugDescription, among: foundValues) ?? foundByDefault
        let finding = "\(location(of: path ?? codingPath)): expected \(expectation), found \(found)"
        guard let cause = underlyingError, cause is DecodingError else { return finding }
        return "\(finding) (\(cause.finding))"
    }
}

extension JSONPlace {
    /// The place, for developers.
    var finding: String { "line \(line), column \(column)" }
}

extension BeginningIsForgotten {
    fileprivate var finding: String { isCutOff ? "it was cut off after byte \(byteNumber)" : "byte \(byteNumber)" }
}

/// The path as it is written in code: `albums[3].year`.
private func location(of path: [any CodingKey]) -> String {
    guard !path.isEmpty else { return "the body" }
    var location = ""
    for key in path {
        if let index = key.index {
            location += "[\(index)]"
        } else {
            let name = key.stringValue
            if !location.isEmpty { location += "." }
            location += name.isEmpty ? "\"\"" : name.safeToLog
        }
    }
    return location
}

/// The first phrase whose pattern occurs in the beginning of a message.
///
/// The rest is not searched: it may quote a long body, and the patterns take a time that is quadratic in the length.
private func phrase(in message: String, among phrases: KeyValuePairs<String, String>) -> String? {
    let beginning = String(message.unicodeScalars.prefix(500))
    return phrases.first { beginning.range(of: $0.key, options: .regularExpression) != nil }?.value
}

/// The words for the types that stand for any object and any array.
private func noun(ofType name: String) -> String? {
    switch name {
    case "Dictionary<String, Any>": "an object"
    case "Array<Any>": "an array"
    default: nil
    }
}

/// The expected format, by what Foundation and the standard library write in their messages.
private let expectedFormats: KeyValuePairs = [
    "^Cannot initialize .* from invalid": "a known value",
    "fit in": "a number in range",
    "valid JSON": "JSON with numbers that fit",
    "Invalid URL": "a URL",
    "UUID": "a UUID",
    "property list": "a property list",
    "Base64": "Base64",
    "[Dd]ate string": "a date",
]

/// What was found, by what Foundation writes in its messages.
///
/// "No value" comes first: that message quotes a key, which may contain any of the other phrases.
private let foundValues: KeyValuePairs = [
    "^No value": "none",
    "^Cannot initialize .* from invalid": "something else",
    "is at end": "the end of the array",
    "found .*string": "a string",
    "found .*bool": "a boolean",
    "found .*(number|integer)": "a number",
    "found .*null": "null",
    "found .*array": "an array",
    "found .*dictionary": "an object",
    "found .*date": "a date",
    "found .*data": "data",
    "other bytes": "other bytes",
]
