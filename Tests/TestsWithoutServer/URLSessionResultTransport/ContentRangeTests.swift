import Foundation
import Testing
import URLSessionResult

@testable import URLSessionResultTransport

/// What RFC 9110 says about the part of a file that a response has.
struct ContentRangeTests {
    @Test(
        "The range is read as section 14.4 has it, with the unit in any case",
        arguments: [
            ("bytes 100-199/5000", 100, 199, 5_000), ("Bytes 0-0/1", 0, 0, 1), ("bytes 100-199/*", 100, 199, nil),
            ("BYTES 0-9223372036854775806/9223372036854775807", 0, .max - 1, .max),
        ] as [(String, Int64, Int64, Int64?)])
    func valid(field: String, first: Int64, last: Int64, total: Int64?) throws {
        let range = try #require(ContentRange(field))
        #expect(range.first == first)
        #expect(range.last == last)
        #expect(range.total == total)
    }

    @Test(
        "A range that must not be joined with other bytes is none",
        arguments: [
            // Another unit, or none (section 15.3.7.3).
            "items 100-199/5000", "bytes=100-199/5000", "100-199/5000", "",
            // Nothing that was asked for.
            "bytes */5000",
            // It ends before its beginning, or after the file.
            "bytes 199-100/5000", "bytes 100-199/199", "bytes 0-0/0",
            // No number, or one that no file has.
            "bytes +100-199/5000", "bytes 100-x-199/5000", "bytes -199/5000", "bytes 100-/5000", "bytes 100/5000",
            "bytes 100-199/", "bytes 100-199", "bytes 100-199/x", "bytes 100-199//5000",
            "bytes 100-199/9223372036854775808",
            // Spaces.
            "bytes  100-199/5000", "bytes 100 - 199/5000", "bytes 100-199 / 5000",
        ])
    func invalid(field: String) {
        #expect(ContentRange(field) == nil)
    }

    @Test(
        "A strong entity tag is one that section 8.8.3 has, without the mark of a weak one",
        arguments: [
            (#""1""#, true), (#""""#, true), (#""a!~W/""#, true), (#"W/"1""#, false), (#"w/"1""#, false), ("1", false),
            ("", false),
            ("\"", false), (#"1""#, false), (#""1"#, false), (#""a"b""#, false), (#""a b""#, false), (#""é""#, false),
            ("\"a\u{7F}\"", false), ("\"a\u{7E}\"", true),
        ])
    func entityTag(tag: String, isStrong: Bool) {
        #expect(tag.isStrongEntityTag == isStrong)
    }

    @Test("The rest of a file is asked for as it is, and only if it has the same tag")
    func rest() throws {
        var request = URLRequest(url: try #require(URL(string: "http://here.test/")))
        request.requestRest(from: 100, of: #""1""#)
        #expect(
            request.allHTTPHeaderFields
                == ["Range": "bytes=100-", "If-Range": #""1""#, "Accept-Encoding": "identity"])
    }
}
