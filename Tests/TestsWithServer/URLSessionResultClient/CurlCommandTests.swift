import Foundation
import Testing
import URLSessionResultClient
import URLSessionResultTesting

@testable import TestSupport

@Suite("A command of curl", .inTurn)
struct CurlCommandTests {
    @Test("A command shows secrets only if it is to")
    func curl() throws {
        let url = try #require(URL(string: "https://user:secret@api.test:8443/a%2Fb?key=secret#x"))
        var request = try URLRequest(url: url, method: .post, json: ["it's": "secret"])
        request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
        #expect(
            request.curlCommand()
                == "curl -X POST 'https://api.test:8443/a%2Fb?…' -H 'Authorization: …' -H 'Content-Type: …' --data-raw '…'"
        )
        #expect(
            request.curlCommand(showingSecrets: true)
                == #"curl -X POST 'https://user:secret@api.test:8443/a%2Fb?key=secret#x' -H 'Authorization: Bearer secret' -H 'Content-Type: application/json' --data-raw '{"it'\''s":"secret"}'"#
        )
    }

    @Test("A command has the whole URL of a relative one")
    func relative() throws {
        let url = try #require(URL(string: "b?key=secret", relativeTo: URL(string: "https://api.test/a/")))
        #expect(URLRequest(url: url).curlCommand() == "curl -X GET 'https://api.test/a/b?…'")
    }

    @Test("A command without a URL has an empty one, and one with a content type keeps that")
    func oddRequests() throws {
        var request = URLRequest(url: URL(fileURLWithPath: "/"), method: .put)
        request.setValue("a/b", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data("c".utf8)
        #expect(
            request.curlCommand(showingSecrets: true)
                == "curl -X PUT file:/// -H 'Content-Type: a/b' --data-raw c")
        request = URLRequest(url: URL(fileURLWithPath: "/"))
        request.url = nil
        #expect(request.curlCommand() == "curl -X GET ''")
    }

    @Test("A command of HEAD waits for no body, and a body that cannot be part of a command makes it fail")
    func oddCommands() throws {
        let url = try #require(URL(string: "https://api.test/a"))
        var head = URLRequest(url: url, method: .head)
        #expect(head.curlCommand() == "curl --head https://api.test/a")
        // curl takes no body with `--head`.
        head.httpBody = Data("text".utf8)
        #expect(head.curlCommand() == "curl --head https://api.test/a --upload-file '(a body of 4 bytes)'")
        var request = URLRequest(url: url, method: .put)
        for body in [Data([0xFF, 0xFE]), Data([65, 0])] {
            request.httpBody = body
            for shows in [true, false] {
                #expect(
                    request.curlCommand(showingSecrets: shows)
                        == "curl -X PUT https://api.test/a --upload-file '(a body of 2 bytes)'")
            }
        }
        request.httpBody = nil
        request.httpBodyStream = InputStream(data: Data())
        #expect(request.curlCommand() == "curl -X PUT https://api.test/a --upload-file '(a body from a stream)'")
    }

    @Test("A header field without a value is one of the command, and what a shell would replace is quoted")
    func oddValues() throws {
        var request = URLRequest(url: try #require(URL(string: "https://api.test/~a")), method: .put)
        request.allHTTPHeaderFields = ["X-Empty": ""]
        for (body, quoted) in [("~", "'~'"), ("=ls", "'=ls'"), ("a=~", "'a=~'"), ("a/b:c%20", "a/b:c%20")] {
            request.httpBody = Data(body.utf8)
            #expect(
                request.curlCommand(showingSecrets: true)
                    == "curl -X PUT 'https://api.test/~a' -H 'X-Empty;' -H Content-Type: --data-raw \(quoted)")
        }
    }

    @Test(
        "A shell reads the command as it is meant",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), "There is no curl."))
    func shell() async throws {
        let server = try LoopbackServer(.ok())
        var request = try URLRequest(
            url: server.url("/a?b=c&d=$HOME"), method: .put, json: ["a": "'\u{313}; it's `x` \"y\" $HOME \\"])
        request.setValue("", forHTTPHeaderField: "X-Empty")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", request.curlCommand(showingSecrets: true) + " --silent --max-time 60"]
        try process.run()
        process.waitUntilExit()
        let sent = try #require(server.requests.first)
        #expect(sent.header("X-Empty") == "")
        #expect(sent.method == "PUT" && sent.body == request.httpBody)
        #expect(sent.target == "/a?b=c&d=$HOME")
    }

    @Test("A field that URLSession would not send cannot write a line")
    func forgedLine() {
        var request = URLRequest(url: URL(fileURLWithPath: "/"), method: .put)
        request.allHTTPHeaderFields = ["X-Key": "1\r\nX-Other: 2"]
        request.httpBody = Data("a\nb".utf8)
        #expect(
            request.curlCommand(showingSecrets: true)
                == #"curl -X PUT file:/// -H 'X-Key: 1\r\nX-Other: 2' -H Content-Type: --data-raw 'a"# + "\nb'")
    }

    @Test(
        "It sends the content type that URLSession sends",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), "There is no curl."),
        arguments: ["POST", "PUT", "PATCH", "DELETE", "GET"], ["text", "", nil])
    func contentType(method: String, body: String?) async throws {
        // URLSession rejects a GET with a body.
        guard method != "GET" || body == nil else { return }
        for type in ["text/plain", nil] {
            let server = try LoopbackServer(.ok())
            var request = URLRequest(url: server.url("/a"))
            request.httpMethod = method
            request.httpBody = body.map { Data($0.utf8) }
            request.setValue(type, forHTTPHeaderField: "Content-Type")
            let session = URLSession(configuration: .forTests)
            #expect(await session.dataResult(for: request).error == nil)
            try run(request.curlCommand(showingSecrets: true) + " --silent --max-time 60")
            let types = server.requests.map { $0.header("Content-Type") }
            #expect(types.count == 2)
            #expect(types.first == types.last)
            #expect(server.requests.map(\.text) == [body ?? "", body ?? ""])
        }
    }

    private func run(_ command: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        try process.run()
        process.waitUntilExit()
    }

    @Test("Ten times as many quotation marks take about ten times as long")
    func cost() throws {
        func seconds(for count: Int) -> TimeInterval {
            var request = URLRequest(url: URL(fileURLWithPath: "/"), method: .post)
            request.httpBody = Data(String(repeating: "'", count: count).utf8)
            let start = processorTime()
            #expect(request.curlCommand(showingSecrets: true).utf8.count > 4 * count)
            return processorTime() - start
        }
        // It was quadratic: a hundred times as long, and more.
        #expect(seconds(for: 200_000) < 20 * seconds(for: 20_000) + 0.05)
    }

    /// In seconds, of this thread. Other threads of a busy machine do not count.
    private func processorTime() -> TimeInterval {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1_000_000_000
    }
}
