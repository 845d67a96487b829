#if os(Linux)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Servers that answer over HTTP/2 before they have the whole request, and send that they need no more of it (RFC 9113, section 8.1).
@Suite(.inTurn, .enabled(if: TrustedServer.areRunning))
struct EarlyAnswerTests {
    /// A client may send as much before it is allowed to send more.
    private static let window = 65_535

    @Test("An early answer over HTTP/2 is the result if it is whole", arguments: [5, nil])
    func whole(contentLength: Int?) async throws {
        let server = try FrameServer { connection in
            let stream = try connection.receiveRequest(withBytes: Self.window)
            try connection.send([
                .head(of: stream, contentLength: contentLength), .data("early", of: stream, isLast: true),
            ])
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
            try connection.send([
                .head(of: stream, contentLength: contentLength), .data("early", of: stream, isLast: true),
                .reset(stream),
            ])
            try connection.awaitEnd()
        }
        switch try await upload(to: server) {
        case .success(let body): #expect(body == Data("early".utf8))
        case .failure(let error): #expect(error.urlError?.code == .networkConnectionLost)
        }
    }

    private func upload(to server: FrameServer) async throws -> DataResult {
        var request = URLRequest(url: try server.url(), method: .put)
        request.timeoutInterval = 10
        return await URLSession(configuration: .forTests).uploadResult(for: request, from: Data(count: 5 << 20))
    }
}

#endif
