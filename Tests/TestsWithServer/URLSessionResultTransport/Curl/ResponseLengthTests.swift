#if os(Linux)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Responses over TLS one of whose parts has a certain length. A record of TLS and a frame of HTTP/2 have at most 16,384 bytes.
@Suite(.inTurn, .enabled(if: Certificate.authorityIsTrusted))
struct ResponseLengthTests {
    static let lengths = [1, 16_383, 16_384, 16_385, 32_768, 65_535, 65_536, 65_537]

    /// As much as the library takes of heads.
    static let longest = 300_000

    @Test(
        "A response over HTTP/1.1 and TLS arrives however long its head, its body and its trailers are",
        arguments: LongResponse.Part.allCases, lengths + [longest])
    func overHTTP1(_ part: LongResponse.Part, length: Int) async throws {
        let response = LongResponse(part, length)
        // Each part begins with a record of its own, or follows in that of the part before it.
        for areTogether in [true, false] {
            let parts = areTogether ? [Data(response.partsOfHTTP1.joined())] : response.partsOfHTTP1
            let server = try LoopbackServer(over: .tls(.valid)) { _, connection in
                for part in parts { try connection.send(part) }
            }
            let session = URLSession(configuration: .forTests)
            for form in ResponseForm.all {
                // The second one has the same connection.
                for _ in 1...2 { response.expect(try await form.response(session, server.url())) }
            }
            // Streams have connections of their own.
            #expect(server.connectionCounts.accepted == 2)
        }
    }

    /// libcurl 7.88 takes heads and trailers of at most 128 KiB.
    @Test(
        "A response over HTTP/2 arrives however long its head, its body and its trailers are",
        arguments: LongResponse.Part.allCases, lengths + [100_000, longest])
    func overHTTP2(_ part: LongResponse.Part, length: Int) async throws {
        guard part == .body || length < Self.longest else { return }
        let response = LongResponse(part, length)
        for form in ResponseForm.all {
            let server = try FrameServer { connection in
                while true { try response.send(on: connection) }
            }
            let session = URLSession(configuration: .forTests)
            for _ in 1...2 { response.expect(try await form.response(session, try server.url())) }
        }
    }
}

/// A response one of whose parts is long.
struct LongResponse: Sendable {
    enum Part: CaseIterable, Sendable {
        case head, body, trailers
    }

    private let headFields: [(String, String)]
    private let body: Data
    private let trailerFields: [(String, String)]

    private static let start = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
    private static let end = "\r\n"

    init(_ part: Part, _ length: Int) {
        let lengthOfHead = length - (Self.start + Self.end).utf8.count
        let lengthOfTrailers = length - Self.end.utf8.count
        headFields = Self.fields("x-head", ofLength: part == .head ? lengthOfHead : 1)
        body = part == .body ? Data.blocks(100, ofSize: length / 100 + 1).prefix(length) : Data("abc".utf8)
        trailerFields = Self.fields("x-trailer", ofLength: part == .trailers ? lengthOfTrailers : 1)
    }

    /// Fields whose lines have so many bytes together, and each at least one in its value. libcurl 7.88 takes trailers of less than 4,096.
    private static func fields(_ name: String, ofLength length: Int) -> [(String, String)] {
        let count = max(length, 0) / 4_000 + 1
        return (0..<count).map { index in
            let name = "\(name)-\(index)"
            let lengthOfLine = length * (index + 1) / count - length * index / count
            return (name, String(repeating: "x", count: max(lengthOfLine - "\(name): \r\n".utf8.count, 1)))
        }
    }

    /// The head, the body in a chunk, and the trailers.
    var partsOfHTTP1: [Data] {
        let size = "\(String(body.count, radix: 16))\r\n"
        return [
            (Self.start + Self.lines(headFields) + Self.end).bytes,
            size.bytes + body + "\r\n0\r\n".bytes,
            (Self.lines(trailerFields) + Self.end).bytes,
        ]
    }

    private static func lines(_ fields: [(String, String)]) -> String {
        fields.map { "\($0.0): \($0.1)\r\n" }.joined()
    }

    /// Answers the next request.
    func send(on connection: FrameServer.Connection) throws {
        let stream = try connection.receiveWholeRequest()
        try connection.send(FrameServer.Frame.fields([(":status", "200")] + headFields, of: stream))
        try connection.send(body: body, of: stream, isLast: false)
        try connection.send(FrameServer.Frame.fields(trailerFields, of: stream, isLast: true))
    }

    func expect(_ response: NetworkResponse<Data>) {
        #expect(response.statusCode == 200)
        #expect(response.body == body)
        for (name, value) in headFields { #expect(response.header(name) == value) }
        for (name, _) in trailerFields { #expect(response.header(name) == nil) }
    }
}

/// A way to get the response, with its head.
struct ResponseForm: Sendable {
    let response: @Sendable (URLSession, URL) async throws -> NetworkResponse<Data>

    static let all = [
        ResponseForm { try await $0.dataResult(from: $1, decoder: .response(.data)).get() },
        ResponseForm { try await $0.downloadResult(from: $1, decoder: .response(.data)).get() },
        ResponseForm { session, url in
            let response = try await session.bytesResult(from: url).get()
            let body = try await response.body.collect(upTo: 1 << 20)
            return response.map { _ in body }
        },
    ]
}

#endif
