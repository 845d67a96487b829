import Foundation
import Testing

@testable import ExampleServer

@Suite("JSON")
struct JSONTests {
    @Test(
        "A value is written as it was read, and the members of an object in the order of their names",
        arguments: [
            (#"{"z": 1, "a": {"y": 2.5, "b": -1e3}}"#, #"{"a":{"b":-1000,"y":2.5},"z":1}"#),
            ("[true, false, null, [], {}]", "[true,false,null,[],{}]"),
            (#""a\"b\\c\nd / Ágætis 🎵""#, #""a\"b\\c\nd / Ágætis 🎵""#),
            (#"{"id":12345678901234567890}"#, #"{"id":12345678901234567890}"#),
        ]
    )
    func roundTrip(text: String, written: String) throws {
        let json = try JSON(parsing: Data(text.utf8))
        #expect(String(decoding: try json.serialized, as: UTF8.self) == written)
    }

    @Test(
        "Text that is not JSON is an error",
        arguments: ["", "{", #"{"a" 1}"#, "01", "nul", #""a"#, String(repeating: "[", count: 100_000)]
    )
    func malformed(text: String) {
        #expect(throws: DecodingError.self) { try JSON(parsing: Data(text.utf8)) }
    }

    @Test("Setting a member adds or replaces it, null removes it, and an object without members is null")
    func members() throws {
        var json = JSON.null
        json["a"] = 1
        json["b"] = 2
        json["a"] = 3
        #expect(json == ["a": 3, "b": 2])
        json["a"] = .null
        json["b"] = .null
        #expect(json == .null)
    }
}
