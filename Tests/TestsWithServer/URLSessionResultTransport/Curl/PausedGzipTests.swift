#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// A small body that is a large one when it is decoded. libcurl decodes what it has received, and keeps it while receiving is paused.
@Suite(.inTurn)
struct PausedGzipTests {
    private let session = URLSession(configuration: .forTests)

    @Test(
        "A compressed body that does not end as it must is an error, however slowly it is read",
        arguments: [true, false], [1, 100])
    func wrongChecksum(isChunked: Bool, mebibytes: Int) async throws {
        let body = Data.gzip(zeros: mebibytes << 20)
        let isSent = Gate()
        let server = try LoopbackServer { request, connection in
            guard request.path != "/other" else { return try connection.respond(with: .ok("abc"), to: request) }
            let length = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(body.count)"
            try connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\(length)\r\n\r\n")
            if isChunked { try connection.send(String(body.count, radix: 16) + "\r\n") }
            try connection.send(body)
            if isChunked { try connection.send("\r\n0\r\n\r\n") }
            isSent.open()
        }
        let stream = try await session.bytesResult(from: server.url()).get().body
        try await isSent.opened()
        // The event loop has read what was sent before.
        _ = try await session.dataResult(from: server.url("/other")).get()
        await #expect(throws: NetworkError.self) { for try await _ in stream.chunks {} }
        let folder = TemporaryFolder()
        #expect(await session.downloadResult(from: server.url(), to: folder.file("zeros")).error != nil)
    }
}

extension Data {
    /// The bytes of zeros in the format of gzip, with a checksum that is wrong: a block with a fixed code, in which 13 bits are 258 zeros
    /// (RFC 1951, section 3.2.6).
    fileprivate static func gzip(zeros count: Int) -> Data {
        // The last block, with a fixed code; the literal 0; pairs of the length 258 (code 285) and the distance 1 (code 0).
        var bits = [1, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0]
        let pair = [1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0]
        // Eight pairs are whole bytes.
        let eight = (0..<8).flatMap { _ in pair }
        while bits.count % 8 != 0 { bits += pair }
        var gzip = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]) + bytes(of: bits)
        let period = bytes(of: eight)
        for _ in 0..<count / (258 * 8) { gzip += period }
        gzip += bytes(of: [0, 0, 0, 0, 0, 0, 0, 0])
        return gzip + Data(count: 8)
    }

    private static func bytes(of bits: [Int]) -> Data {
        Data(
            stride(from: 0, to: bits.count, by: 8).map { start in
                bits[start..<start + 8].enumerated().reduce(UInt8(0)) { $0 | UInt8($1.element) << UInt8($1.offset) }
            })
    }
}

#endif
