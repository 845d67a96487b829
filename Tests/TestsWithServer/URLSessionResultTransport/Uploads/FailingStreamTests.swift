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
        "A body stream that was read or closed before is an error, and no empty body",
        arguments: APIForm.some.filter { !$0.uploads }, [false, true])
    func usedBefore(_ form: APIForm, isRead: Bool) async throws {
        let server = try LoopbackServer(.ok("done"))
        for length in [nil, "4"] {
            let stream = InputStream(data: Data("body".utf8))
            stream.open()
            if isRead {
                var bytes = [UInt8](repeating: 0, count: 10)
                while stream.read(&bytes, maxLength: bytes.count) > 0 {}
            } else {
                stream.close()
            }
            var request = URLRequest(url: server.url(), method: .put)
            request.setValue(length, forHTTPHeaderField: "Content-Length")
            request.httpBodyStream = stream
            let error = await form.run(URLSession(configuration: .forTests), request).error
            #expect(error?.urlError?.code == .requestBodyStreamExhausted)
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
