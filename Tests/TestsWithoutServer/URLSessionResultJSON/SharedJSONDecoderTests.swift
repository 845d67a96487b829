import Foundation
import Testing

@testable import URLSessionResultJSON
@testable import TestSupport

struct SharedJSONDecoderTests {
    @Test(
        "A string ends where JSONDecoder has it end, whatever the digits after \\u are",
        arguments: [SharedJSONDecoder.whole, .inParts])
    func unseenDigits(json: SharedJSONDecoder) throws {
        struct Named: Decodable, Equatable, Sendable { var name: String }
        let object = Data(#"{"a":{"name":"x","junk":"\u123\"},"z},\"a":{"name":"y"}}"#.utf8)
        let members = try JSONDecoder().decode([String: Named].self, from: object)
        #expect(try json.values(of: Named.self, in: object) == ["a", #"z},"a"#].compactMap { members[$0] })
        let array = Data(#"[{"name":"x","junk":"\u123\"},"}\"",1,,2]"#.utf8)
        #expect(throws: DecodingError.self) { try json.array(of: Named.self, in: array) }
    }

    @Test("On one core the members of an object are decoded once, also when one of them is invalid")
    func decodedOnce() {
        struct Counted: Decodable, Sendable {
            static let count = Monitor(0)

            init(from decoder: any Decoder) throws {
                Self.count.withLock { $0 += 1 }
                _ = try decoder.singleValueContainer().decode(Int.self)
            }
        }
        let document = Data(#"{"a":1,"b":2,"c":"x"}"#.utf8)
        #expect(throws: DecodingError.self) { try SharedJSONDecoder.whole.values(of: Counted.self, in: document) }
        #expect(Counted.count.withLock { $0 } == 3)
    }

    @Test("A slice is decoded as a document of its own", arguments: [SharedJSONDecoder.whole, .inParts])
    func slices(json: SharedJSONDecoder) throws {
        let array = Data("xyz[1,2,3]".utf8).dropFirst(3)
        #expect(try json.array(of: Int.self, in: array) == [1, 2, 3])
        let object = Data(#"xyz{"b":1,"a":2,"\u0063":3}"#.utf8).dropFirst(3)
        #expect(try json.values(of: Int.self, in: object) == [1, 2, 3])
    }

    @Test("A subclass of JSONDecoder is given the whole document")
    func subclass() throws {
        final class Spy: JSONDecoder, @unchecked Sendable {
            let documents = Monitor<[Data]>([])

            override func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
                documents.withLock { $0.append(data) }
                return try super.decode(type, from: data)
            }
        }
        let spy = Spy()
        let document = Data(#"{"z":1,"a":3}"#.utf8)
        #expect(try SharedJSONDecoder.inParts(spy).values(of: Int.self, in: document) == [1, 3])
        #expect(spy.documents.withLock { $0 } == [document])
    }

    @Test("No value is lost when a subclass reads other bytes than it is given")
    func otherBytes() throws {
        final class Base64: JSONDecoder, @unchecked Sendable {
            override func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
                try super.decode(type, from: Data(base64Encoded: data) ?? Data())
            }
        }
        let body = Data(#"{"a":1,"b":2}"#.utf8).base64EncodedData()
        #expect(try SharedJSONDecoder(decoder: Base64()).values(of: Int.self, in: body).sorted() == [1, 2])
    }

    @Test("The values of a document without brackets are in its order")
    func topLevelDictionary() throws {
        let decoder = JSONDecoder()
        decoder.assumesTopLevelDictionary = true
        let document = Data(#""f":1,"b":2,"e":3,"a":4,"d":5,"c":6"#.utf8)
        #expect(try SharedJSONDecoder(decoder: decoder).values(of: Int.self, in: document) == [1, 2, 3, 4, 5, 6])
    }

    @Test("An index behind the end of an array is an error that says so")
    func indexBehindEnd() {
        let error = #expect(throws: DecodingError.self) {
            try SharedJSONDecoder.whole.value(Int.self, in: Data(#"{"a":[1]}"#.utf8), at: JSONKeyPath("a.1"))
        }
        guard case .valueNotFound(_, let context) = error else { return #expect(error == nil) }
        #expect(context.codingPath.map(\.stringValue) == ["a", "Index 1"])
        #expect(context.debugDescription == "The array is at end.")
    }

    @Test("A subclass that reads no document makes an error")
    func unreadDocument() throws {
        final class Cache: JSONDecoder, @unchecked Sendable {
            private var known: Any?

            override func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
                let value = try known as? T ?? super.decode(type, from: data)
                known = value
                return value
            }
        }
        let json = SharedJSONDecoder(decoder: Cache())
        let body = Data(#"{"a":1}"#.utf8)
        #expect(try json.value(Int.self, in: body, at: JSONKeyPath("a")) == 1)
        let error = #expect(throws: DecodingError.self) {
            try json.value(Int.self, in: body, at: JSONKeyPath("a"))
        }
        guard case .valueNotFound(_, let context) = error else { return #expect(error == nil) }
        #expect(context.codingPath.isEmpty)
        #expect(context.debugDescription == "A subclass of JSONDecoder did not read the document.")
    }

    @Test("100,000 nested brackets are refused as JSONDecoder refuses them", arguments: ["[", "{\"a\":", "[{\"a\":"])
    func nesting(opening: String) {
        let document = Data(("[1," + String(repeating: opening, count: 100_000)).utf8)
        let expected = JSONOutcome { try JSONDecoder().decode([JSONOnlooker].self, from: document) }
        #expect(JSONOutcome { try SharedJSONDecoder.inParts.array(of: JSONOnlooker.self, in: document) } == expected)
        #expect(throws: DecodingError.self) {
            try SharedJSONDecoder.whole.value(Int.self, in: document, at: JSONKeyPath("0"))
        }
    }

    @Test("A string of 10 MB is decoded, between others and as a key")
    func longString() throws {
        let json = SharedJSONDecoder(decoder: JSONDecoder())
        let text = Data(repeating: UInt8(ascii: "x"), count: 10_000_000)
        let array = Data(#"["a",""#.utf8) + text + Data(#"","b"]"#.utf8)
        #expect(try json.array(of: String.self, in: array).map(\.utf8.count) == [1, 10_000_000, 1])
        let object = Data(#"{"a":1,""#.utf8) + text + Data(#"":2,"b":3}"#.utf8)
        #expect(try json.values(of: Int.self, in: object) == [1, 2, 3])
    }
}
