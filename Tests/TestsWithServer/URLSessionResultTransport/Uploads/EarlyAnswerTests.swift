#if os(Linux)

import Foundation
import Testing
import URLSessionResult

@testable import URLSessionResultTransport
@testable import TestSupport

private typealias Frame = FrameServer.Frame

/// Servers that answer over HTTP/2 before they have the whole request (RFC 9113, section 8.1). Some need no more of it.
@Suite(.inTurn, .enabled(if: TrustedServer.areRunning))
struct EarlyAnswerTests {
    /// A client may send as much before it is allowed to send more.
    private static let window = 65_535

    @Test("An early answer over HTTP/2 is the result if it is whole", arguments: [5, nil])
    func whole(contentLength: Int?) async throws {
        let server = try FrameServer { connection in
            let stream = try connection.receiveRequest(withBytes: Self.window)
            try connection.send(Frame.answer(to: stream, contentLength: contentLength))
            try connection.awaitClient()
            try connection.send([.reset(stream)])
            try connection.awaitEnd()
        }
        #expect(try await upload(to: server).get() == Data("early".utf8))
    }

    @Test("An early answer over HTTP/2 that is cut is a lost connection")
    func cut() async throws {
        let server = try FrameServer { connection in
            let stream = try connection.receiveRequest(withBytes: Self.window)
            try connection.send([.head(of: stream, contentLength: 9), .data("early", of: stream, isLast: false)])
            try connection.awaitClient()
            try connection.send([.reset(stream)])
            try connection.awaitEnd()
        }
        #expect(try await upload(to: server).error?.urlError?.code == .networkConnectionLost)
    }

    /// libcurl 7.88 drops what comes together with the end of the stream.
    @Test(
        "An early answer over HTTP/2 that comes together with the end is the result, or a lost connection",
        arguments: [5, nil])
    func together(contentLength: Int?) async throws {
        let server = try FrameServer { connection in
            let stream = try connection.receiveRequest(withBytes: Self.window)
            try connection.send(Frame.answer(to: stream, contentLength: contentLength) + [.reset(stream)])
            try connection.awaitEnd()
        }
        switch try await upload(to: server) {
        case .success(let body): #expect(body == Data("early".utf8))
        case .failure(let error): #expect(error.urlError?.code == .networkConnectionLost)
        }
    }

    /// libcurl 7.88 does not notice the end of the stream: it comes as the last of the request is sent.
    @Test("An early answer over HTTP/2 to a short upload is the result", arguments: [5, nil], [false, true])
    func short(contentLength: Int?, isStream: Bool) async throws {
        for _ in 1...20 {
            let server = try FrameServer { connection in
                let stream = try connection.receiveRequest(withBytes: 0)
                try connection.send(Frame.answer(to: stream, contentLength: contentLength))
                try connection.awaitEnd()
            }
            if isStream {
                var request = try request(to: server)
                request.httpBodyStream = InputStream(data: Data(count: 4))
                try expectAnswer(
                    await URLSession(configuration: .forTests).dataResult(for: request), contentLength: contentLength)
            } else {
                try expectAnswer(await upload(4, to: server), contentLength: contentLength)
            }
        }
    }

    @Test(
        "An early answer over HTTP/2 is the result, though the server then takes the whole request",
        arguments: [5, nil])
    func takesAll(contentLength: Int?) async throws {
        let server = try FrameServer { connection in
            let stream = try connection.receiveRequest(withBytes: Self.window)
            try connection.send(Frame.answer(to: stream, contentLength: contentLength))
            try connection.awaitClient()
            try connection.send(Frame.window(adding: UInt32(Self.length), of: stream))
            try connection.awaitEnd()
        }
        try expectAnswer(await upload(to: server), contentLength: contentLength)
    }

    /// libcurl 8.3 to 8.6 may not have given all of it, which only its length can tell.
    private func expectAnswer(_ result: DataResult, contentLength: Int?) throws {
        let differences = try #require(Curl.loaded).differences
        if contentLength == nil, differences.endWhileSending == .failsAndMayCut, let error = result.error {
            #expect(error.urlError?.code == .networkConnectionLost)
        } else {
            #expect(try result.get() == Data("early".utf8))
        }
    }

