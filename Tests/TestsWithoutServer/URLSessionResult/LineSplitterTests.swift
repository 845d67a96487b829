import Foundation
import Testing

@testable import URLSessionResult
@testable import URLSessionResultTransport
@testable import TestSupport

/// How a body is split into lines.
struct LineSplitterTests {
    /// Splits a body that arrives in these pieces.
    private func lines(_ pieces: [some Sequence<UInt8>]) -> [String] {
        var splitter = LineSplitter()
        var lines: [String] = []
        for piece in pieces {
            splitter.append(Data(piece))
            while let line = splitter.next() { lines.append(String(decoding: line, as: UTF8.self)) }
        }
        if let last = splitter.finish() { lines.append(String(decoding: last, as: UTF8.self)) }
        return lines
    }

    @Test(
        "LF, CRLF and CR end a line, and empty lines are kept",
        arguments: [
            ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\r\n", ["a"]), ("a\r", ["a"]), ("\n", [""]), ("\r\n", [""]),
            ("\r", [""]), ("a\nb", ["a", "b"]), ("a\r\nb", ["a", "b"]), ("a\rb", ["a", "b"]), ("\n\n", ["", ""]),
            ("\r\n\r\n", ["", ""]), ("\r\r", ["", ""]), ("\n\r", ["", ""]), ("\r\n\n", ["", ""]), ("\r\r\n", ["", ""]),
            ("a\n\nb\n", ["a", "", "b"]), ("data: x\r\n\r\ndata: y", ["data: x", "", "data: y"]),
            ("a\rb\nc\r\nd\n", ["a", "b", "c", "d"]),
        ])
    func ends(body: String, expected: [String]) {
        #expect(lines([body.utf8]) == expected)
    }

    @Test(
        "Other characters that Unicode calls line ends do not end a line",
        arguments: ["a\u{2028}b", "a\u{2029}b", "a\u{85}b", "a\u{B}b", "a\u{C}b", "a\0b"])
    func otherEnds(body: String) {
        #expect(lines([body.utf8]) == [body])
    }

    @Test(
        "Where the pieces begin and end changes nothing",
        arguments: ["a\r\nb\r\r\n\nü€😀\r\n\r\n", "\r\n\r\n\r\n", "\r\r\n\n\r", "ü\n€\r😀\r\n", "one\ntwo\r\nthree"])
    func pieces(body: String) {
        let bytes = Array(body.utf8)
        let expected = lines([bytes])
        for first in 0...bytes.count {
            for second in first...bytes.count {
                let pieces = [bytes[..<first], bytes[first..<second], bytes[second...]]
                #expect(lines(pieces) == expected, "split at \(first) and \(second)")
            }
        }
        #expect(lines(bytes.map { [$0] }) == expected, "a byte at a time")
    }

    @Test("Before the first piece, and after the last line of one, there is none")
    func noLine() {
        var splitter = LineSplitter()
        #expect(splitter.next() == nil)
        splitter.append(Data("a\n".utf8))
        #expect(splitter.next() == ArraySlice("a".utf8))
        for _ in 0..<2 { #expect(splitter.next() == nil) }
        #expect(splitter.finish() == nil)
    }

    @Test("A line is there before the byte after its end")
    func promptness() {
        for end in ["\n", "\r", "\r\n"] {
            var splitter = LineSplitter()
            splitter.append(Data("event\(end)".utf8))
            #expect(splitter.next() == ArraySlice("event".utf8))
        }
    }

    /// It was quadratic. The bound is far from both: the ratio is about 1, and was more than 10.
    @Test("Lines that end with CR cost about what lines that end with LF cost", arguments: ["", "a", "data: x"])
    func cost(line: String) {
        func seconds(for end: String) -> TimeInterval {
            let body = Data(String(repeating: line + end, count: (1 << 19) / (line.utf8.count + 1)).utf8)
            let start = processorTime()
            var splitter = LineSplitter()
            splitter.append(body)
            while splitter.next() != nil {}
            return processorTime() - start
        }
        #expect(seconds(for: "\r") < 5 * seconds(for: "\n") + 0.05)
    }

    /// In seconds, of this thread. Other threads of a busy machine do not count.
    private func processorTime() -> TimeInterval {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1_000_000_000
    }

    @Test("Bytes that are not UTF-8 become replacement characters, also where a piece ends")
    func invalidUTF8() {
        let body: [UInt8] = [0x61, 0xE2, 0x82, 0x0A, 0xFF, 0x0D, 0xF0, 0x9F]
        for split in 0...body.count {
            #expect(lines([body[..<split], body[split...]]) == ["a\u{FFFD}", "\u{FFFD}", "\u{FFFD}"])
        }
    }

    @Test("Splitting piece by piece agrees with splitting the whole", arguments: 0..<8)
    func differential(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let body = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                Self.oddBytes.randomElement(using: &generator) ?? 0
            }
            let sizes = (0..<10).map { _ in Int.random(in: 0...8, using: &generator) }
            #expect(LineReference.disagreement(on: body, inPiecesOf: sizes) == nil)
        }
    }

    /// Line ends, characters of one to four bytes, and bytes that are not UTF-8.
    private static let oddBytes: [UInt8] = Array("\r\r\n\na ü€😀\u{2028}\u{FEFF}".utf8) + [0, 0xC0, 0xE2, 0xFF]
}
