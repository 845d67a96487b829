import Foundation
import Testing

@testable import URLSessionResultJSON

/// Numbers and names of JSON5 that crash `JSONDecoder`.
struct JSON5TokenTests {
    private static let json: SharedJSONDecoder = {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        return SharedJSONDecoder(decoder: decoder)
    }()

    @Test(
        "A number of JSON5 that cannot be read is refused",
        arguments: [
            "[1e-]", "[1e+]", "[1E+]", "[-1.5E-]", "[.5e-,1]", "[1e- ]", "1e-", "[0x0x]", "[0x1e+5]", "[0x1g]",
            "[0xg1]",
            "[+0X1e-]", "[-0x0x]", "[+0x0x]", "[0x0.]", "[ /* ' */ 1e-]", "[// \"\n1e-]", "[// ]\r1e-]",
            "[//\"\n1e-]", "[//]\r1e-]", "[//\n1e-]", "[/*]*/1e-]", "[/**//**/1e-]",
            #"["\u123\",1e-]"#, #"['"',1e-]"#, #"["'",1e-]"#, #"["\x1\",1e-]"#, #"["\\",1e-]"#, #"["\"",1e-]"#,
            "[/**/1e-]", "[1/***/,1e-]", "[1/*/*/,1e-]", "[1/* / * */,1e-]", "[true,1e-]", "{a:1e-}", "{'a':1e-}",
            "\u{FEFF}1e-", "\u{FEFF}0x0x", "0x0x", "0X1e+5", "[\t1e-\t]", "[0x0x\n]", "{\"a\"/*'*/:1e-}",
        ], [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian])
    func malformedNumber(text: String, encoding: String.Encoding) throws {
        let document = try #require(text.data(using: encoding))
        let json = Self.json
        #expect(throws: DecodingError.self) { try json.value([Double].self, in: document) }
        #expect(throws: DecodingError.self) { try json.value([Float].self, in: document) }
        #expect(throws: DecodingError.self) { try json.value([Int].self, in: document) }
        #expect(throws: DecodingError.self) { try json.value(Double.self, in: document) }
        #expect(throws: DecodingError.self) { try json.value(Int.self, in: document) }
        #expect(throws: DecodingError.self) { try json.value(Double.self, in: document, at: JSONKeyPath("a")) }
        #expect(throws: DecodingError.self) { try json.array(of: JSONSkippableElement<Double>.self, in: document) }
        #expect(throws: DecodingError.self) { try json.values(of: Double.self, in: document) }
    }

    @Test("A byte that JSONDecoder takes for a blank hides no malformed number", arguments: [1, 3, 4])
    func noBreakSpace(place: Int) {
        var document = Data("[1e-]".utf8)
        document.insert(0xA0, at: place)
        #expect(throws: DecodingError.self) { try Self.json.value([Double].self, in: document) }
    }

