import Foundation
import Testing

@testable import URLSessionResult

/// Holds the decoders against `JSONDecoder`, in one piece and in parts.
@Suite struct JSONDifferentialTests {
    @Test(
        "On odd and damaged documents the decoders do what JSONDecoder does, in one piece and in parts",
        arguments: 0..<8)
    func documents(seed: UInt64) throws {
        var documents = JSONDocuments(seed: seed)
        var accepted = 0
        for number in 0..<3000 {
            let document = documents.next()
            let agrees =
                switch number % 3 {
                case 0: agrees(on: document, of: JSONNode.self, accepted: &accepted)
                case 1: agrees(on: document, of: JSONOnlooker.self, accepted: &accepted)
                default: agrees(on: document, of: Int?.self, accepted: &accepted)
                }
            try #require(agrees, "seed \(seed), document \(number): \(String(decoding: document, as: UTF8.self))")
        }
        #expect(accepted > 300, "hardly any document is JSON")
    }

    private func agrees<Element: Decodable & Equatable & SendableMetatype & Sendable>(
        on document: Data,
        of type: Element.Type,
        accepted: inout Int
    ) -> Bool {
        let array = JSONOutcome { try JSONDecoder().decode([Element].self, from: document) }
        let values = JSONOutcome { try JSONReference.values(of: type, in: document) }
        let member = JSONOutcome { try JSONDecoder().decode(JSONReference.Member<Element>.self, from: document).value }
        accepted += [array, values].contains { if case .value = $0 { true } else { false } } ? 1 : 0
        return [SharedJSONDecoder.whole, .inParts].allSatisfy { json in
            let found = JSONOutcome { try json.values(of: type, in: document).all }
            return JSONOutcome { try json.array(of: type, in: document) } == array
                && (found == values || JSONReference.errors(of: type, in: document).contains(found))
        } && JSONOutcome { try ResultDecoder.json(type, at: "a.b").decode(document) } == member
    }
}

extension SharedJSONDecoder {
    /// Never splits a document.
    static var whole: SharedJSONDecoder { SharedJSONDecoder(JSONDecoder(), splitting: JSONSplitting(threshold: .max)) }

    /// Splits even the smallest document, after each member if it can.
    static var inParts: SharedJSONDecoder { inParts(JSONDecoder()) }

    static func inParts(_ decoder: JSONDecoder) -> SharedJSONDecoder {
        SharedJSONDecoder(
            decoder,
            splitting: JSONSplitting(threshold: 0, minimumPartSize: 1, partsPerCore: 4, cores: 2)
        )
    }
}

/// What the decoders promise, in terms of `JSONDecoder` alone.
enum JSONReference {
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

    /// The errors of all values that are invalid: `JSONDecoder` visits the members of a dictionary in an order that differs
    /// each time, and gives the first error that it meets.
    static func errors<Element: Decodable & Equatable>(of type: Element.Type, in document: Data) -> [JSONOutcome<
        [Element]
    >] {
        ((try? keys(of: document)) ?? []).map { key in
            JSONOutcome {
                let decoder = JSONDecoder()
                decoder.userInfo[.key] = key
                _ = try decoder.decode(Single<Element>.self, from: document)
                return []
            }
        }
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
