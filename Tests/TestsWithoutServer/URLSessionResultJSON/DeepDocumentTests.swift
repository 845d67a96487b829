import Foundation
import Testing

@testable import URLSessionResultJSON
@testable import TestSupport

/// Documents of more levels than `JSONDecoder` reads, some of which crash it.
struct DeepDocumentTests {
    /// A document whose last character opens the 513th level.
    struct DeepDocument: CustomTestStringConvertible {
        let testDescription: String
        let data: Data

        private init(
            _ name: String, _ text: String, in encoding: String.Encoding = .utf8, mark: [UInt8] = [], end: [UInt8] = []
        ) {
            testDescription = name
            data = Data(mark) + (text.data(using: encoding) ?? Data()) + Data(end)
        }

        static let arrays = DeepDocument("arrays", String(repeating: "[", count: 513))
        static let objects = DeepDocument("objects", String(repeating: #"{"a":"#, count: 512) + "[")
        private static let both = String(repeating: #"[{"a":"#, count: 256)

        static let all = [
            arrays, objects, DeepDocument("both", both + "["), DeepDocument("an object last", both + "{"),
            DeepDocument("with a mark", both + "[", mark: [0xEF, 0xBB, 0xBF]),
            DeepDocument("UTF-16", both + "[", in: .utf16LittleEndian),
            DeepDocument("UTF-16, big-endian", both + "{", in: .utf16BigEndian),
            DeepDocument("UTF-16 with a mark", both + "[", in: .utf16LittleEndian, mark: [0xFF, 0xFE]),
            DeepDocument("UTF-16, big-endian, with a mark", both + "[", in: .utf16BigEndian, mark: [0xFE, 0xFF]),
            DeepDocument("UTF-32", both + "[", in: .utf32LittleEndian),
            DeepDocument("UTF-32, big-endian", both + "[", in: .utf32BigEndian),
            DeepDocument("other letters", #"["é€😀","# + String(repeating: "[", count: 512)),
            DeepDocument("UTF-16 within UTF-16", String(repeating: "[\0", count: 513), in: .utf16LittleEndian),
            DeepDocument("a carriage return behind it", both + "[\r"),
            DeepDocument("a carriage return in UTF-16", both + "[\r", in: .utf16LittleEndian),
            DeepDocument("a carriage return in UTF-32", both + "[\r", in: .utf32BigEndian),
            DeepDocument("half a character of UTF-16", both + "[", in: .utf16LittleEndian, end: [0x78]),
        ]
    }

    private static let decoders = [SharedJSONDecoder.whole, .inParts]

    @Test("A document whose last byte opens the 513th level is refused", arguments: DeepDocument.all)
    func deepDocument(_ document: DeepDocument) {
        for json in Self.decoders {
            for path in [JSONKeyPath.root, JSONKeyPath("a.a"), JSONKeyPath("0")] {
                let data = document.data
                #expect(throws: DecodingError.self) { try json.value(JSONOnlooker.self, in: data, at: path) }
                #expect(throws: DecodingError.self) { try json.array(of: JSONOnlooker.self, in: data, at: path) }
                #expect(throws: DecodingError.self) { try json.values(of: JSONOnlooker.self, in: data, at: path) }
                #expect(throws: DecodingError.self) {
                    try json.array(of: JSONSkippableElement<JSONOnlooker>.self, in: data, at: path)
                }
            }
        }
    }

    @Test("The error is the one that JSONDecoder has for a document that goes on")
    func deepError() throws {
        let document = DeepDocument.arrays.data
        let error = #expect(throws: DecodingError.self) {
            try SharedJSONDecoder.whole.value(JSONOnlooker.self, in: document)
        }
        let expected = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(JSONOnlooker.self, from: document + document)
        }
        #expect("\(try #require(error))" == "\(try #require(expected))")
    }

    @Test("512 levels are decoded", arguments: [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian])
    func allowedDepth(encoding: String.Encoding) throws {
        let text = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        _ = try SharedJSONDecoder.whole.value(JSONOnlooker.self, in: #require(text.data(using: encoding)))
    }

    @Test("A subclass of JSONDecoder is given the bytes as they came")
    func subclass() throws {
        final class Counter: JSONDecoder, @unchecked Sendable {
            override func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
                try super.decode(type, from: Data("[\(data.count)]".utf8))
            }
        }
        let bytes = Data(repeating: UInt8(ascii: "["), count: 600)
        #expect(try SharedJSONDecoder(decoder: Counter()).value([Int].self, in: bytes) == [600])
    }
}
