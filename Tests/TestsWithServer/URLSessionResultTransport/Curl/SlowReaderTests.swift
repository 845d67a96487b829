#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// A stream whose reader is behind.
@Suite(.inTurn)
struct SlowReaderTests {
    /// More than the system and libcurl keep of a connection.
    private static let length = 64 << 20

    @Test(
        "A server waits for a reader that is behind, and others don't",
        arguments: LoopbackServer.Transport.trusted)
    func waits(_ transport: LoopbackServer.Transport) async throws {
        let sent = Monitor(0)
        let server = try LoopbackServer(over: transport) { request, connection in
            try connection.sendHead(200, contentLength: Self.length)
            for _ in 0..<Self.length >> 20 {
                try connection.send(zeros: 1 << 20)
                if request.path == "/slow" { sent.withLock { $0 += 1 << 20 } }
            }
        }
        let session = URLSession(configuration: .forTests)
        func count(_ body: ResponseBytes) async throws -> Int {
            try await body.chunks.reduce(0) { $0 + $1.count }
        }
        let slow = try await session.bytesResult(from: server.url("/slow")).get().body
        // Meanwhile, twice as many bytes come to others.
        for _ in 0..<2 {
            #expect(try await count(session.bytesResult(from: server.url("/other")).get().body) == Self.length)
        }
        #expect(sent.value < Self.length / 2)
        // A chunk is what has arrived, and libcurl gives a piece at most after it was told to wait.
        var chunks = slow.chunks.makeAsyncIterator()
        var received = 0
        while let chunk = try await chunks.next() {
            #expect(chunk.count <= (1 << 20) + (1 << 15))
            received += chunk.count
        }
        #expect(received == Self.length)
    }

    @Test(
        "A body is whole that is read slowly, though its connection is closed meanwhile",
        arguments: LoopbackServer.Transport.trusted, [true, false])
    func closed(_ transport: LoopbackServer.Transport, hasLength: Bool) async throws {
        // It fits into what the system keeps of a connection, except for what libcurl takes before it pauses.
        let length = 3 << 20
        let isClosed = Monitor(0)
        let server = try LoopbackServer(over: transport) { _, connection in
            let field = hasLength ? "Content-Length: \(length)\r\n" : ""
            try connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\(field)\r\n")
            try connection.send(zeros: length)
            connection.close()
            isClosed.withLock { $0 += 1 }
        }
        let session = URLSession(configuration: .forTests)
        for count in 1...20 {
            let body = try await session.bytesResult(from: server.url()).get().body
            var chunks = body.chunks.makeAsyncIterator()
            var received = try await chunks.next()?.count ?? 0
            try await isClosed.value { $0 == count }
            while let chunk = try await chunks.next() { received += chunk.count }
            #expect(received == length)
        }
    }
}

#endif