    @Test(
        "An early answer over HTTP/2 ends when its reader goes on, though the request was sent meanwhile",
        arguments: [5, nil])
    func paused(contentLength: Int?) async throws {
        let isSent = Monitor(false)
        let server = try FrameServer { connection in
            let stream = try connection.receiveRequest(withBytes: Self.window)
            try connection.send(Frame.answer(to: stream, contentLength: contentLength))
            try connection.awaitClient()
            try connection.send(Frame.window(adding: UInt32(Self.length), of: stream))
            _ = try connection.receiveWholeRequest()
            isSent.withLock { $0 = true }
            try connection.awaitEnd()
        }
        let task = Monitor<URLSessionTask?>(nil)
        var request = try request(to: server)
        request.httpBody = Data(count: Self.length)
        let end = Task { [request] in
            // libcurl may send no more when the answer is as long as it says.
            defer { isSent.withLock { $0 = true } }
            return try await LibcurlSender(curl: Curl.loaded).send(request, by: .stream) { event, started in
                guard case .data = event else { return }
                started.receivingPause(true)
                task.withLock { $0 = started }
            }
        }
        try await isSent.value { $0 }
        let started = try #require(try await task.value { $0 != nil })
        started.receivingPause(false)
        let value = try await end.value
        let differences = try #require(Curl.loaded).differences
        let mayFail = contentLength == nil && differences.endWhileSending == .failsAndMayCut
        if !mayFail || value.error == nil { #expect(value == LibcurlSender.End(status: 200, body: "early")) }
    }

    /// libcurl 7.88 tells only one transfer of a connection that there is something to read.
    @Test(
        "Early answers over HTTP/2 are the results beside a request that goes on, one and sixteen at once",
        .enabled(if: Curl.loaded?.multiplexes == true), arguments: [5, nil], [1, 16])
    func besideOther(contentLength: Int?, count: Int) async throws {
        for length in [4, Self.length / 16] {
            for _ in 1...20 {
                let hasFirst = Monitor(false)
                let server = try FrameServer { connection in
                    _ = try connection.receiveRequest(withBytes: 0)
                    hasFirst.withLock { $0 = true }
                    for _ in 1...count {
                        let stream = try connection.receiveRequest(withBytes: 0)
                        try connection.send(Frame.answer(to: stream, contentLength: contentLength))
                        try connection.send(Frame.window(adding: UInt32(length), of: stream))
                    }
                    try connection.awaitEnd()
                }
                let session = URLSession(configuration: .forTests)
                let first = Task { await session.dataResult(from: try server.url()) }
                try await hasFirst.value { $0 }
                let results = try await withThrowingTaskGroup(of: DataResult.self) { group in
                    for _ in 1...count { group.addTask { try await upload(length, to: server, in: session) } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                for result in results { try expectAnswer(result, contentLength: contentLength) }
                first.cancel()
                #expect(try await first.value.error?.isCancelled == true)
            }
        }
    }

    /// libcurl sends no more then. From 7.88 to 8.0, it does not notice the end of the answer.
    @Test("An early error over HTTP/2 is the result", arguments: [5, nil], [nil, "100-continue"])
    func error(contentLength: Int?, expectation: String?) async throws {
        for count in [4, Self.length] {
            let server = try FrameServer { connection in
                let stream = try connection.receiveRequest(withBytes: 0)
                let length = contentLength.map { [("content-length", "\($0)")] } ?? []
                let head = Frame.fields([(":status", "403")] + length, of: stream)
                try connection.send(head + [.data("early", of: stream, isLast: true)])
                try connection.awaitClient()
                try connection.send(Frame.window(adding: UInt32(Self.length), of: stream))
                try connection.awaitEnd()
            }
            var request = try request(to: server)
            request.setValue(expectation, forHTTPHeaderField: "Expect")
            let result = await URLSession(configuration: .forTests)
                .uploadResult(for: request, from: Data(count: count))
            let error = try #require(result.error)
            #expect(error.statusCode == 403, "\(error), \(count) bytes")
        }
    }

    /// More than the server takes at first.
    private static let length = 5 << 20

    private func upload(
        _ count: Int = length, to server: FrameServer, in session: URLSession = URLSession(configuration: .forTests)
    ) async throws -> DataResult {
        await session.uploadResult(for: try request(to: server), from: Data(count: count))
    }

    private func request(to server: FrameServer) throws -> URLRequest {
        var request = URLRequest(url: try server.url(), method: .put)
        request.timeoutInterval = 10
        return request
    }
}

extension FrameServer.Frame {
    fileprivate static func answer(to stream: UInt32, contentLength: Int?) -> [Self] {
        [.head(of: stream, contentLength: contentLength), .data("early", of: stream, isLast: true)]
    }
}

#endif
