import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Files and data that are sent.
@Suite(.inTurn)
struct UploadTests {
    private let folder = TemporaryFolder()
    private let session = URLSession(configuration: .forTests)

    @Test("A file that cannot be read is a transport error, and nothing is sent", arguments: [true, false])
    func unreadableFile(progress: Bool) async throws {
        let server = try LoopbackServer(.ok())
        let request = URLRequest(url: server.url(), method: .put)
        let web = server.url("/file")
        for file in [folder.file("missing"), folder.url, web] {
            let result = await session.uploadResult(for: request, fromFile: file, progress: progress ? ignored : nil)
            guard case .failure(.transportError(let cause)) = result else {
                Issue.record("\(file): \(result)")
                continue
            }
            #expect(cause is CocoaError)
        }
        #expect(server.requests.isEmpty)
    }

    @Test("An empty file and empty data are sent as empty bodies", arguments: [true, false])
    func emptyBody(progress: Bool) async throws {
        let server = try LoopbackServer(.echo)
        let request = URLRequest(url: server.url(), method: .post)
        let handler: ProgressHandler? = progress ? ignored : nil
        let file = folder.file("empty", Data())
        #expect(try await session.uploadResult(for: request, fromFile: file, progress: handler).get() == Data())
        #expect(try await session.uploadResult(for: request, from: Data(), progress: handler).get() == Data())
        #expect(server.requests.count == 2)
    }

    /// FoundationNetworking ends the process when a task of its own is given no data.
    @Test("An upload without data sends an empty body")
    func absentBody() async throws {
        let server = try LoopbackServer(.echo)
        let request = URLRequest(url: server.url(), method: .post)
        let result = await withCheckedContinuation { continuation in
            session.uploadTask(with: request, from: nil) { continuation.resume(returning: $0) }.resume()
        }
        #expect(try result.get() == Data())
        #expect(server.requests.count == 1)
    }

    @Test("A pipe is sent as what it gives")
    func pipe() async throws {
        let server = try LoopbackServer(.echo)
        let pipe = folder.pipe(giving: Data("given".utf8))
        let request = URLRequest(url: server.url(), method: .post)
        #expect(try await session.uploadResult(for: request, fromFile: pipe).get() == Data("given".utf8))
    }

    @Test("A file of 8 MB arrives as it is", arguments: [true, false])
    func largeFile(progress: Bool) async throws {
        let body = Data.blocks(250, ofSize: 32_000)
        let server = try LoopbackServer(.echo)
        let request = URLRequest(url: server.url(), method: .put)
        let file = folder.file("large", body)
        let echoed = await session.uploadResult(for: request, fromFile: file, progress: progress ? ignored : nil)
        #expect(try echoed.get() == body)
    }

    /// FoundationNetworking ends the process when an upload of its own from a file ends like this.
    @Test("An upload from a file may end at any moment", arguments: [true, false])
    func endedUpload(cancels: Bool) async throws {
        let server = try LoopbackServer(readsBodies: false) { _, connection in
            _ = try connection.readPartOfBody(100_000)
            if cancels { connection.waitForClientToClose() } else { connection.reset() }
        }
        let file = folder.file("large", Data(count: 4_000_000))
        let request = URLRequest(url: server.url(), method: .put)
        for count in 1...20 {
            let upload = Task { await session.uploadResult(for: request, fromFile: file) }
            try await server.requests(atLeast: count)
            if cancels { upload.cancel() }
            #expect(await upload.value.error?.isCancelled == cancels)
        }
    }
}
