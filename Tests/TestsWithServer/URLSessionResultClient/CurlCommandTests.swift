import Foundation
import Testing
import URLSessionResultClient
import URLSessionResultTesting

@testable import TestSupport

@Suite(.inTurn)
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
        process.arguments = ["-c", request.curlCommand(showingSecrets: true) + " --silent --max-time 600"]
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
            try run(request.curlCommand(showingSecrets: true) + " --silent --max-time 600")
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

    private func bodies(in folder: TemporaryFolder) -> [RequestBody] {
        let file = folder.file("it's \"a\";type=b,c.txt", Data((0..<3_000).map { UInt8($0 % 256) }))
        return [
            .file(file, contentType: "a/b"),
            .file(folder.file("empty", Data()), contentType: "a/b"),
            .multipart([.field("a", value: "b")]),
            .multipart([
                .field("tags", value: ["@x", "<y", "", "it's \"z\" \\ ; type=a/b, c\r\né"]),
                .field("left out", value: nil),
                .data(
                    "text", Data("\"@q\" \\;".utf8), fileName: "a\"b;c\\d.txt", contentType: "text/plain; charset=utf-8"
                ),
                .data("text", Data("no type".utf8), fileName: "n", contentType: nil),
                .data("text", Data("no name".utf8), contentType: "text/plain"),
                .file("file \"one\";x", file), .file("two", file, fileName: "é;.png", contentType: "image/png"),
            ]),
        ]
    }

    @Test(
        "A command of a file or a form sends the same, except for the boundary",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), "There is no curl."),
        arguments: [HTTPMethod.post, .put])
    func uploads(method: HTTPMethod) async throws {
        let folder = TemporaryFolder()
        defer { folder.remove() }
        for body in bodies(in: folder) {
            let server = try LoopbackServer(.ok())
            let lines = Monitor<[String]>([])
            let client = APIClient(
                baseURL: server.url(), session: URLSession(configuration: .forTests),
                middleware: [RequestLog(showingSecrets: true) { line in lines.withLock { $0.append(line) } }])
            #expect(await client.result(for: Endpoint(method, "a", body: body)).error == nil)
            let line = try #require(lines.value.first)
            try run(line.drop { $0 != " " } + " --silent --max-time 600")
            #expect(server.requests.count == 2)
            let requests = server.requests.map(RequestWithoutBoundary.init)
            // Not both in the message: a file is long.
            let isEqual = requests.first == requests.last
            #expect(isEqual, "\(requests.map { String(decoding: $0.body, as: UTF8.self).prefix(2_000) })")
        }
    }

    private struct RequestWithoutBoundary: Equatable {
        let method: String
        let target: String
        let contentType: String?
        let body: [UInt8]

        init(_ request: LoopbackServer.Request) {
            method = request.method
            target = request.target
            let type = request.header("Content-Type")
            guard let boundary = type?.components(separatedBy: "boundary=").dropFirst().first else {
                contentType = type
                body = Array(request.body)
                return
            }
            contentType = type?.replacingOccurrences(of: boundary, with: "")
            var rest = request.body[...]
            var bytes: [UInt8] = []
            while let range = rest.range(of: Data(boundary.utf8)) {
                bytes += rest[..<range.lowerBound]
                rest = rest[range.upperBound...]
            }
            body = bytes + rest
        }
    }

    @Test("A command of a request for a form, without its client, names a form that there is not")
    func unknownForm() throws {
        let client = APIClient(baseURL: try #require(URL(string: "http://localhost")))
        let request = try client.request(
            for: Endpoint<Data>(.put, "a", body: .multipart([.field("a", value: "b")]), decoder: .data))
        #expect(request.curlCommand().hasSuffix(" --upload-file '(a form)'"))
    }

    private static let unwritable: [(MultipartForm, HTTPMethod)] = [
        ([], .post),
        ([.field("a=b", value: "c")], .post),
        ([.data("a", Data([0xFF]))], .post),
        ([.file("a", URL(fileURLWithPath: #filePath), contentType: nil)], .post),
        ([.data("a", Data("b".utf8), contentType: "no type")], .post),
        ([.field("a", value: "b")], .head),
    ]

    @Test(
        "A command of a form that curl cannot write, or of a HEAD, sends nothing",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), "There is no curl."),
        arguments: unwritable.indices)
    func unwritableForms(index: Int) async throws {
        let (form, method) = Self.unwritable[index]
        let server = try LoopbackServer(.ok())
        let line = try await loggedLine(of: .multipart(form), method, server, showingSecrets: true)
        #expect(line.hasSuffix(" --upload-file '(a form)'"))
        try run(line.drop { $0 != " " } + " --silent --max-time 600")
        #expect(server.requests.count == 1)
    }

    /// What a log writes of a request that is sent.
    private func loggedLine(
        of body: RequestBody, _ method: HTTPMethod, _ server: LoopbackServer, showingSecrets showsSecrets: Bool
    ) async throws -> String {
        let line = Monitor("")
        let client = APIClient(
            baseURL: server.url(), session: URLSession(configuration: .forTests),
            middleware: [
                RequestAdapter { request in
                    let command = request.curlCommand(showingSecrets: showsSecrets)
                    line.withLock { $0 = "0000 \(command)" }
                }
            ])
        #expect(await client.result(for: Endpoint(method, "a", body: body)).error == nil)
        return line.value
    }

    @Test("A command of a file or a form shows neither content nor names, unless it is to")
    func secretUploads() async throws {
        let server = try LoopbackServer(.ok())
        let folder = TemporaryFolder()
        defer { folder.remove() }
        let secret = folder.file("secret", Data("secret".utf8))
        let file = try await loggedLine(of: .file(secret, contentType: "a/b"), .put, server, showingSecrets: false)
        #expect(file.hasSuffix("-H 'Content-Type: …' --data-binary '@…'"))
        let form = try await loggedLine(
            of: .multipart([.field("secret", value: "secret"), .file("b", secret)]), .post, server,
            showingSecrets: false)
        #expect(form == "0000 curl -X POST \(server.url("/a")) -F '…' -F '…'")
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
        #expect(seconds(for: 200_000) < 40 * seconds(for: 20_000) + 0.05)
    }

    /// In seconds, of this thread. Other threads of a busy machine do not count.
    private func processorTime() -> TimeInterval {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1_000_000_000
    }
}
