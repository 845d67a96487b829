import Foundation

// The fuzz target compiles this file and the library's as one module.
#if canImport(URLSessionResult)
@testable import URLSessionResult
#endif

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
        } catch NetworkError.decodingError(let error, _) {
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

extension SharedJSONDecoder {
    /// Never splits a document.
    static var whole: SharedJSONDecoder { SharedJSONDecoder(decoder: JSONDecoder(), partSize: .max) }

    /// Splits even the smallest document, after each member if it can.
    static var inParts: SharedJSONDecoder { inParts(JSONDecoder()) }

    static func inParts(_ decoder: JSONDecoder) -> SharedJSONDecoder {
        SharedJSONDecoder(decoder: decoder, partSize: 1, cores: FreeCores(8))
    }

    /// Decodes a document in parts, or returns `nil` when it is left to `JSONDecoder`.
    func onlyInParts<Element: Decodable & SendableMetatype>(
        _ collection: JSONSplitter.Collection, of type: Element.Type, in document: Data
    ) -> [Element]? {
        cores.borrow(atMost: usefulCores(for: document)) { cores in
            inParts(collection, of: type, in: document, cores: cores)
        }
    }
}

/// What the decoders promise, in terms of `JSONDecoder` alone.
enum JSONReference {
    /// Tells where the decoders, in one piece or in parts, do something else than `JSONDecoder`.
    static func disagreement<Element: Decodable & Equatable & SendableMetatype & Sendable>(
        on document: Data,
        of type: Element.Type
    ) -> String? {
        let array = JSONOutcome { try JSONDecoder().decode([Element].self, from: document) }
        let values = JSONOutcome { try Self.values(of: type, in: document) }
        let member = JSONOutcome { try JSONDecoder().decode(Member<Element>.self, from: document).value }
        for json in [SharedJSONDecoder.whole, .inParts] {
            let foundArray = JSONOutcome { try json.array(of: type, in: document) }
            guard foundArray == array else { return "array: \(foundArray) instead of \(array)" }
            let foundValues = JSONOutcome { try json.values(of: type, in: document) }
            guard foundValues == values || errors(of: type, in: document).contains(foundValues) else {
                return "values: \(foundValues) instead of \(values)"
            }
        }
        let foundMember = JSONOutcome { try ResultDecoder.json(type, at: "a.b").decode(.success(document)).get() }
        return foundMember == member ? nil : "a.b: \(foundMember) instead of \(member)"
    }

    static func values<Element: Decodable>(of type: Element.Type, in document: Data) throws -> [Element] {
        let decoder = JSONDecoder()
        switch try? decoder.decode(Shape.self, from: document) {
        case .null: return []
        case .array: return try decoder.decode([Element?].self, from: document).compactMap { $0 }
        case .other, nil: break
        }
        var members = try decoder.decode([String: Element].self, from: document)
        return try keys(of: document).compactMap { members.removeValue(forKey: $0) }
    }

    /// The errors of all values that are invalid: `JSONDecoder` visits the members of a dictionary in an order that
    /// differs each time, and gives the first error that it meets.
    static func errors<Element: Decodable & Equatable>(of type: Element.Type, in document: Data) -> [JSONOutcome<
        [Element]
    >] {
        let outcomes = ((try? keys(of: document)) ?? []).map { key in
            JSONOutcome<[Element]> {
                let decoder = JSONDecoder()
                decoder.userInfo[.key] = key
                _ = try decoder.decode(Single<Element>.self, from: document)
                return []
            }
        }
        return outcomes.filter(\.isError)
    }

    private struct Single<Element: Decodable>: Decodable {
        init(from decoder: any Decoder) throws {
            let key = DictionaryKey(stringValue: decoder.userInfo[.key] as? String ?? "")
            _ = try decoder.container(keyedBy: DictionaryKey.self).decode(Element.self, forKey: key)
        }
    }

    private struct DictionaryKey: CodingKey {
        let stringValue: String
        var intValue: Int? { Int(stringValue) }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private enum Shape: Decodable {
        case null, array, other

        init(from decoder: any Decoder) throws {
            if try decoder.singleValueContainer().decodeNil() {
                self = .null
            } else {
                self = (try? decoder.unkeyedContainer()) == nil ? .other : .array
            }
        }
    }

    /// The keys in the order in which `JSONDecoder` hands them to its key strategy.
    private static func keys(of document: Data) throws -> [String] {
        let keys = Locked<[String]>([])
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .custom { path in
            keys.withLock { $0.append(path[0].stringValue) }
            return path[0]
        }
        _ = try decoder.decode(TopLevel.self, from: document)
        return keys.withLock { $0 }
    }

    private struct TopLevel: Decodable {
        init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: JSONKey.self) }
    }

    /// `a.b`, written by hand.
    struct Member<Value: Decodable>: Decodable {
        let value: Value

        init(from decoder: any Decoder) throws {
            value = try decoder.container(keyedBy: JSONKey.self).decode(Inner.self, forKey: JSONKey(stringValue: "a"))
                .value
        }

        private struct Inner: Decodable {
            let value: Value

            init(from decoder: any Decoder) throws {
                value = try decoder.container(keyedBy: JSONKey.self).decode(
                    Value.self, forKey: JSONKey(stringValue: "b"))
            }
        }
    }
}

extension CodingUserInfoKey {
    fileprivate static var key: CodingUserInfoKey { CodingUserInfoKey(rawValue: "key").unsafelyUnwrapped }
}

/// Any JSON value, all of which is read, with the coding path that it was found at.
indirect enum JSONNode: Decodable, Equatable, Sendable {
    case null(String)
    case bool(Bool, String)
    case number(Double, String)
    case string(String, String)
    case array([JSONNode], String)
    case object([String: JSONNode], String)

    init(from decoder: any Decoder) throws {
        let path = decoder.codingPath.map { $0.stringValue + ($0.intValue.map { "#\($0)" } ?? "") }.joined(
            separator: "/")
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null(path)
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool, path)
        } else if (try? decoder.unkeyedContainer()) != nil {
            self = .array(try container.decode([JSONNode].self), path)
        } else if let object = try? container.decode([String: JSONNode].self) {
            self = .object(object, path)
        } else if let string = try? container.decode(String.self) {
            self = .string(string, path)
        } else {
            self = .number(try container.decode(Double.self), path)
        }
    }
}

/// An element that reads nothing but where it is, so that what JSONDecoder checks only when asked stays unchecked.
struct JSONOnlooker: Decodable, Equatable, Sendable {
    let path: [String]
    let index: Int?

    init(from decoder: any Decoder) {
        path = decoder.codingPath.map(\.stringValue)
        index = decoder.codingPath.last?.intValue
    }
}
