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
