#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Where a request ends on its connection. A server that sees another end takes the rest for the next request (RFC 9112, section 11.2).
@Suite(.inTurn)
struct RequestFramingTests {
    private let session = URLSession(configuration: .forTests)

    @Test(
        "What a caller says of the length of a body changes nothing about the request, and nothing about the next one",
        arguments: [
            ("Content-Length", "2"), ("content-length", "9"), ("Content-Length", "x"), ("Transfer-Encoding", "chunked"),
            ("Transfer-Encoding", "identity"),
        ],
        ["POST", "PUT", "GET", "DELETE"])
    func fields(_ field: (name: String, value: String), method: String) async throws {
        let server = try LoopbackServer(.ok("done"))
        let body = method == "POST" || method == "PUT" ? Data("body".utf8) : nil
        var request = URLRequest(url: server.url("/first"))
        request.httpMethod = method
        request.httpBody = body
        request.setValue(field.value, forHTTPHeaderField: field.name)
        _ = try await session.dataResult(for: request).get()
        _ = try await session.dataResult(from: server.url("/second")).get()
        #expect(server.requests.map(\.method) == [method, "GET"])
        #expect(server.requests.map(\.body) == [body ?? Data(), Data()])
        if body == nil { #expect(server.requests[0].header("Transfer-Encoding") == nil) }
    }

    @Test("A file is sent whole, whatever its caller says of its length", arguments: ["2", "9"])
    func file(length: String) async throws {
        let folder = TemporaryFolder()
        let server = try LoopbackServer(.ok("done"))
        var request = URLRequest(url: server.url("/first"), method: .put)
        request.setValue(length, forHTTPHeaderField: "Content-Length")
        _ = try await session.uploadResult(for: request, fromFile: folder.file("body", Data("abcdef".utf8))).get()
        _ = try await session.dataResult(from: server.url("/second")).get()
        #expect(server.requests.map(\.body) == [Data("abcdef".utf8), Data()])
    }

    @Test("A stream that is longer than its caller says is cut, and a shorter one is an error")
    func stream() async throws {
        let server = try LoopbackServer(.ok("done"))
        var request = URLRequest(url: server.url("/first"), method: .put)
        request.setValue("3", forHTTPHeaderField: "Content-Length")
        request.httpBodyStream = InputStream(data: Data("abcdef".utf8))
        _ = try await session.dataResult(for: request).get()
        _ = try await session.dataResult(from: server.url("/second")).get()
        #expect(server.requests.map(\.body) == [Data("abc".utf8), Data()])
        request.setValue("9", forHTTPHeaderField: "Content-Length")
        request.httpBodyStream = InputStream(data: Data("abcdef".utf8))
        #expect(await session.dataResult(for: request).error?.urlError?.code == .requestBodyStreamExhausted)
    }

    @Test(
        "A method or the name of a field that would be another line is an error, and nothing is sent",
        arguments: APIForm.some, ["GET /other HTTP/1.1\r\nX: ", "A B", "", "GET\n", "X: 1"])
    func lines(_ form: APIForm, text: String) async throws {
        let server = try LoopbackServer(.ok("done"))
        var request = URLRequest(url: server.url())
        request.httpMethod = text
        // FoundationNetworking takes no method at all for GET.
        if request.httpMethod == text {
            #expect(await form.run(session, request).error?.urlError?.code == .badURL)
        }
        request = URLRequest(url: server.url())
        request.setValue("1", forHTTPHeaderField: text)
        #expect(await form.run(session, request).error?.urlError?.code == .badURL)
        #expect(server.requests.isEmpty)
    }

    @Test(
        "A server that refuses an expectation gets the request again, with its body at once (RFC 9110, section 15.5.18)",
        arguments: ["PUT", "POST"])
    func expectationFailed(method: String) async throws {
        let isFirst = Monitor(true)
        let server = try LoopbackServer(readsBodies: false) { request, connection in
            let body: Data
            if isFirst.value {
                isFirst.withLock { $0 = false }
                try connection.send("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 2\r\n\r\nno")
                // The body of this request does not come. The next one comes on the same connection with libcurl 7.88, and on another
                // one with 8.14.
                guard let next = try connection.readRequest(withBody: true) else { return }
                body = next.body
            } else {
                body = try connection.readBody()
            }
            try connection.respond(with: .status(201, "\(body.count)"), to: request)
            connection.close()
        }
        var request = URLRequest(url: server.url())
        request.httpMethod = method
        request.setValue("100-continue", forHTTPHeaderField: "Expect")
        let result = await session.uploadResult(for: request, from: Data("body".utf8), decoder: .response(.data))
        let response = try result.get()
        #expect(response.statusCode == 201)
        #expect(response.body == Data("4".utf8))
    }

    @Test("A 417 that comes within the body is the response, and nothing is sent again", arguments: ["PUT", "POST"])
    func expectationFailedLate(method: String) async throws {
        let server = try LoopbackServer(readsBodies: false) { _, connection in
            _ = try connection.readPartOfBody(1 << 16)
            try connection.send("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n")
            connection.waitForClientToClose()
        }
        var request = URLRequest(url: server.url())
        request.httpMethod = method
        request.setValue("100-continue", forHTTPHeaderField: "Expect")
        let result: DataResult = await session.uploadResult(for: request, from: Data(count: 50 << 20))
        #expect(result.error?.statusCode == 417)
        #expect(server.requests.count == 1)
    }

    @Test("A 417 that closes the connection is the response, with its body", arguments: ["PUT", "POST"])
    func lastExpectationFailed(method: String) async throws {
        let server = try LoopbackServer(readsBodies: false) { _, connection in
            try connection.send(
                "HTTP/1.1 417 Expectation Failed\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno")
            connection.waitForClientToClose()
        }
        var request = URLRequest(url: server.url())
        request.httpMethod = method
        request.setValue("100-continue", forHTTPHeaderField: "Expect")
        let result: DataResult = await session.uploadResult(for: request, from: Data("body".utf8))
        #expect(result.error?.statusCode == 417)
        #expect(result.error?.response?.body == Data("no".utf8))
        #expect(server.requests.count == 1)
    }
}

#endif
