import Foundation
import Testing
import URLSessionResultClient

@testable import TestSupport

@Suite("A multipart form", .inTurn)
struct MultipartFormTests {
    private let folder = TemporaryFolder()

    @Test("It has every part, with its file whole, and reports how far it is sent", arguments: [true, false])
    func form(isInMemory: Bool) async throws {
        let server = try LoopbackServer(.ok("done"))
        let file = folder.file("a\"\r\nb.png", Data(repeating: 7, count: 3 << 20))
        let form: MultipartForm = [
            .field("title", value: "Blue\r\n"), .data("json", Data("{}".utf8), contentType: "application/json"),
            .file("cover", file, contentType: "image/png\r\nX: 1"),
        ]
        let client = APIClient(baseURL: server.url(), session: URLSession(configuration: .forTests))
        let reports = Monitor<[TransferProgress]>([])
        let endpoint = Endpoint(.post, "covers", body: .multipart(form), decoder: .string())
        if isInMemory {
            #expect(try await client.bytesResult(for: endpoint).collected().get() == Data("done".utf8))
        } else {
            let result = await client.result(for: endpoint) { report in reports.withLock { $0.append(report) } }
            #expect(try result.get() == "done")
        }
        let request = try #require(server.requests.first)
        let type = try #require(request.header("Content-Type"))
        let boundary = try #require(type.components(separatedBy: "boundary=").last)
        var expected = Data(
            ("--\(boundary)\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nBlue\r\n\r\n--\(boundary)\r\n"
                + "Content-Disposition: form-data; name=\"json\"\r\nContent-Type: application/json\r\n\r\n{}\r\n"
                + "--\(boundary)\r\n"
                + "Content-Disposition: form-data; name=\"cover\"; filename=\"a%22%0D%0Ab.png\"\r\n"
                + "Content-Type: image/png%0D%0AX: 1\r\n\r\n").utf8)
        expected += Data(repeating: 7, count: 3 << 20)
        expected += Data("\r\n--\(boundary)--\r\n".utf8)
        #expect(request.body == expected)
        let whole = Int64(expected.count)
        #expect(isInMemory || reports.value.last == TransferProgress(completedBytes: whole, totalBytes: whole))
    }

    @Test("A quotation mark is escaped, also before a combining mark, with which it is one character")
    func combiningMark() async throws {
        let server = try LoopbackServer(.ok())
        let form: MultipartForm = [.data("\"\u{313}", Data(), fileName: "\"\u{313}; x=\"", contentType: "a/b")]
        let session = URLSession(configuration: .forTests)
        let request = URLRequest(url: server.url(), method: .post)
        try await session.uploadResult(for: request, form: form, decoder: .ignored).get()
        let names = "name=\"%22\u{313}\"; filename=\"%22\u{313}; x=%22\"\r\n"
        #expect(server.requests.first?.body.range(of: Data(names.utf8)) != nil)
    }

    @Test("A part that does not say so is a stream of bytes, and a file has its own name")
    func defaults() async throws {
        let server = try LoopbackServer(.ok())
        let form: MultipartForm = [.data("a", Data()), .file("b", folder.file("c", Data()))]
        let request = URLRequest(url: server.url(), method: .post)
        try await URLSession(configuration: .forTests).uploadResult(for: request, form: form, decoder: .ignored).get()
        let body = try #require(server.requests.first).body
        let heads = String(decoding: body, as: UTF8.self).components(separatedBy: "\r\n").filter {
            $0.hasPrefix("Content-")
        }
        let type = "Content-Type: application/octet-stream"
        let disposition = "Content-Disposition: form-data; name="
        #expect(heads == ["\(disposition)\"a\"", type, "\(disposition)\"b\"; filename=\"c\"", type])
    }

    @Test("The body of an error response is decoded, if it is what is expected")
    func errorBody() async throws {
        let server = try LoopbackServer(.status(400, #"{"error": {"message": "No."}}"#))
        let client = APIClient(baseURL: server.url(), session: URLSession(configuration: .forTests))
        let error = try #require(await client.result(for: Endpoint(.get, "")).error)
        #expect(error.body(with: .json(String.self, at: "error.message")) == "No.")
        #expect(error.body(with: .json(Int.self)) == nil)
        #expect(NetworkError.noData.body(with: .data) == nil)
    }

    @Test("A form that is cancelled is not read to its end", arguments: [true, false])
    func cancelled(isInMemory: Bool) async throws {
        let server = try LoopbackServer(.ok())
        let client = APIClient(baseURL: server.url(), session: URLSession(configuration: .forTests))
        // Whoever reads on finds that the second file is missing.
        let form: MultipartForm = [
            .file("a", folder.file("long", Data(count: 3 << 20))), .file("b", folder.file("missing")),
        ]
        let endpoint = Endpoint(.post, "", body: .multipart(form))
        let sending = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return isInMemory ? await client.bytesResult(for: endpoint).error : await client.result(for: endpoint).error
        }
        #expect(await sending.value?.isCancelled == true)
        #expect(server.requests.isEmpty)
    }

    @Test("A file that is missing is an error, and nothing is sent", arguments: [true, false])
    func missing(isMultipart: Bool) async throws {
        let server = try LoopbackServer(.ok())
        let client = APIClient(baseURL: server.url(), session: URLSession(configuration: .forTests))
        let file = folder.file("missing")
        let body: RequestBody =
            isMultipart ? .multipart([.file("a", file, contentType: "a/b")]) : .file(file, contentType: "a/b")
        let endpoint = Endpoint(.post, "", body: body)
        #expect(await client.result(for: endpoint).error?.underlyingError is CocoaError)
        #expect(await client.bytesResult(for: endpoint).error?.underlyingError is CocoaError)
        #expect(server.requests.isEmpty)
    }
}

@Suite("A redirect of a client", .inTurn)
struct ClientRedirectTests {
    /// Notes the redirects, and may refuse them.
    private final class Witness: NSObject, URLSessionTaskDelegate {
        let follows: Bool
        let asked = Monitor<[String?]>([])

