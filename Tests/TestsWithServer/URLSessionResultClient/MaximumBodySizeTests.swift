import Foundation
import Testing
import URLSessionResultClient

@testable import TestSupport

@Suite(.inTurn)
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
