#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// A server that always has something to send. libcurl would read as long as something comes, and all transfers are on one thread.
@Suite(.inTurn)
struct FastServerTests {
    /// How the response is taken.
    enum Form: CaseIterable {
        case stream, body, download

        func run(_ session: URLSession, _ url: URL) async throws {
            switch self {
            case .stream:
                for try await _ in try await session.bytesResult(from: url).get().body.chunks {}
            case .body:
                _ = try await session.dataResult(from: url, decoder: .ignored).get()
            case .download:
                let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
                defer { try? FileManager.default.removeItem(at: file) }
                _ = try await session.downloadResult(from: url, to: file).get()
            }
        }
    }

    @Test(
        "A response that comes faster than it can be read holds up no other request",
        arguments: LoopbackServer.Transport.trusted, Form.allCases)
    func fastResponse(_ transport: LoopbackServer.Transport, _ form: Form) async throws {
        // On a busy machine, a gigabyte may come before the other request is sent.
        let most = 4_096
        let sent = Monitor(0)
        let isAnswered = Monitor(false)
        let server = try LoopbackServer(over: transport) { request, connection in
            guard request.path == "/fast" else { return try connection.respond(with: .ok("abc"), to: request) }
            try connection.sendHead(200, contentLength: 1 << 40)
            while !isAnswered.value, sent.value < most {
                try connection.send(zeros: 1 << 20)
                sent.withLock { $0 += 1 }
            }
        }
        let session = URLSession(configuration: .forTests)
        let other = URLSession(configuration: .forTests)
        let fast = Task { try await form.run(session, server.url("/fast")) }
        try await sent.value { $0 > 4 }
        #expect(try await other.dataResult(from: server.url()).get() == Data("abc".utf8))
        #expect(sent.value < most)
        isAnswered.withLock { $0 = true }
        fast.cancel()
        _ = await fast.result
    }
}

#endif
