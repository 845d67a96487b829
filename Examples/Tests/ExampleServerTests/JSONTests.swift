import Foundation
import Testing

@testable import ExampleServer

@Suite("JSON")
struct JSONTests {
    @Test(
        "Well-formed text is printed as it was read, members in their order and numbers as they were spelled",
        arguments: [
            #"{"z":1,"a":{"y":2.50,"b":-1e3},"m":[true,false,null]}"#, "[]", "{}", "0", #""a\"b\\c\nd""#,
            #"{"id":12345678901234567890}"#, #""Ágætis 🎵""#, "null",
        ]
    )
    func roundTrip(text: String) throws {
        #expect(try JSON(parsing: Data(text.utf8)).description == text)
    }

    @Test(
        "Malformed text is refused",
        arguments: [
            "", " ", "{", "}", "[1,]", #"{"a":1,}"#, #"{"a" 1}"#, "{a:1}", "01", "1.", "+1", "NaN", "nul", "truefalse",
            "1 2",
            #""a"#, #""\x""#, #""\uD800""#, "\"\u{1}\"", "'a'", "[1}", #"{"a":}"#, "[,1]", "\u{FEFF}{}",
        ]
    )
    func malformed(text: String) {
        #expect(throws: JSONSyntaxError.self) { try JSON(parsing: Data(text.utf8)) }
    }

    @Test("Bytes that are not UTF-8 are refused")
    func invalidUTF8() {
        #expect(throws: JSONSyntaxError.self) { try JSON(parsing: Data([0x22, 0xFF, 0x22])) }
    }

    @Test("Text may nest 32 deep and no deeper", arguments: [(32, true), (33, false), (100_000, false)])
    func nesting(depth: Int, isAccepted: Bool) {
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let json = try? JSON(parsing: Data(text.utf8))
        #expect((json != nil) == isAccepted)
    }

    @Test("Setting a member keeps its place, a new one comes last, null removes it")
    func members() throws {
        var json = try JSON(parsing: Data(#"{"b":1,"a":2}"#.utf8))
        json["b"] = 3
        json["c"] = 4
        #expect(json.description == #"{"b":3,"a":2,"c":4}"#)
        json["a"] = .null
        #expect(json.description == #"{"b":3,"c":4}"#)
    }
}
