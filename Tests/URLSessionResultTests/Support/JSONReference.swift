import Foundation

// The fuzz target compiles this file and the library's as one module.
#if canImport(URLSessionResult)
@testable import URLSessionResult
@testable import URLSessionResultTransport
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
        _ collection: JSONCollection, of type: Element.Type, in document: Data, at path: JSONKeyPath = .root
    ) -> [Element]? {
        cores.borrow(atMost: usefulCores(for: document)) { cores in
            inParts(collection, of: type, in: document, at: path, cores: cores)
        }
    }
}

/// What the decoders promise, in terms of `JSONDecoder` alone.
enum JSONReference {
    /// Tells where the decoders, in one piece or in parts, do something other than `JSONDecoder`: with the document as
    /// it is, with its member `a.b`, and with the document as the member `a.b` of another one.
    static func disagreement<Element: Decodable & Equatable & SendableMetatype & Sendable>(
        on document: Data, of type: Element.Type
    ) -> String? {
        let enveloped = Data(#"{"c":[{"a":1}],"a":{"x":"]}","b":"#.utf8) + document + Data("} }".utf8)
        return disagreement(on: document, of: type, in: .none)
            ?? disagreement(on: document, of: type, in: .ab)
            ?? disagreement(on: enveloped, of: type, in: .ab)
    }

    private static func disagreement<Element: Decodable & Equatable & SendableMetatype & Sendable>(
        on document: Data, of type: Element.Type, in envelope: Envelope
    ) -> String? {
        let path = envelope.path
        let value = JSONOutcome { try envelope.decode(type, from: document) }
        let array = JSONOutcome { try envelope.decode([Element].self, from: document) }
        let values = JSONOutcome { try Self.values(of: type, in: document, envelope) }
        for json in [SharedJSONDecoder.whole, .inParts] {
            let foundValue = JSONOutcome { try json.value(type, in: document, at: path) }
            guard foundValue == value else { return "value at \(path): \(foundValue) instead of \(value)" }
            let foundArray = JSONOutcome { try json.array(of: type, in: document, at: path) }
            guard foundArray == array else { return "array at \(path): \(foundArray) instead of \(array)" }
            let foundValues = JSONOutcome { try json.values(of: type, in: document, at: path) }
            guard foundValues == values || errors(of: type, in: document, envelope).contains(foundValues) else {
                return "values at \(path): \(foundValues) instead of \(values)"
            }
        }
        return nil
    }

    static func values<Element: Decodable>(
        of type: Element.Type, in document: Data, _ envelope: Envelope = .none
    ) throws -> [Element] {
        switch try? envelope.decode(Shape.self, from: document) {
        case .null: return []
        case .array: return try envelope.decode([Element?].self, from: document).compactMap { $0 }
        case .other, nil: break
        }
        var members = try envelope.decode([String: Element].self, from: document)
        return try keys(of: document, envelope).compactMap { members.removeValue(forKey: $0) }
    }

    /// The errors of all values that are invalid: `JSONDecoder` visits the members of a dictionary in an order that
    /// differs each time, and gives the first error that it meets.
    private static func errors<Element: Decodable & Equatable>(
        of type: Element.Type, in document: Data, _ envelope: Envelope
    ) -> [JSONOutcome<[Element]>] {
        let outcomes = ((try? keys(of: document, envelope)) ?? []).map { key in
            JSONOutcome<[Element]> {
                let decoder = JSONDecoder()
                decoder.userInfo[.key] = key
                _ = try envelope.decode(Single<Element>.self, from: document, using: decoder)
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

    enum Shape: Decodable {
        case null, array, other

        init(from decoder: any Decoder) throws {
            if try decoder.singleValueContainer().decodeNil() {
                self = .null
            } else {
                self = (try? decoder.unkeyedContainer()) == nil ? .other : .array
            }
        }
    }

    /// The keys in the order in which `JSONDecoder` passes them to its key strategy.
    private static func keys(of document: Data, _ envelope: Envelope) throws -> [String] {
        let keys = Locked<[String]>([])
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .custom { path in
            let key = path[path.count - 1]
            let isInsideEnvelope = path.count > envelope.path.steps.count
            if isInsideEnvelope { keys.withLock { $0.append(key.stringValue) } }
            return key
        }
        _ = try envelope.decode(AllKeys.self, from: document, using: decoder)
        return keys.withLock { $0 }
    }

    private struct AllKeys: Decodable {
        init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: JSONKey.self) }
    }

    /// What a value is wrapped in.
    enum Envelope {
        case none
        /// `{"a": {"b": …}}`, with a model for each layer.
        case ab

        var path: JSONKeyPath {
            switch self {
            case .none: .root
            case .ab: JSONKeyPath("a.b")
            }
        }

        func decode<Value: Decodable>(
            _ type: Value.Type, from document: Data, using decoder: JSONDecoder = JSONDecoder()
        ) throws -> Value {
            switch self {
            case .none: try decoder.decode(type, from: document)
            case .ab: try decoder.decode(Outer<Value>.self, from: document).a.b
            }
        }
    }

    // By hand, because errors show the type of a key, and because a missing member is an error for an optional, too.
    private struct Outer<Value: Decodable>: Decodable {
        let a: Inner<Value>

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: JSONKey.self)
            a = try members.decode(Inner<Value>.self, forKey: JSONKey(stringValue: "a"))
        }
    }

    private struct Inner<Value: Decodable>: Decodable {
        let b: Value

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: JSONKey.self)
            b = try members.decode(Value.self, forKey: JSONKey(stringValue: "b"))
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
