#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Responses with trailers. The table of `Fault` has more of them.
@Suite(.inTurn)
struct TrailersTests {
    private static let chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Name: head\r\n\r\n"

    @Test("A response with trailers has its body and its head, in every form", arguments: APIForm.all)
    func form(_ form: APIForm) async throws {
        let server = try LoopbackServer(.raw(Self.chunkedHead + "3\r\nabc\r\n0\r\nX-Name: trailer\r\n\r\n"))
        let result = await form(server.url())
        #expect(try String(decoding: result.get(), as: UTF8.self) == (form.givesBody ? "abc" : ""))
    }

    @Test("Trailers are not shown")
    func head() async throws {
        let server = try LoopbackServer(.raw(Self.chunkedHead + "3\r\nabc\r\n0\r\nX-Name: trailer\r\nX-Sum: 1\r\n\r\n"))
        let session = URLSession(configuration: .forTests)
        let response = try await session.dataResult(from: server.url(), decoder: .response(.data)).get()
        #expect(response.header("X-Name") == "head")
        #expect(response.header("X-Sum") == nil)
    }

    @Test("The connection of a response with trailers is used again")
    func connection() async throws {
        let server = try LoopbackServer { _, connection in
            try connection.send(Self.chunkedHead + "3\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n")
        }
        let session = URLSession(configuration: .forTests)
        for _ in 1...3 { #expect(try await session.dataResult(from: server.url()).get() == Data("abc".utf8)) }
        #expect(server.connectionCounts.accepted == 1)
    }

    @Test("A reader that is slow gets the whole body before the trailers, which come bytewise")
    func slowReader() async throws {
        let size = 3 << 20
        let server = try LoopbackServer { _, connection in
            try connection.send(Self.chunkedHead + String(size, radix: 16) + "\r\n")
            try connection.send(zeros: size)
            for byte in "\r\n0\r\nX-Sum: 1\r\n\r\n".utf8 { try connection.send([byte]) }
        }
        let session = URLSession(configuration: .forTests)
        var count = 0
        for try await chunk in try await session.bytesResult(from: server.url()).get().body.chunks {
            count += chunk.count
            await Task.yield()
        }
        #expect(count == size)
    }

    @Test("A 100 and a 103 before the head don't keep its trailers away", arguments: APIForm.some)
    func earlyHints(_ form: APIForm) async throws {
        let server = try LoopbackServer(
            .raw(
                "HTTP/1.1 103 Early Hints\r\nTransfer-Encoding: chunked\r\n\r\n" + Self.chunkedHead
                    + "3\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n"))
        let result = await form(server.url())
        #expect(try String(decoding: result.get(), as: UTF8.self) == (form.givesBody ? "abc" : ""))
    }

    @Test("A response without a body may announce chunks", arguments: [("HEAD", 200), ("GET", 204), ("GET", 304)])
    func withoutBody(method: String, status: Int) async throws {
        let server = try LoopbackServer { _, connection in
            try connection.send("HTTP/1.1 \(status) Status\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n")
        }
        let session = URLSession(configuration: .forTests)
        var request = URLRequest(url: server.url())
        request.httpMethod = method
        for _ in 1...2 {
            let result = await session.dataResult(for: request, accepting: 200..<400)
            #expect(try result.get().isEmpty)
        }
    }

    @Test("The body of a challenge may have trailers, and the next request is sent")
    func challenge() async throws {
        let challenge =
            "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"\r\nTransfer-Encoding: chunked\r\n\r\n"
        let server = try LoopbackServer { request, connection in
            guard request.header("Authorization") == nil else { return try connection.respond(body: "abc") }
            try connection.send(challenge + "3\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n")
        }
        let delegate = SessionDelegate(challenge: (.useCredential, ResponseChain.credential))
        #expect(try await delegate.session().dataResult(from: server.url()).get() == Data("abc".utf8))
        let refused = await URLSession(configuration: .forTests).dataResult(from: server.url())
        #expect(refused.error?.response?.body == Data("abc".utf8))
    }

    @Test(
        "A body that is cut off before its last chunk is an error, in every form",
        arguments: APIForm.all, ["3\r\nabc\r\n", "3\r\nabc\r\n0", "4\r\nabc", "3\r\nabc\r\nX-Sum: 1\r\n\r\n"])
    func cutOff(_ form: APIForm, body: String) async throws {
        let server = try LoopbackServer(.raw(Self.chunkedHead + body))
        #expect(await form(server.url()).error?.urlError != nil)
    }

    @Test("A body in chunks that cannot be decompressed stays an error if it has trailers")
    func compressed() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
        let gzip = Data("abc".utf8).inGzip
        let session = URLSession(configuration: .forTests)
        for (bytes, isWhole) in [(gzip, true), (Data("no gzip".utf8), false), (gzip + Data("more".utf8), false)] {
            let size = String(bytes.count, radix: 16)
            let server = try LoopbackServer(
                .raw(Data((head + size + "\r\n").utf8) + bytes + Data("\r\n0\r\nX-Sum: 1\r\n\r\n".utf8)))
            let result = await session.dataResult(from: server.url())
            #expect((result.error == nil) == isWhole)
        }
    }

