import Foundation
import Testing

@testable import URLSessionResultJSON

struct JSONTokensTests {
    @Test(
        "The numbers and the strings of a document are found, with the escapes of a string",
        arguments: [
            ("[1, -2.5e+3, \"a\", 40]", ["1", "-2.5e+3", "40"], ["\"a\""]),
            (#"{"a\"1": 2, "\\": 3, "\u0022": 4}"#, ["2", "3", "4"], [#""a\"1""#, #""\\""#, #""\u0022""#]),
            // JSONDecoder skips four characters behind `\u`.
            (#"["\u"]"1", 2]"#, ["2"], [#""\u"]"1""#]), (#"["a", 1"#, ["1"], [#""a""#]),
            (#"["a"#, [], [#""a"#]), (#"["a\"#, [], [#""a\"#]), (#"["a\u0"#, [], [#""a\u0"#]), ("\"", [], ["\""]),
            ("\"\"", [], ["\"\""]), ("0", ["0"], []), ("9", ["9"], []), ("[true, null]", [], []), ("", [], []),
            ("-", ["-"], []),
        ] as [(String, [String], [String])])
    func tokens(text: String, numbers: [String], strings: [String]) {
        let document = Data(text.utf8)
        let tokens = JSONTokens(of: document)
        #expect(tokens.strings.map { String(decoding: document[$0], as: UTF8.self) } == strings)
        #expect(tokens.numbers.map { String(decoding: document[$0], as: UTF8.self) } == numbers)
    }

    @Test(
        "A string has no control character and no escape that JSON does not have",
        arguments: [
            ("", nil), ("a", nil), (#"\"\\\/\b\f\n\r\t\u00e9\uFFFF"#, nil), ("\u{7F}é", nil), (" ", nil), ("\n", 1),
            ("a\u{1F}", 2), (#"a\x"#, 2), (#"\u00g0"#, 1), (#"\u123"#, 1), (#"ab\"#, 3), (#"\U0041"#, 1),
            (#"\n\q"#, 3), (#"\u0041\'"#, 7), (#"\u004"#, 1), (#"\ud83d\ude00😀"#, nil), (#"\ud7ff\ue000"#, nil),
            (#"\ud800"#, 1), (#"a\uDFFF"#, 2), (#"\ud800\u0041"#, 1), (#"\ud800\ud800\udc00"#, 1),
            (#"\ud83d\ude00\ude00"#, 13), (#"\ud83dxude00"#, 1), (#"\ud83d\ude0"#, 1),
        ] as [(String, Int?)])
    func malformation(text: String, offset: Int?) {
        let string = Data("\"\(text)\"".utf8)
        #expect(string.malformation(inString: 0..<string.count) == offset)
        // Elsewhere in a document that is a slice.
        let document = Data("__[\"\(text)\"]".utf8).dropFirst(2)
        #expect(document.malformation(inString: 1..<document.count - 1) == offset.map { $0 + 1 })
    }

    @Test(
        "A string in UTF-8 has no other bytes",
        arguments: [
            ([0xC3, 0xA9], nil), ([0xF0, 0x9F, 0x98, 0x80], nil), ([0x61, 0xFF], 2), ([0xC3], 1), ([0xC3, 0x61], 1),
            ([0xC3, 0xA9, 0xA9], 3), ([0xED, 0xA0, 0x80], 1), ([0xC0, 0x80], 1), ([0xF4, 0x90, 0x80, 0x80], 1),
        ] as [([UInt8], Int?)])
    func bytes(text: [UInt8], offset: Int?) {
        let string = Data("\"".utf8) + Data(text) + Data("\"".utf8)
        #expect(string.malformation(inString: 0..<string.count) == offset)
    }

    @Test("What is no string has no malformation", arguments: ["", "\""])
    func short(text: String) {
        let string = Data(text.utf8)
        #expect(string.malformation(inString: 0..<string.count) == nil)
    }

    @Test(
        "A place counts lines that end with LF, CRLF or CR, and characters",
        arguments: [
            ("", 1, 1), ("ab", 1, 3), ("a\n", 2, 1), ("a\r\n", 2, 1), ("a\r", 2, 1), ("\n\r", 3, 1),
            ("\r\n\r\nb", 3, 2),
            ("é", 1, 2), ("😀", 1, 2), ("\u{FEFF}", 1, 1), ("a\u{FEFF}", 1, 3), ("\u{FEFF}a", 1, 2),
        ])
    func place(text: String, line: Int, column: Int) {
        let place = JSONPlace(of: text.utf8.count, in: Data("\(text)x".utf8))
        #expect(place.line == line)
        #expect(place.column == column)
    }

    @Test("Zeros at the beginning, and byte order marks of UTF-16 and UTF-32, are of no document in UTF-8")
    func encodings() {
        for bytes in [[0xFE, 0xFF], [0xFF, 0xFE], [0, 0x5B], [0x5B, 0], [0x5B, 1, 1, 0]] as [[UInt8]] {
            #expect(!Data(bytes).isPlainUTF8)
        }
        for bytes in [[], [0x5B], [0xEF, 0xBB, 0xBF, 0x5B], [0x5B, 1, 1, 1, 0]] as [[UInt8]] {
            #expect(Data(bytes).isPlainUTF8)
        }
    }

    @Test("JSON5 allows anything but brackets, commas, colons and quotation marks where JSON has none")
    func wrongBytes() {
        for character in #"{}[],:""# {
            let document = Data("[1 \(character)".utf8)
            let isWrong = character != "]" && character != ","
            #expect((document.placeOfMalformation != nil) == isWrong, "\(character)")
        }
        for character in "/'+a.I" { #expect(Data("[\(character)".utf8).placeOfMalformation == nil, "\(character)") }
        #expect(Data("[1 2]".utf8).placeOfMalformation == nil)
        #expect(Data("[1,,]".utf8).placeOfMalformation == JSONPlace(of: 3, in: Data("[1,,]".utf8)))
    }
}
