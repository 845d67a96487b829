import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// `ResponseBytes.collect(upTo:)`.
@Suite(.inTurn)
struct ResponseBytesCollectTests {
    private let session = URLSession(configuration: .forTests)

    private func body(_ server: LoopbackServer) async throws -> ResponseBytes {
        try await session.bytesResult(from: server.url()).get().body
    }

    @Test(
        "A body that is small enough is given whole",
        arguments: [(0, 0), (0, 1), (1, 1), (3, .max), (5_000_000, 5_000_000)])
    func whole(size: Int, limit: Int) async throws {
        let sent = Data.blocks(1, ofSize: size)
        let server = try LoopbackServer(.ok(sent))
        #expect(try await body(server).collect(upTo: limit) == sent)
    }

    @Test("A body that is too large is an error, and is not read further", arguments: [0, 1, 999_999, -1, .min])
    func tooLarge(limit: Int) async throws {
        let server = try LoopbackServer { _, connection in
            try connection.sendHead(200, contentLength: 2_000_000)
            try connection.send(zeros: 1_000_000)
            connection.waitForClientToClose()
        }
        let body = try await body(server)
        let error = await #expect(throws: NetworkError.self) { try await body.collect(upTo: limit) }
        #expect(error?.urlError?.code == .dataLengthExceedsMaximum)
        #expect(error?.localizedDescription == "The request or the server's answer is too large.")
        try await server.connectionsClosed()
    }

    @Test("A small body that becomes a large one when it is unpacked is an error")
    func bomb() async throws {
        let server = try LoopbackServer { _, connection in
            let headers: KeyValuePairs = ["Content-Encoding": "gzip", "Connection": "close"]
            try connection.sendHead(200, headers: headers, contentLength: nil)
            try connection.send(Data.headOfGzip)
            for _ in 0..<64 { try connection.send(Data.mebibyteInGzip) }
            connection.waitForClientToClose()
        }
        let body = try await body(server)
        let error = await #expect(throws: NetworkError.self) { try await body.collect(upTo: 1 << 20) }
        #expect(error?.urlError?.code == .dataLengthExceedsMaximum)
        try await server.connectionsClosed()
    }

    @Test("What is too large is measured in bytes, not in pieces")
    func atTheLimit() async throws {
        let server = try LoopbackServer(.ok("abcd"))
        let error = await #expect(throws: NetworkError.self) { try await body(server).collect(upTo: 3) }
        #expect(error?.urlError?.code == .dataLengthExceedsMaximum)
    }

    @Test("A body that ends early is an error")
    func truncated() async throws {
        let server = try LoopbackServer(.truncated("abc", of: 9))
        let error = await #expect(throws: NetworkError.self) { try await body(server).collect(upTo: 100) }
        #expect(error?.urlError?.code == .networkConnectionLost)
    }

    @Test("A body is collected once")
    func twice() async throws {
        let server = try LoopbackServer(.ok("abc"))
        let body = try await body(server)
        #expect(try await body.collect(upTo: 3) == Data("abc".utf8))
        let error = await #expect(throws: NetworkError.self) { try await body.collect(upTo: 3) }
        #expect("\(error, default: "none")" == "transportError(BodyAlreadyReadError 1)")
    }

    @Test("Cancelling the Swift task hangs up")
    func cancelled() async throws {
        let server = try LoopbackServer(.stalled(after: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"))
        let body = try await body(server)
        let collecting = Task { try await body.collect(upTo: 9) }
        collecting.cancel()
        let error = await #expect(throws: NetworkError.self) { try await collecting.value }
        #expect(error?.isCancelled == true)
        try await server.connectionsClosed()
    }
}

extension Data {
    fileprivate static let headOfGzip = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])

    /// 1 MiB of zeros, compressed to 1,037 bytes that any number of the same may follow (RFC 1951).
    fileprivate static let mebibyteInGzip =
        Data([0xEC, 0xC1, 0x31, 0x01, 0, 0, 0, 0xC2, 0xA0, 0xF5, 0x4F, 0x6D, 0x08, 0x5F, 0xA0])
        + Data(count: 1016) + Data([0x3E, 0x03, 0, 0, 0xFF, 0xFF])
}
