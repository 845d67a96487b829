import Foundation
import Testing
import URLSessionResultClient

@testable import TestSupport

@Suite(.inTurn)
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
