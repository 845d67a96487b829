import Foundation
import Testing

@testable import URLSessionResultJSON
@testable import TestSupport

/// Long numbers with an exponent, which crash `JSONDecoder` when they are decoded as integers.
struct LongNumberTests {
    private static let numbers = [
        "9007199254740992" + zeros(200) + "e-200", "-9007199254740993" + zeros(200) + "E-200",
        "0." + zeros(129) + "9007199254740992e145", "0." + zeros(129) + "9007199254740992e+145",
    ]

    private static func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }

    private static let json5: SharedJSONDecoder = {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        return SharedJSONDecoder(decoder: decoder)
    }()

    @Test("A long number with an exponent is refused", arguments: numbers)
    func longNumber(number: String) {
        for json in [SharedJSONDecoder.whole, .inParts, Self.json5] {
            for text in [number, "[\(number)]", "{\"a\":\(number)}"] {
                let document = Data(text.utf8)
                #expect(throws: DecodingError.self) { try json.value(Int.self, in: document) }
                #expect(throws: DecodingError.self) { try json.value(UInt64.self, in: document, at: JSONKeyPath("a")) }
                #expect(throws: DecodingError.self) { try json.array(of: UInt.self, in: document) }
                #expect(throws: DecodingError.self) { try json.values(of: Int64.self, in: document) }
            }
        }
    }

    @Test("One that begins with a point is refused in JSON5, where it may")
    func leadingPoint() {
        let number = "." + Self.zeros(129) + "9007199254740992e145"
        #expect(throws: DecodingError.self) { try Self.json5.value([Int].self, in: Data("[\(number)]".utf8)) }
    }

    @Test(
        "In a comment it is none",
        arguments: ["/* * / \(numbers[0]) */ 1", "// \(numbers[0])\n1", "1 /*\(numbers[0])*/"])
    func comment(document: String) throws {
        #expect(try Self.json5.value(Int.self, in: Data(document.utf8)) == 1)
    }

    @Test("In a string behind a comment it is none", arguments: ["/**/", "//\n", "/***/"])
    func stringAfterComment(comment: String) throws {
        let document = Data("[\(comment)\"\(Self.numbers[0])\"]".utf8)
        #expect(try Self.json5.array(of: String.self, in: document) == [Self.numbers[0]])
    }

    @Test("A number of 128 bytes is long")
    func shortest() {
        let number = "9007199254740992" + Self.zeros(107) + "e-107"
        #expect(number.utf8.count == 128)
        #expect(throws: DecodingError.self) {
            try SharedJSONDecoder.whole.value([Int].self, in: Data("[\(number)]".utf8))
        }
    }

    @Test("It is refused behind any string", arguments: [#"\""#, #"\\"#, #"\u123\"#, #"\x"#, "'", "//", "/*"])
    func precedingString(string: String) {
        let document = Data(#"["\#(string)",\#(Self.numbers[0]),""]"#.utf8)
        #expect(throws: DecodingError.self) { try SharedJSONDecoder.whole.value(SecondInteger.self, in: document) }
    }

    @Test("It is refused wherever it begins", arguments: 0..<128)
    func place(offset: Int) {
        let document = Data("[\(String(repeating: " ", count: offset))\(Self.numbers[0])]".utf8)
        #expect(throws: DecodingError.self) { try SharedJSONDecoder.whole.value([Int].self, in: document) }
    }

    @Test(
        "It is refused in any encoding",
        arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32BigEndian])
    func encodings(encoding: String.Encoding) throws {
        let document = try #require("[\(Self.numbers[0])]".data(using: encoding))
        #expect(throws: DecodingError.self) { try SharedJSONDecoder.whole.value([Int].self, in: document) }
    }

    @Test("A shorter number, one without an exponent, and a string are read")
    func otherNumbers() throws {
        // 127 bytes.
        let digits = "9007199254740993" + Self.zeros(106)
        let texts = [digits + "e-106", "9007199254740993." + Self.zeros(200)]
        for text in texts {
            #expect(
                try SharedJSONDecoder.whole.value([Int].self, in: Data("[\(text)]".utf8)) == [9_007_199_254_740_993])
        }
        for number in Self.numbers {
            for text in ["\"\(number)\"", #""\",\#(number),""#] {
                let document = Data("[\(text)]".utf8)
                let expected = try JSONDecoder().decode([String].self, from: document)
                for json in [SharedJSONDecoder.whole, .inParts, Self.json5] {
                    #expect(try json.array(of: String.self, in: document) == expected)
                }
            }
        }
    }

    private struct SecondInteger: Decodable, Sendable {
        init(from decoder: any Decoder) throws {
            var elements = try decoder.unkeyedContainer()
            _ = try elements.superDecoder()
            _ = try elements.decode(Int.self)
        }
    }
}
