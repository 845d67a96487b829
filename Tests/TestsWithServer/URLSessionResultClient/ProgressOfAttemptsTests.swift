import Foundation
import Testing
import URLSessionResultClient

@testable import TestSupport

@Suite(.inTurn)
struct ProgressOfAttemptsTests {
    private let session = URLSession(configuration: .forTests)
    private let folder = TemporaryFolder()

    @Test("Data above 64 KiB reports how far it is sent, with and without a maximum size", arguments: [nil, 100])
    func progress(maximum: Int?) async throws {
        let server = try LoopbackServer(.ok("done"))
        let client = APIClient(baseURL: server.url(), session: session, maximumBodySize: maximum)
        for (count, completed) in [(200_000, 200_000), (10, 4)] {
            let reports = Monitor<[TransferProgress]>([])
            let body = RequestBody.data(Data(count: count), contentType: "a/b")
            let result = await client.result(for: Endpoint(.post, "", body: body, decoder: .string())) { report in
                reports.withLock { $0.append(report) }
            }
            #expect(try result.get() == "done")
            #expect(reports.value.last?.completedBytes == Int64(completed))
        }
        #expect(server.requests.map(\.body.count) == [200_000, 10])
    }

    @Test(
        "Progress does not go back when a request is sent again, also where a response is shorter than the one before",
        arguments: ["upload", "form", "body", "download"])
    func progressOfAttempts(_ what: String) async throws {
        let server = try LoopbackServer.inTurn(
            .status(503, Data(count: 150_000)), .status(401, Data(count: 150_000)), .ok(Data(count: 100_000)))
        var retry = Retry()
        retry.sleep = { _ in }
        let token = TokenAuthentication("0", for: server.url()) { _ in .success("1") }
        let client = APIClient(baseURL: server.url(), session: session, middleware: [retry, token])
        let reports = Monitor<[TransferProgress]>([])
        let report: ProgressHandler = { progress in reports.withLock { $0.append(progress) } }
        let body: RequestBody? =
            switch what {
            case "upload": .data(Data(count: 200_000), contentType: "a/b")
            case "form": .multipart([.data("a", Data(count: 200_000))])
            default: nil
            }
        let endpoint = Endpoint(body == nil ? .get : .put, "", body: body, decoder: .data)
        if what == "download" {
            _ = try await client.downloadResult(for: endpoint, to: folder.file("a"), progress: report).get()
        } else {
            #expect(try await client.result(for: endpoint, progress: report).get().count == 100_000)
        }
        #expect(server.requests.count == 3)
        let counts = reports.value.map(\.completedBytes)
        #expect(counts == counts.sorted())
        #expect(reports.value.last?.fractionCompleted == 1)
    }

    @Test(
        "The fraction of a progress does not go back after an error response with a body",
        arguments: [RequestKind.result, .download, .resumableDownload], [nil, 2_000_000])
    func fractionAfterErrors(_ kind: RequestKind, maximum: Int?) async throws {
        let server = try LoopbackServer.inTurn(
            .status(503, Data(count: 200_000)), .status(503, Data(count: 400_000)), .ok(Data(count: 1_000_000)))
        var retry = Retry()
        retry.sleep = { _ in }
        let client = APIClient(
            baseURL: server.url(), session: session, middleware: [retry], maximumBodySize: maximum)
        let reports = Monitor<[TransferProgress]>([])
        let report: ProgressHandler = { progress in reports.withLock { $0.append(progress) } }
        let endpoint = Endpoint(.get, "", decoder: .data)
        switch kind {
        case .download: _ = try await client.downloadResult(for: endpoint, to: folder.file("a"), progress: report).get()
        case .resumableDownload:
            _ = try await client.resumableDownloadResult(for: endpoint, to: folder.file("a"), progress: report).get()
        default: _ = try await client.result(for: endpoint, progress: report).get()
        }
        let fractions = reports.value.map(\.fractionCompleted)
        #expect(!fractions.isEmpty && !fractions.contains(nil))
        #expect(fractions.compactMap(\.self) == fractions.compactMap(\.self).sorted())
        #expect(fractions.last == 1)
    }
}