    #if os(Linux)
    /// The statuses of the heads that come before the one that counts (RFC 9110, section 15.2).
    private static let interimStatuses = [[], [103], [100], [100, 103], [103, 103, 100, 103]]

    /// A response with the body `[1, 2, 3]`, in two pieces. Only its head has the right fields.
    private static func frames(of stream: UInt32, after interimStatuses: [Int]) -> [FrameServer.Frame] {
        let interimHeads = interimStatuses.flatMap { status in
            FrameServer.Frame.fields([(":status", "\(status)"), ("x-name", "interim"), ("link", "</a>")], of: stream)
        }
        let head = FrameServer.Frame.fields([(":status", "200"), ("x-name", "head")], of: stream)
        let trailers = FrameServer.Frame.fields([("x-name", "trailer"), ("x-sum", "1")], of: stream, isLast: true)
        return interimHeads + head
            + [.data("[1, ", of: stream, isLast: false), .data("2, 3]", of: stream, isLast: false)] + trailers
    }

    private static func expectFields<Body>(of response: NetworkResponse<Body>) {
        #expect(response.statusCode == 200)
        #expect(response.header("X-Name") == "head")
        #expect(response.header("Link") == nil)
        #expect(response.header("X-Sum") == nil)
    }

    @Test(
        "Over HTTP/2, a response has the fields of its head alone, and its whole body",
        .enabled(if: Certificate.authorityIsTrusted), arguments: DecoderForm.all, interimStatuses)
    func overHTTP2(_ form: DecoderForm, interimStatuses: [Int]) async throws {
        for areTogether in [true, false] {
            let server = try FrameServer { connection in
                let frames = Self.frames(of: try connection.receiveWholeRequest(), after: interimStatuses)
                if areTogether { try connection.send(frames) }
                for frame in areTogether ? [] : frames {
                    try connection.send([frame])
                    try connection.awaitClient()
                }
                try connection.awaitEnd()
            }
            let response = try await form(server.url()).get()
            #expect(response.body == [1, 2, 3])
            Self.expectFields(of: response)
        }
    }

    @Test(
        "Over HTTP/2, a stream that is read slowly has the fields of its head alone, and its whole body",
        .enabled(if: Certificate.authorityIsTrusted), arguments: interimStatuses)
    func slowStreamOverHTTP2(interimStatuses: [Int]) async throws {
        let body = Data.blocks(30, ofSize: 100_000)
        let server = try FrameServer { connection in
            let stream = try connection.receiveWholeRequest()
            let frames = Self.frames(of: stream, after: interimStatuses)
            try connection.send(Array(frames.prefix { $0.kind == FrameServer.Frame.Kind.head.rawValue }))
            try connection.send(body: body, of: stream, isLast: false)
            try connection.send(Array(frames.suffix(1)))
            try connection.awaitEnd()
        }
        let response = try await URLSession(configuration: .forTests).bytesResult(from: server.url()).get()
        Self.expectFields(of: response)
        var received = Data()
        for try await chunk in response.body.chunks {
            received += chunk
            await Task.yield()
        }
        #expect(received == body)
    }
    #endif
}

#endif
