#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// A kept connection that the server closes when the next request has come, without an answer.
///
/// libcurl sends the request again. FoundationNetworking cannot rewind its body: it sends none, waits for ever, or crashes.
@Suite(.inTurn)
struct KeptConnectionTests {
    /// Answers the first request, closes the connection at the next ones, and echoes those after them.
    private func server(closing closedCount: Int = 1) throws -> LoopbackServer {
        let count = Monitor(0)
        return try LoopbackServer { request, connection in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if (2..<2 + closedCount).contains(number) {
                connection.close()
            } else {
                try connection.respond(body: request.text)
            }
        }
    }

    /// A request after one that leaves a connection behind. Streams have connections of their own.
    private func result(of request: URLRequest, by form: APIForm, in session: URLSession) async throws -> DataResult {
        let first = form.uploads ? APIForm.some[0] : form
        _ = try await first.run(session, URLRequest(url: try #require(request.url))).get()
        return await form.run(session, request)
    }

    @Test("What may be sent twice is sent again, with its body", arguments: APIForm.all.filter(\.uploads), [1, 16])
    func upload(_ form: APIForm, atOnce count: Int) async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<count {
                group.addTask {
                    let server = try server()
                    let request = URLRequest(url: server.url(), method: .put)
                    let result = try await result(of: request, by: form, in: URLSession(configuration: .forTests))
                    #expect(try result.get() == (form.givesBody ? APIForm.uploadedBody : Data()))
                    #expect(server.requests.map(\.text) == ["", "sent", "sent"])
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("A body of a request is sent again, and so are its cookies", arguments: APIForm.some.filter { !$0.uploads })
    func body(_ form: APIForm) async throws {
        let server = try server()
        let session = URLSession(configuration: .ephemeral)
        let cookie = HTTPCookie(properties: [.domain: "127.0.0.1", .path: "/", .name: "a", .value: "b"])
        session.configuration.httpCookieStorage?.setCookie(try #require(cookie))
        var request = URLRequest(url: server.url(), method: .put)
        request.httpBody = Data("body".utf8)
        #expect(try await result(of: request, by: form, in: session).get() == Data("body".utf8))
        #expect(server.requests.map(\.text) == ["", "body", "body"])
        #expect(server.requests.map { $0.header("Cookie") } == ["a=b", "a=b", "a=b"])
    }

    @Test("What must not be sent twice is a lost connection", arguments: APIForm.some, [.post, .patch] as [HTTPMethod])
    func post(_ form: APIForm, method: HTTPMethod) async throws {
        let server = try server()
        var request = URLRequest(url: server.url(), method: method)
        request.httpBody = APIForm.uploadedBody
        let result = try await result(of: request, by: form, in: URLSession(configuration: .forTests))
        #expect(result.error?.urlError?.code == .networkConnectionLost)
        #expect(server.requests.map(\.text) == ["", "sent"])
    }

    @Test(
        "The head of what must not be sent twice goes out once", arguments: APIForm.some,
        [.post, .patch] as [HTTPMethod])
    func head(_ form: APIForm, method: HTTPMethod) async throws {
        let server = try LoopbackServer(readsBodies: false) { request, connection in
            if request.method == "GET" { return try connection.respond() }
            // The body, if there is one, is not read: its head counts.
            connection.close()
        }
        var request = URLRequest(url: server.url(), method: method)
        request.httpBody = APIForm.uploadedBody
        let first = form.uploads ? APIForm.some[0] : form
        let session = URLSession(configuration: .forTests)
        _ = try await first.run(session, URLRequest(url: server.url())).get()
        #expect(await form.run(session, request).error?.urlError?.code == .networkConnectionLost)
        session.invalidateAndCancel()
        try await server.connectionsClosed()
        #expect(server.requests.map(\.method) == ["GET", method.rawValue])
    }

    /// Forms that send no body, or one without bytes.
    private static let emptyForms =
        APIForm.some.filter { !$0.uploads } + [
            APIForm("uploadTask(with:from:) of nothing", uploads: true) { session, request, codes, _ in
                await APIForm.calling {
                    session.uploadTask(with: request, from: nil, accepting: codes, resultHandler: $0)
                }
            },
            APIForm("uploadResult(for:from:) of nothing", uploads: true) {
                await $0.uploadResult(for: $1, from: Data(), accepting: $2, delegate: $3)
            },
            APIForm("uploadResult(for:fromFile:) of nothing", uploads: true) { session, request, codes, delegate in
                await TemporaryFolder().using(Data()) { file in
                    await session.uploadResult(for: request, fromFile: file, accepting: codes, delegate: delegate)
                }
            },
        ]

    @Test(
        "A request without a body is sent twice only if the method allows that", arguments: emptyForms,
        ["POST", "PATCH", "LOCK", "PUT", "DELETE"] as [HTTPMethod])
    func empty(_ form: APIForm, method: HTTPMethod) async throws {
        for body in [nil, Data()] {
            let server = try server()
            var request = URLRequest(url: server.url(), method: method)
            request.httpBody = body
            let result = try await result(of: request, by: form, in: URLSession(configuration: .forTests))
            let isSentAgain = [.put, .delete].contains(method)
            #expect(result.error?.urlError?.code == (isSentAgain ? nil : .networkConnectionLost))
            #expect(
                server.requests.map(\.method).dropFirst() == [method.rawValue] + (isSentAgain ? [method.rawValue] : []))
        }
    }

    @Test(
        "A request without a body says so, and nothing else", arguments: emptyForms,
        ["POST", "PATCH", "LOCK", "PUT", "DELETE"] as [HTTPMethod])
    func emptyBody(_ form: APIForm, method: HTTPMethod) async throws {
        let server = try LoopbackServer(.ok("body"))
        let session = URLSession(configuration: .forTests)
        var request = URLRequest(url: server.url(), method: method)
        for body in [nil, Data()] {
            request.httpBody = body
            // On a new connection, and on a kept one.
            for _ in 1...2 { _ = try await form.run(session, request).get() }
        }
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        _ = try await form.run(session, request).get()
        for request in server.requests {
            let names = request.headers.map { $0.name.lowercased() }
            #expect(names.filter { $0 == "content-length" }.count == 1)
            #expect(request.header("Content-Length") == "0")
            #expect(!names.contains("transfer-encoding") && !names.contains("expect"))
        }
        #expect(server.requests.map { $0.header("Content-Type") } == [nil, nil, nil, nil, "text/plain"])
        #expect(server.connectionCounts.accepted == 1)
    }

    @Test(
        "A body in chunks is sent again whole, or not at all", arguments: APIForm.some, [.put, .post] as [HTTPMethod])
    func chunks(_ form: APIForm, method: HTTPMethod) async throws {
        for _ in 0..<8 {
            let server = try server()
            var request = URLRequest(url: server.url(), method: method)
            request.setValue("chunked", forHTTPHeaderField: "Transfer-Encoding")
            request.httpBody = APIForm.uploadedBody
            let result = try await result(of: request, by: form, in: URLSession(configuration: .forTests))
            #expect((result.error == nil) == (method == .put))
            #expect(server.requests.map(\.text) == (method == .put ? ["", "sent", "sent"] : ["", "sent"]))
        }
    }

    @Test("A server that goes on closing connections is a lost connection", arguments: APIForm.some.filter(\.uploads))
    func closing(_ form: APIForm) async throws {
        let server = try server(closing: 100)
        let request = URLRequest(url: server.url(), method: .put)
        let result = try await result(of: request, by: form, in: URLSession(configuration: .forTests))
        #expect(result.error?.urlError?.code == .networkConnectionLost)
    }

    @Test(
        "A server that closes one kept connection after the other gets a request six times at most",
        arguments: APIForm.some.filter(\.uploads))
    func closingKept(_ form: APIForm) async throws {
        let connectionCount = 24
        let count = Monitor(0)
        let server = try LoopbackServer { request, connection in
            guard request.method == "GET" else { return connection.close() }
            count.withLock { $0 += 1 }
            count.wait { $0 == connectionCount }
            try connection.respond()
        }
        let configuration = URLSessionConfiguration.forTests
        configuration.httpMaximumConnectionsPerHost = connectionCount
        let session = URLSession(configuration: configuration)
        await withTaskGroup { group in
            for _ in 0..<connectionCount { group.addTask { _ = await session.dataResult(from: server.url()) } }
        }
        let result = await form.run(session, URLRequest(url: server.url(), method: .put))
        #expect(result.error?.urlError?.code == .networkConnectionLost)
        #expect(server.requests.count { $0.method == "PUT" } == 6)
    }

    @Test(
        "A body stream is renewed by the delegate, on its queue, or the connection is lost", arguments: APIForm.some,
        [true, false])
    func stream(_ form: APIForm, isRenewed: Bool) async throws {
        guard !form.uploads else { return }
        let server = try server()
        let delegate = RenewingDelegate()
        let session = URLSession(configuration: .forTests, delegate: isRenewed ? delegate : nil, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        var request = URLRequest(url: server.url(), method: .put)
        request.httpBodyStream = InputStream(data: Data("streamed".utf8))
        let result = try await result(of: request, by: form, in: session)
        #expect(result.error?.urlError?.code == (isRenewed ? nil : .networkConnectionLost))
        #expect(server.requests.map(\.text) == ["", "streamed"] + (isRenewed ? ["renewed"] : []))
        #expect(delegate.isOnQueue.value == (isRenewed ? [true] : []))
    }

    @Test("A delegate that knows only body streams is not asked for data", arguments: APIForm.some.filter(\.uploads))
    func delegateOfStreams(_ form: APIForm) async throws {
        let server = try server()
        let delegate = RenewingDelegate()
        let session = URLSession(configuration: .forTests, delegate: delegate, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let request = URLRequest(url: server.url(), method: .put)
        #expect(try await result(of: request, by: form, in: session).get() == APIForm.uploadedBody)
        #expect(delegate.isOnQueue.value.isEmpty)
    }
}

/// Answers twice, of which the first counts.
private final class RenewingDelegate: NSObject, URLSessionTaskDelegate {
    /// Whether it was asked on the delegate queue.
    let isOnQueue = Monitor<[Bool]>([])

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        isOnQueue.withLock { $0.append(OperationQueue.current === session.delegateQueue) }
        completionHandler(InputStream(data: Data("renewed".utf8)))
        completionHandler(InputStream(data: Data("second".utf8)))
    }
}

#endif
