#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Responses that the caller has stored in the cache of a session. The library stores none.
@Suite(.inTurn)
struct CachedLoadTests {
    private static let forms = APIForm.data + APIForm.streams

    private let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
    private var session: URLSession {
        let configuration = URLSessionConfiguration.forTests
        configuration.urlCache = cache
        return URLSession(configuration: configuration)
    }

    private func store(_ status: Int, _ body: String, for request: URLRequest) throws {
        let url = try #require(request.url)
        // Long out of date.
        let fields = ["Cache-Control": "max-age=1", "Date": "Sun, 06 Nov 1994 08:49:37 GMT"]
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields))
        cache.storeCachedResponse(CachedURLResponse(response: response, data: Data(body.utf8)), for: request)
    }

    @Test(
        "A stored response is given if the policy of the request prefers it, however old it is", arguments: forms,
        [
            URLRequest.CachePolicy.returnCacheDataElseLoad, .returnCacheDataDontLoad, .useProtocolCachePolicy,
            .reloadIgnoringLocalCacheData,
        ])
    func stored(_ form: APIForm, policy: URLRequest.CachePolicy) async throws {
        let server = try LoopbackServer(.ok("new"))
        let request = URLRequest(url: server.url(), cachePolicy: policy)
        let prefersCache = [.returnCacheDataElseLoad, .returnCacheDataDontLoad].contains(policy)
        try store(200, "old", for: request)
        let body = try await form.run(session, request).get()
        if form.givesBody { #expect(body == Data((prefersCache ? "old" : "new").utf8)) }
        #expect(server.requests.count == (prefersCache ? 0 : 1))
        try store(404, "", for: request)
        #expect(await form.run(session, request).error?.statusCode == (prefersCache ? 404 : nil))
    }

    @Test(
        "A stored response is not that of another query, of another scheme, or of a part",
        arguments: [("?page=1", "?page=1", true), ("?page=1", "?page=2", false), ("", "?page=1", false)])
    func query(stored: String, asked: String, isGiven: Bool) async throws {
        let server = try LoopbackServer(.ok("new"))
        try store(200, "old", for: URLRequest(url: server.url("/albums\(stored)")))
        let request = URLRequest(url: server.url("/albums\(asked)"), cachePolicy: .returnCacheDataElseLoad)
        #expect(try await session.dataResult(for: request).get() == Data((isGiven ? "old" : "new").utf8))
        let encrypted = try #require(URL(string: "https://127.0.0.1:\(server.port)/albums\(stored)"))
        let other = URLRequest(url: encrypted, cachePolicy: .returnCacheDataDontLoad)
        #expect(await session.dataResult(for: other).error?.urlError?.code == .resourceUnavailable)
        try store(206, "part", for: URLRequest(url: server.url("/albums\(asked)")))
        #expect(try await session.dataResult(for: request).get() == Data("new".utf8))
    }

    @Test("The policy of the session counts where the request has none", arguments: forms)
    func policyOfSession(_ form: APIForm) async throws {
        let server = try LoopbackServer(.ok("new"))
        let configuration = URLSessionConfiguration.forTests
        configuration.urlCache = cache
        configuration.requestCachePolicy = .returnCacheDataDontLoad
        let session = URLSession(configuration: configuration)
        let request = URLRequest(url: server.url())
        #expect(await form.run(session, request).error?.urlError?.code == .resourceUnavailable)
        try store(200, "old", for: request)
        let body = try await form.run(session, request).get()
        if form.givesBody { #expect(body == Data("old".utf8)) }
        #expect(server.requests.isEmpty)
    }

    @Test("A stored response has no metrics", arguments: [true, false])
    func metrics(isStored: Bool) async throws {
        let server = try LoopbackServer(.ok("new"))
        let request = URLRequest(url: server.url(), cachePolicy: .returnCacheDataElseLoad)
        if isStored { try store(200, "old", for: request) }
        let response = try await session.dataResult(for: request, decoder: .response(.string())).get()
        #expect(response.body == (isStored ? "old" : "new"))
        #expect((response.metrics == nil) == isStored)
    }

    @Test("Without a stored response, the policy says whether the request is sent", arguments: forms)
    func nothing(_ form: APIForm) async throws {
        let server = try LoopbackServer(.ok("new"))
        var request = URLRequest(url: server.url(), cachePolicy: .returnCacheDataDontLoad)
        #expect(await form.run(session, request).error?.urlError?.code == .resourceUnavailable)
        #expect(server.requests.isEmpty)
        request.cachePolicy = .returnCacheDataElseLoad
        _ = try await form.run(session, request).get()
        #expect(server.requests.count == 1)
    }

    @Test(
        "A stored response answers a GET alone: whatever writes is sent, and a HEAD has no body",
        arguments: ["POST", "PUT", "PATCH", "DELETE", "HEAD"], forms)
    func otherMethods(method: String, form: APIForm) async throws {
        let server = try LoopbackServer(.ok(method == "HEAD" ? "" : "new"))
        var request = URLRequest(url: server.url(), cachePolicy: .returnCacheDataElseLoad)
        try store(200, "old", for: request)
        request.httpMethod = method
        #expect(
            try await form.run(session, request).get() == Data((form.givesBody && method != "HEAD" ? "new" : "").utf8))
        #expect(server.requests.map(\.method) == [method])
        request.cachePolicy = .returnCacheDataDontLoad
        #expect(await form.run(session, request).error?.urlError?.code == .resourceUnavailable)
        #expect(server.requests.count == 1)
    }

    @Test("A POST that is redirected to a URL with a stored response is sent there", arguments: forms)
    func redirectedPost(_ form: APIForm) async throws {
        let server = try LoopbackServer(["/": .redirect(to: "/target", status: 307), "/target": .ok("new")])
        try store(200, "old", for: URLRequest(url: server.url("/target")))
        var request = URLRequest(url: server.url(), cachePolicy: .returnCacheDataElseLoad)
        request.httpMethod = "POST"
        request.httpBody = Data("body".utf8)
        _ = try await form.run(session, request).get()
        #expect(server.requests.map(\.text) == ["body", "body"])
    }

    @Test(
        "A stored response is given if its status may be stored without being asked to (RFC 9110, section 15.1)",
        arguments: [200, 203, 204, 206, 300, 301, 404, 405, 410, 414, 501, 201, 202, 302, 307, 400, 401, 403, 500, 503])
    func statuses(status: Int) async throws {
        let server = try LoopbackServer(.ok("new"))
        var request = URLRequest(url: server.url(), cachePolicy: .returnCacheDataElseLoad)
        if status == 206 { request.setValue("bytes=0-2", forHTTPHeaderField: "Range") }
        try store(status, "old", for: request)
        let isGiven = [200, 203, 204, 206, 300, 301, 404, 405, 410, 414, 501].contains(status)
        let response = await session.dataResult(for: request, decoder: .response(.data), accepting: 100..<600)
        #expect(try response.get().statusCode == (isGiven ? status : 200))
        #expect(server.requests.count == (isGiven ? 0 : 1))
    }

    @Test("A stored response stores no cookies again", arguments: forms)
    func cookies(_ form: APIForm) async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = cache
        let url = try #require(URL(string: "http://127.0.0.1:9/"))
        let request = URLRequest(url: url, cachePolicy: .returnCacheDataDontLoad)
        let response = try #require(
            HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: ["Set-Cookie": "session=1; Path=/"]))
        cache.storeCachedResponse(CachedURLResponse(response: response, data: Data("old".utf8)), for: request)
        _ = try await form.run(URLSession(configuration: configuration), request).get()
        #expect(configuration.httpCookieStorage?.cookies == [])
    }

    @Test("A task that is cancelled at once ends once, with or without the stored response")
    func cancelled() async throws {
        let request = URLRequest(
            url: try #require(URL(string: "http://127.0.0.1:9/")), cachePolicy: .returnCacheDataDontLoad)
        try store(200, "old", for: request)
        let session = session
        for _ in 0..<100 {
            let results = Monitor<[DataResult]>([])
            let task = session.dataTask(with: request) { result in results.withLock { $0.append(result) } }
            task.resume()
            task.cancel()
            let error = try await results.value { !$0.isEmpty }[0].error
            #expect(error == nil || error?.isCancelled == true)
            #expect(results.value.count == 1)
        }
    }

    @Test("A task ends once if its session is invalidated while it is given the stored response")
    func invalidated() async throws {
        let request = URLRequest(
            url: try #require(URL(string: "http://127.0.0.1:9/")), cachePolicy: .returnCacheDataDontLoad)
        try store(200, "old", for: request)
        for _ in 0..<200 {
            let session = session
            let results = Monitor<[DataResult]>([])
            session.dataTask(with: request) { result in results.withLock { $0.append(result) } }.resume()
            session.invalidateAndCancel()
            let error = try await results.value { !$0.isEmpty }[0].error
            #expect(error == nil || error?.isCancelled == true)
            #expect(results.value.count == 1)
        }
    }
}

#endif
