import Foundation

@testable import URLSessionResultJSON
@testable import TestSupport

/// What the decoders promise, in terms of `JSONDecoder` alone.
enum JSONReference {
    /// Whether a document, in any encoding, has more levels or longer numbers than `JSONDecoder` can be trusted with.
    static func mayCrash(on document: Data) -> Bool {
        let text = document.filter { $0 != 0 }
        let levels = text.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
        let longestNumber = text.split { !$0.mayBeInNumber }.map(\.count).max() ?? 0
        return levels > 512 || longestNumber >= 128
    }

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
        // Safe, although the compiler cannot see it: the strategy runs on this thread.
        nonisolated(unsafe) var keys: [String] = []
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .custom { path in
            let key = path[path.count - 1]
            let isInsideEnvelope = path.count > envelope.path.steps.count
            if isInsideEnvelope { keys.append(key.stringValue) }
            return key
        }
        _ = try envelope.decode(AllKeys.self, from: document, using: decoder)
        return keys
    }

    private struct AllKeys: Decodable {
        init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: JSONKey.self) }
    }

    /// What a value is wrapped in.
    enum Envelope {
        case none
        /// `{"a": …}`
        case a
        /// `{"a": {"b": …}}`, with a model for each layer.
        case ab

        var path: JSONKeyPath {
            switch self {
            case .none: .root
            case .a: JSONKeyPath("a")
            case .ab: JSONKeyPath("a.b")
            }
        }

        func decode<Value: Decodable>(
            _ type: Value.Type, from document: Data, using decoder: JSONDecoder = JSONDecoder()
        ) throws -> Value {
            switch self {
            case .none: try decoder.decode(type, from: document)
            case .a: try decoder.decode(Outer<Value>.self, from: document).a
            case .ab: try decoder.decode(Outer<Inner<Value>>.self, from: document).a.b
            }
        }
    }

    // By hand, because errors show the type of a key, and because a missing member is an error for an optional, too.
    private struct Outer<Value: Decodable>: Decodable {
        let a: Value

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: JSONKey.self)
            a = try members.decode(Value.self, forKey: JSONKey(stringValue: "a"))
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
