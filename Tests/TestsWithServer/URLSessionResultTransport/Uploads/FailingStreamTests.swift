#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Body streams that fail. FoundationNetworking takes one that cannot be opened for an empty one.
@Suite(.inTurn)
struct FailingStreamTests {
    @Test(
        "A body stream that cannot be read is an error that says why, and no empty body",
        arguments: APIForm.some.filter { !$0.uploads }, ["nowhere", "folder"])
    func unreadable(_ form: APIForm, name: String) async throws {
        let folder = TemporaryFolder()
        let path = folder.file(name).path
        if name == "folder" {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        let server = try LoopbackServer(.ok("done"))
        for length in [nil, "5"] {
            var request = URLRequest(url: server.url(), method: .put)
            request.setValue(length, forHTTPHeaderField: "Content-Length")
            request.httpBodyStream = InputStream(fileAtPath: path)
            let error = await form.run(URLSession(configuration: .forTests), request).error?.urlError
            #expect(error?.code == .requestBodyStreamExhausted)
            #expect(error?.userInfo[NSUnderlyingErrorKey] != nil)
        }
        #expect(server.requests.isEmpty)
    }

    @Test(
        "A body stream that can be read is sent whole", arguments: APIForm.some.filter { !$0.uploads }, [0, 1, 200_000])
    func readable(_ form: APIForm, size: Int) async throws {
        let body = Data.blocks(1, ofSize: size)
        let file = TemporaryFolder()
        let server = try LoopbackServer(.ok("done"))
        for stream in [InputStream(data: body), InputStream(fileAtPath: file.file("body", body).path)] {
            var request = URLRequest(url: server.url(), method: .put)
            request.httpBodyStream = stream
            _ = try await form.run(URLSession(configuration: .forTests), request).get()
        }
        #expect(server.requests.map(\.body) == [body, body])
    }
}

#endif