    @Test(
        "A document in any encoding is read, with its byte order mark and without",
        arguments: [
            ([], .utf8), ([0xEF, 0xBB, 0xBF], .utf8), ([], .utf16LittleEndian), ([], .utf16BigEndian),
            ([0xFF, 0xFE], .utf16LittleEndian), ([0xFE, 0xFF], .utf16BigEndian), ([], .utf32LittleEndian),
            ([], .utf32BigEndian), ([0, 0, 0xFE, 0xFF], .utf32BigEndian), ([0xFE, 0xFF, 0, 0], .utf32LittleEndian),
        ] as [([UInt8], String.Encoding)])
    func encoding(mark: [UInt8], encoding: String.Encoding) throws {
        func document(_ text: String) throws -> Data { Data(mark) + (try #require(text.data(using: encoding))) }
        #expect(try Self.json.value([Int].self, in: document("[-1]")) == [-1])
        #expect(try Self.json.value(Int.self, in: document("+12")) == 12)
        #expect(throws: DecodingError.self) { try Self.json.value([Int].self, in: document("[0x0x]")) }
    }

    @Test(
        "A document that ends within an escape, a comment or a string is refused",
        arguments: ["/", #""\"#, "/*", "/* *", "'", "["])
    func unfinished(text: String) {
        #expect(throws: DecodingError.self) { try Self.json.value([Int].self, in: Data(text.utf8)) }
    }

    @Test("In UTF-16, a character that has the byte of a quotation mark is none")
    func wideQuotationMark() throws {
        let document = try #require("{'\u{2227}':1e-}".data(using: .utf16LittleEndian))
        #expect(throws: DecodingError.self) { try Self.json.value([String: Double].self, in: document) }
    }

    @Test("A byte that JSON5 takes for a blank hides no number", arguments: ["1e-", "0x0x", "-0x0x"])
    func noBreakSpace(number: String) {
        for (before, after): ([UInt8], [UInt8]) in [([0xA0], []), ([], [0xA0]), ([0xA0, 0xA0], [0xA0])] {
            let document = Data(Array("[".utf8) + before + Array(number.utf8) + after + Array("]".utf8))
            #expect(throws: DecodingError.self) { try Self.json.value([Double].self, in: document) }
        }
    }

    @Test("A byte that UTF-8 does not have is refused in a name, and in a comment it is passed over")
    func otherBytes() throws {
        for byte: UInt8 in 0xF8...0xFF {
            for (start, end) in [("{", "]:1}"), ("{b", "é:1}"), ("{b", "\\:1}"), ("", "{b:1}"), ("{b:", "1}")] {
                let document = Data(Array(start.utf8) + [byte] + Array(end.utf8))
                #expect(throws: DecodingError.self) { try Self.json.value([String: Int].self, in: document) }
            }
            for (start, end) in [("{b:/*", "*/1}"), ("{b://", "\n1}"), ("{b://", "\r1}")] {
                let document = Data(Array(start.utf8) + [byte] + Array(end.utf8))
                #expect(try Self.json.value([String: Int].self, in: document) == ["b": 1])
            }
        }
    }

    /// Whether `JSONDecoder` crashes depends on what is in memory.
    @Test(
        "A name of bytes that are no character is found, and one of the last characters is not",
        arguments: [
            ([0xF5, 0x80, 0x80, 0x80], true), ([0xF7, 0xBF, 0xBF, 0xBF], true), ([0xF4, 0x90, 0x80, 0x80], true),
            ([0x61, 0xF4, 0xBF, 0xBF, 0xBF], true), ([0xED, 0xA0, 0x80], true), ([0xED, 0xBF, 0xBF], true),
            ([0xF4, 0x8F, 0xBF, 0xBF], false), ([0xED, 0x9F, 0xBF], false), ([0xEE, 0x80, 0x80], false),
            ([0xF3, 0xBF, 0xBF, 0xBF], false),
        ] as [([UInt8], Bool)])
    func noCharacter(bytes: [UInt8], isFound: Bool) {
        let document = Data("{".utf8) + Data(bytes) + Data(":1}".utf8)
        #expect(JSONTokenScanner.findsCrash(in: document, allowsJSON5: true) == isFound)
    }

    @Test("What looks like such a number elsewhere is read")
    func otherNumbers() throws {
        let numbers = "[1e-1,0x1F,0Xa,-0x1,/* 1e- */+1.5E+3,.5,5.,-Infinity,// 0x0x\n1,1/*/ 1e- */]"
        #expect(
            try Self.json.value([Double].self, in: Data(numbers.utf8))
                == [0.1, 31, 10, -1, 1500, 0.5, 5, -.infinity, 1, 1])
        let texts = #"{e:'1e-',x0x:"0x0x",'1e-':'\'1e-', é0xz: "\"1e-", à: '1e-', $0xz: '', _0xz: ''}"#
        #expect(
            try Self.json.value([String: String].self, in: Data(texts.utf8))
                == [
                    "e": "1e-", "x0x": "0x0x", "1e-": "'1e-", "é0xz": "\"1e-", "à": "1e-", "$0xz": "", "_0xz": "",
                ])
    }
}
