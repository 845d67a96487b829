import Foundation
import Testing

@testable import URLSessionResult
@testable import TestSupport

/// How server-sent events are read.
struct EventParserTests {
    /// What the tests of the browsers check (web-platform-tests, `eventsource`). Each body ends as it is written here.
    @Test(
        "Events are those that browsers read",
        arguments: [
            // Byte order marks
            ("\u{FEFF}data:1\n\n\u{FEFF}data:2\n\ndata:3\n\n", [("message", "1"), ("message", "3")]),
            ("\u{FEFF}\u{FEFF}data:1\n\ndata:2\n\ndata:3\n\n", [("message", "2"), ("message", "3")]),
            // Comments
            (
                "data:1\r:\0\n:\r\ndata:2\n:\(long)\rdata:3\n:data:fail\r:\(long)\ndata:4\n\n",
                [("message", "1\n2\n3\n4")]
            ),
            // Data
            ("data:\n\ndata\ndata\n\ndata:test\n\n", [("message", ""), ("message", "\n"), ("message", "test")]),
            (
                "data: msg\ndata: msg\n\n:\nfalsefield:msg\n\nData:data\n\ndata\n\ndata:end\n\n",
                [("message", "msg\nmsg"), ("message", ""), ("message", "end")]
            ),
            ("data:test\r\ndata\ndata:test\r\n\r", [("message", "test\n\ntest")]),
            ("data:\ttest\rdata: \ndata:test\n\n", [("message", "\ttest\n\ntest")]),
            ("data:\0\n\n", [("message", "\0")]),
            ("data:ok…\n\n", [("message", "ok…")]),
            // Types
            ("event:test\ndata:x\n\ndata:x\n\n", [("test", "x"), ("message", "x")]),
            ("event: \ndata:data\n\n", [("message", "data")]),
            ("event:test\n\ndata:x\n\n", [("message", "x")]),
            // Unknown fields
            (
                "data:test\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacommentyay\ndata:test\n\n",
                [("message", "test\n\ntest")]
            ),
            (
                "data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\ndata:4\n\n",
                [("message", "\0\n 2\n1\n3\n\n4")]
            ),
            // Empty and bogus times
            ("retry\ndata:test\n\n", [("message", "test")]),
            ("retry:2000\nretry:1000x\ndata:x\n\n", [("message", "x")]),
            // Without an end
            ("data:test1\n\nid:test\ndata:test2", [("message", "test1")]),
            ("data:test1\n\ndata:test2\n", [("message", "test1")]),
            ("", []), ("\n\n\n", []), (":\n\n", []),
        ] as [(String, [(String, String)])])
    func browsers(body: String, expected: [(name: String, data: String)]) {
        let bytes = Array(body.utf8)
        let events = EventReference.parsed(bytes, inPiecesOf: [])
        #expect(events.map(\.name) == expected.map(\.name))
        #expect(events.map { Array($0.data.utf8) } == expected.map { Array($0.data.utf8) })
        // A piece may begin and end anywhere.
        for first in 0...min(bytes.count, 200) {
            #expect(EventReference.parsed(bytes, inPiecesOf: [first]) == events, "split at \(first)")
        }
        #expect(EventReference.parsed(bytes, inPiecesOf: bytes.map { _ in 1 }) == events, "a byte at a time")
        #expect(EventReference.events(of: bytes) == events, "the reference")
    }

    private static let long = String(repeating: "x", count: 2 * 1024)

    @Test(
        "The last event ID persists until another one comes, and one with NUL is none",
        arguments: [
            ("id: 1\ndata: a\n\ndata: b\n\n", ["1", "1"]),
            ("id: 1\ndata: a\n\nid: 2\ndata: b\n\ndata: c\n\n", ["1", "2", "2"]),
            ("id: 1\ndata: a\n\nid:\ndata: b\n\ndata: c\n\n", ["1", "", ""]),
            ("id: 1\ndata: a\n\nid\ndata: b\n\n", ["1", ""]),
            ("id: \0\0\ndata: a\n\ndata: b\n\n", ["", ""]),
            ("id: 1\nid: 2\0\ndata: a\n\n", ["1"]),
            ("id: 1\n\ndata: a\n\n", ["1"]),
            ("id: …\ndata: hello\n\n", ["…"]),
            ("data: a\nid: after\n\n", ["after"]),
        ])
    func id(body: String, expected: [String]) {
        #expect(EventReference.parsed(Array(body.utf8), inPiecesOf: []).map(\.id) == expected)
    }

    @Test(
        "A time to reconnect has digits alone, and comes with the next event, and only with that",
        arguments: [
            ("retry: 1000\ndata: a\n\ndata: b\n\n", [1000, nil]), ("retry: 1000\n\ndata: a\n\n", [1000]),
            ("data: a\nretry:0\n\n", [0]), ("retry: 1000\nretry: 2000\ndata: a\n\n", [2000]),
            ("retry: 2000\nretry: 1000x\ndata: a\n\n", [2000]), ("retry: -1\ndata: a\n\n", [nil]),
            ("retry: +1\ndata: a\n\n", [nil]), ("retry: 1.5\ndata: a\n\n", [nil]), ("retry:  1\ndata: a\n\n", [nil]),
            ("retry: 1 \ndata: a\n\n", [nil]), ("retry: ١\ndata: a\n\n", [nil]), ("retry\ndata: a\n\n", [nil]),
            ("retry: \ndata: a\n\n", [nil]), ("retry: 9223372036854775808\ndata: a\n\n", [nil]),
            ("retry: 007\ndata: a\n\n", [7]), ("retry: 1234567890\ndata: a\n\n", [1_234_567_890]),
        ] as [(String, [Int?])])
    func retry(body: String, expected: [Int?]) {
        #expect(EventReference.parsed(Array(body.utf8), inPiecesOf: []).map(\.retry) == expected)
    }

    @Test(
        "A line is one of an event stream if it is a comment, or a known field with a colon",
        arguments: [
            ("data: a", true), (": a", true), (":", true), ("\u{FEFF}id:1", true), ("data", false), ("a: b", false),
            ("<html>", false), ("", false),
        ])
    func recognition(line: String, isRecognized: Bool) {
        #expect(EventParser.recognizes(Array(line.utf8)[...]) == isRecognized)
    }

    @Test("A colon and a space are what they are, whatever character combines with them")
    func combiningCharacters() {
        let body = Array("data:\u{301}a\ndata: \u{301}b\ndata\u{301}:c\n\n".utf8)
        let event = EventReference.parsed(body, inPiecesOf: []).first
        #expect(event.map { Array($0.data.unicodeScalars) } == Array("\u{301}a\n\u{301}b".unicodeScalars))
    }

    @Test("Reading piece by piece agrees with reading the whole", arguments: 0..<8)
    func differential(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let body = (0..<Int.random(in: 0...12, using: &generator)).flatMap { _ in
                Self.words.randomElement(using: &generator) ?? []
            }
            let sizes = (0..<10).map { _ in Int.random(in: 0...8, using: &generator) }
            #expect(EventReference.disagreement(on: body, inPiecesOf: sizes) == nil)
        }
    }

    /// What events are made of, and what comes near it.
    private static let words: [[UInt8]] =
        [
            "\n", "\n", "\r", "\r\n", "\n\n", ":", ": ", " ", "data", "data:", "data: x", "id", "id: 1", "event: e",
            "retry: 3",
        ]
        .map { Array($0.utf8) } + ["\u{FEFF}", "\u{301}", "\0", "ü€😀"].map { Array($0.utf8) } + [
            [0xC0], [0xE2], [0xFF],
        ]
}