        init(follows: Bool) { self.follows = follows }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            asked.withLock { $0.append(request.value(forHTTPHeaderField: "X-Key")) }
            completionHandler(follows ? request : nil)
        }
    }

    @Test(
        "It keeps secret header fields within the origin, and asks the session's delegate once",
        arguments: [true, false], [true, false, nil])
    func redirect(isSameOrigin: Bool, follows: Bool?) async throws {
        let other = try LoopbackServer(.ok("done"))
        let next = isSameOrigin ? "/next" : other.url("/next").absoluteString
        let server = try LoopbackServer(["/a": .redirect(to: next), "/next": .ok("done")])
        let witness = follows.map { Witness(follows: $0) }
        let session = URLSession(configuration: .forTests, delegate: witness, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let client = APIClient(
            baseURL: server.url(), session: session, headers: ["X-Key": "secret", "Accept": "a/b", "User-Agent": "x"],
            middleware: [TokenAuthentication("secret", for: server.url())])
        let result = await client.result(for: Endpoint(.get, "a", headers: ["X-Own": "secret"], decoder: .string()))
        #expect(witness == nil || witness?.asked.value == [isSameOrigin ? "secret" : nil])
        guard follows != false else { return #expect(result.error?.statusCode == 302) }
        #expect(try result.get() == "done")
        let last = try #require((isSameOrigin ? server : other).requests.last)
        for name in ["X-Key", "X-Own"] { #expect(last.header(name) == (isSameOrigin ? "secret" : nil)) }
        #expect(last.header("Authorization") == (isSameOrigin ? "Bearer secret" : nil))
        #expect(last.header("Accept") == "a/b")
        #expect(last.header("User-Agent") == "x")
    }
}

@Suite("A maximum size", .inTurn)
struct MaximumBodySizeTests {
    private let session = URLSession(configuration: .forTests)

    private func client(_ server: LoopbackServer, _ maximum: Int?) -> APIClient {
        APIClient(baseURL: server.url(), session: session, maximumBodySize: maximum)
    }

    @Test("A body of that size is whole, and a longer one an error", arguments: [true, false])
    func maximum(hasProgress: Bool) async throws {
        let server = try LoopbackServer(.ok("12345", headers: ["ETag": "1"]))
        let reports = Monitor<[TransferProgress]>([])
        let report: ProgressHandler = { progress in reports.withLock { $0.append(progress) } }
        let endpoint = Endpoint(.get, "", decoder: .response(.string()))
        for maximum in [5, nil] as [Int?] {
            let response = await client(server, maximum).result(for: endpoint, progress: hasProgress ? report : nil)
            #expect(try response.get().body == "12345")
            #expect(try response.get().header("ETag") == "1")
        }
        #expect(reports.value.last == (hasProgress ? TransferProgress(completedBytes: 5, totalBytes: 5) : nil))
        let error = await client(server, 4).result(for: endpoint, progress: hasProgress ? report : nil).error
        #expect(error?.urlError?.code == .dataLengthExceedsMaximum)
    }

    @Test("A body that grows when it is decompressed is not read to its end")
    func compressed() async throws {
        let bomb = Data(count: 8 << 20).inGzip
        let server = try LoopbackServer { _, connection in
            try connection.sendHead(200, headers: ["Content-Encoding": "gzip"], contentLength: nil)
            try connection.send(bomb)
            connection.waitForClientToClose()
        }
        let error = await client(server, 1 << 20).result(for: Endpoint(.get, "", decoder: .data)).error
        #expect(error?.urlError?.code == .dataLengthExceedsMaximum)
        try await server.connectionsClosed()
    }

    @Test("The body of an error response is cut at 1 MiB", arguments: [true, false])
    func longError(isUpload: Bool) async throws {
        let server = try LoopbackServer { _, connection in
            try connection.sendHead(500, contentLength: nil)
            try connection.send(zeros: 2 << 20)
            connection.close()
        }
        let body = RequestBody.multipart([.field("a", value: 1)])
        let endpoint = Endpoint(.post, "", body: isUpload ? body : nil)
        #expect(await client(server, 4).result(for: endpoint).error?.response?.body.count == 1 << 20)
        #expect(await client(server, nil).result(for: endpoint).error?.response?.body.count == 2 << 20)
    }

    @Test("The body of an error response that does not end is that of two seconds")
    func endlessError() async throws {
        let server = try LoopbackServer(.stalled(after: "HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\nhalf"))
        let error = await client(server, 4).result(for: Endpoint(.get, "")).error
        #expect(error?.response?.body == Data("half".utf8))
    }

    @Test("The response to a file and to a form is judged, too, and an error response stays one")
    func uploads() async throws {
        let server = try LoopbackServer(["/ok": .ok("12345"), "/bad": .status(400, "12345")])
        let folder = TemporaryFolder()
        let file = folder.file("sent", Data("sent".utf8))
        for body in [RequestBody.file(file, contentType: "a/b"), .multipart([.field("a", value: 1)])] {
            let endpoint = Endpoint(.post, "ok", body: body, decoder: .string())
            #expect(try await client(server, 5).result(for: endpoint).get() == "12345")
            let error = await client(server, 4).result(for: endpoint).error
            #expect(error?.urlError?.code == .dataLengthExceedsMaximum)
        }
        let error = await client(server, 4).result(for: Endpoint(.get, "bad")).error
        #expect(error?.response?.body == Data("12345".utf8))
    }
}
