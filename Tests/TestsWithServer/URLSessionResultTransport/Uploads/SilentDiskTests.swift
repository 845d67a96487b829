#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import URLSessionResultTransport
@testable import TestSupport

/// Uploads of files from a disk that answers when the test says so.
@Suite(.inTurn)
struct SilentDiskTests {
    private static let content = Data.blocks(4, ofSize: FilePiece.size)

    /// The library is not in between, so the session must last: with libcurl 8.9 and later, URLSession crashes when one that had a
    /// connection over TLS is closed.
    private static let session = URLSession(configuration: .forTests)

    /// The last bytes of a piece last for a second if they are handed out little by little.
    @Test(
        "However long a disk reads, the requests of other sessions go on", arguments: LoopbackServer.Transport.trusted)
    func otherSessions(transport: LoopbackServer.Transport) async throws {
        let server = try LoopbackServer(.ok("other"), over: transport)
        let disk = Gate()
        // Otherwise a test that fails would stop all others.
        defer { disk.open() }
        let upload = Monitor<(any Error)??>(.none)
        send(
            ReadAhead(ofLength: Self.content.count) { range in
                if range.lowerBound > 0 { disk.wait() }
                return Self.content[range]
            }, to: server.url("/upload")
        ) { error in upload.withLock { $0 = .some(error) } }
        let other = URLSession(configuration: .forTests)
        for _ in 1...2000 { _ = try await other.dataResult(from: server.url("/other")).get() }
        #expect(upload.value == nil)
        disk.open()
        #expect(try await upload.value { $0 != nil } ?? nil == nil)
        #expect(server.requests.first { $0.path == "/upload" }?.body == Self.content)
    }

    /// Sends a body as an upload of a file does.
    private func send(_ body: ReadAhead, to url: URL, _ handler: @escaping @Sendable ((any Error)?) -> Void) {
        let stream = UploadStream(body)
        var request = URLRequest(url: url, method: .put).sending(stream, ofLength: Self.content.count)
        // The other requests may take minutes on a busy machine.
        request.timeoutInterval = 600
        let task = Self.session.dataTask(with: request) { _, _, error in handler(error) }
        stream.task = task
        task.resume()
    }
}

#endif
