#if os(Linux)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Servers that answer over HTTP/1.1 before they have the whole request.
@Suite(.inTurn)
struct EarlyAnswerOfHTTP1Tests {
    enum Source: CaseIterable, Sendable { case data, file, stream }

    @Test(
        "An early answer is the result, whether the server reads the rest of the request or not",
        arguments: Source.allCases, [0, 1 << 20])
    func whole(_ source: Source, readsFirst count: Int) async throws {
        for (status, readsRest) in [(200, true), (413, true), (413, false)] {
            let isOver = Gate()
            defer { isOver.open() }
            let server = try LoopbackServer(readsBodies: false, keepsRequests: false) { _, connection in
                _ = try connection.readPartOfBody(count)
                try connection.respond(status, body: "early")
                if !readsRest { isOver.wait() }
                connection.waitForClientToClose()
            }
            let result = try await upload(from: source, to: server.url())
            #expect(result.error?.statusCode == (status == 200 ? nil : status))
            #expect(try result.error?.response?.body ?? result.get() == Data("early".utf8))
        }
    }

    private func upload(from source: Source, to url: URL) async throws -> DataResult {
        let body = Data(count: 8 << 20)
        let session = URLSession(configuration: .forTests)
        var request = URLRequest(url: url, method: .put)
        request.timeoutInterval = 100
        switch source {
        case .data:
            return await session.uploadResult(for: request, from: body)
        case .file:
            return await TemporaryFolder().using(body) { [request] file in
                await session.uploadResult(for: request, fromFile: file)
            }
        case .stream:
            request.httpBodyStream = InputStream(data: body)
            return await session.dataResult(for: request)
        }
    }
}

#endif
