#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResultTransport

/// Heads of responses, line by line.
struct ResponseHeadTests {
    private let url = URL(fileURLWithPath: "/")

    /// - Returns: The head and what became of its last line, or of the first one that is malformed.
    private func head(_ lines: [[UInt8]]) -> (ResponseHead, ResponseHead.Line) {
        var head = ResponseHead()
        var latest = ResponseHead.Line.more
        for line in lines {
            latest = line.withUnsafeBytes { head.add($0) }
            if case .malformed = latest { break }
        }
        return (head, latest)
    }

    private func head(_ text: String) -> (ResponseHead, ResponseHead.Line) {
        // As bytes: CR and LF are one character.
        head(
            text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast().map {
                $0 + [0x0A]
            })
    }

    @Test(
        "A field is found by its name, in any capitalization",
        arguments: [
            ("X-Name: a\r\n", "a"), ("X-Name:a\r\n", "a"), ("X-Name: \t a \t\r\n", "a"), ("X-Name:\r\n", ""),
            ("X-Name: a\n", "a"), ("X-Name: a\r\nx-name: b\r\n", "a, b"), ("x-name: a\r\nX-NAME: b\r\n", "a, b"),
            ("X-Name: a\r\n folded\r\n\tagain\r\n", "a folded again"), ("X-Name: grüße\r\n", "grüße"),
        ])
    func fields(lines: String, value: String) throws {
        let (head, latest) = head("HTTP/1.1 200 OK\r\n\(lines)\r\n")
        #expect(latest == .complete)
        let response = try #require(head.response(from: url))
        #expect(response.value(forHTTPHeaderField: "x-name") == value)
        #expect(response.allHeaderFields.count == 1)
    }

    @Test("Bytes that are not UTF-8 are Latin-1")
    func latin1() throws {
        let field = Array("X-Name: caf".utf8) + [0xE9] + Array("\r\n".utf8)
        let (head, latest) = head([Array("HTTP/1.1 200 ".utf8) + [0xFC, 0x0A], field, Array("\r\n".utf8)])
        #expect(latest == .complete)
        #expect(head.response(from: url)?.value(forHTTPHeaderField: "X-Name") == "café")
    }

    @Test(
        "A status line may be without its reason",
        arguments: [
            "HTTP/1.1 404 Not Found\r\n", "HTTP/1.1 404\r\n", "HTTP/1.1 404 \r\n", "HTTP/2 404 \r\n", "HTTP/1.0 404\n",
        ])
    func statusLines(line: String) {
        let (head, latest) = head(line + "\r\n")
        #expect(latest == .complete)
        #expect(head.statusCode == 404)
    }

    @Test(
        "What is no head is malformed",
        arguments: [
            "HTTP/1.1\r\n", "HTTP/1.1 abc No\r\n", "HTTP/1.1 99 No\r\n", "HTTP/1.1 1000 No\r\n", "\r\n",
            "HTTP/1.1 200 OK\r\n folded\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n", "HTTP/1.1 200 OK\r\n: value\r\n",
            "HTTP/1.1 200 OK\r\nX-Name : a\r\n", "HTTP/1.1 200 OK\r\ngrüße: a\r\n",
        ])
    func malformed(text: String) {
        #expect(head(text).1 == .malformed)
    }

    @Test(
        "A field that takes HTTPURLResponse long to look at is malformed",
        arguments: ["Content-Type", "CONTENT-DISPOSITION"])
    func longFields(name: String) {
        for (length, isRight) in [(8192, true), (8193, false)] {
            let value = String(repeating: "a", count: length)
            #expect((head("HTTP/1.1 200 OK\r\n\(name): \(value)\r\n\r\n").1 == .complete) == isRight)
            #expect(head("HTTP/1.1 200 OK\r\nX-\(name): \(value)\r\n\r\n").1 == .complete)
        }
    }

    @Test("A line that is cut off is malformed")
    func cutOff() {
        #expect(head([Array("HTTP/1.1 200 OK\r\n".utf8), Array("X-Name: a".utf8)]).1 == .malformed)
    }

    @Test("A head that is cut within the end of a line is not complete", arguments: ["\r", "X-Name: a\r"])
    func cutWithinEnd(line: String) {
        let (head, latest) = head([Array("HTTP/1.1 200 OK\r\n".utf8), Array(line.utf8)])
        #expect(latest == .more)
        #expect(!head.isComplete)
    }

    @Test("Heads before the final one are dropped, and lines behind it are none of its fields")
    func interim() throws {
        let (head, latest) = head(
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nX-Name: a\r\n\r\nX-Sum: 1\r\n")
        #expect(latest == .ignored)
        #expect(head.response(from: url)?.allHeaderFields as? [String: String] == ["X-Name": "a"])
    }

    @Test("Fields of cookies are kept apart")
    func cookies() throws {
        let (head, _) = head(
            "HTTP/1.1 200 OK\r\nSet-Cookie: a=b, c=d\r\nX-Name: x\r\nset-cookie: e=f;\r\n Path=/\r\n\r\n")
        #expect(head.cookies == ["a=b, c=d", "e=f; Path=/"])
        #expect(
            head.response(from: url)?.value(forHTTPHeaderField: "Set-Cookie") == "a=b, c=d, e=f; Path=/")
    }
}

#endif
