import Foundation
import Testing
import URLSessionResultClient
import URLSessionResultTesting

@testable import TestSupport

// snippet.offline-cache
/// Asks with the tag of the last response to a GET, and gives that
/// response again if it has not changed, or without a connection.
nonisolated struct OfflineCache: RequestMiddleware {
    /// Remove it when the user signs out.
    let folder: URL

    private struct Entry: Codable {
        let url: URL
        let body: Data
        let tag: String?
    }

    func response<Body: Sendable>(
        for request: URLRequest, next: @escaping SendRequest<Body>
    ) async -> Result<NetworkResponse<Body>, NetworkError> {
        // Of a download or a stream, nothing is kept.
        guard Body.self == Data.self, request.httpMethod == "GET",
            let url = request.url
        else { return await next(request) }
        let entry = entry(for: url)
        var tagged = request
        if let tag = entry?.tag {
            tagged.cachePolicy = .reloadIgnoringLocalCacheData
            tagged.setValue(tag, forHTTPHeaderField: "If-None-Match")
        }
        let result = await next(tagged)
        switch result {
        case .success(let response):
            if response.statusCode == 200,
                let body = response.body as? Data
            {
                let tag = response.header("ETag")
                save(Entry(url: url, body: body, tag: tag))
            }
            return result
        case .failure(let error):
            let isUnchanged = error.statusCode == 304
            guard isUnchanged || isOffline(error),
                let body = entry?.body as? Body,
                let kept = HTTPURLResponse(
                    url: url, statusCode: 200, httpVersion: nil,
                    headerFields: isUnchanged
                        ? [:] : ["Warning": #"110 - "stale""#])
            else { return result }
            return .success(
                NetworkResponse(body: body, urlResponse: kept))
        }
    }

    /// On Linux, no error says that there is no connection.
    private func isOffline(_ error: NetworkError) -> Bool {
        switch error.urlError?.code {
        case .notConnectedToInternet, .timedOut: true
        case .cannotFindHost, .cannotConnectToHost: true
        default: false
        }
    }

    private func file(for url: URL) -> URL {
        let name = url.absoluteString.utf8.reduce(UInt64(5381)) {
            $0 &* 33 &+ UInt64($1)
        }
        return folder.appendingPathComponent("\(name)")
    }

    /// A cache that cannot be written stays as it is.
    private func save(_ entry: Entry) {
        try? FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true)
        try? JSONEncoder().encode(entry)
            .write(to: file(for: entry.url), options: .atomic)
    }

    private func entry(for url: URL) -> Entry? {
        guard let data = try? Data(contentsOf: file(for: url)) else {
            return nil
        }
        let entry = try? JSONDecoder().decode(Entry.self, from: data)
        return entry?.url == url ? entry : nil
    }
}
// snippet.end

// snippet.rate-limit
nonisolated extension Retry {
    /// Also waits where the API says 403 instead of 429.
    static func withRateLimit(longestWait: TimeInterval = 60) -> Retry {
        Retry(longestWait: longestWait) { attempt in
            guard attempt.error.statusCode == 403 else { return .usual }
            if let wait = attempt.error.retryAfter {
                return .after(seconds: wait)
            }
            let response = attempt.error.response
            guard response?.header("X-RateLimit-Remaining") == "0",
                let reset = response?.header("X-RateLimit-Reset"),
                let time = TimeInterval(reset)
            else { return .usual }
            let wait = time - Date().timeIntervalSince1970
            return .after(seconds: max(0, wait))
        }
    }
}
// snippet.end

// snippet.signature
/// Signs the method, the path, the query and the time of each attempt.
nonisolated func signature(
    for api: URL, by sign: @escaping @Sendable (Data) throws -> Data
) -> RequestAdapter {
    RequestAdapter(for: api) { request in
        let date = Date().ISO8601Format()
        let url = request.url.flatMap {
            URLComponents(url: $0, resolvingAgainstBaseURL: true)
        }
        let lines = [
            request.httpMethod ?? "GET", url?.percentEncodedPath ?? "",
            url?.percentEncodedQuery ?? "", date,
        ]
        let signature = try sign(
            Data(lines.joined(separator: "\n").utf8))
        request.setValue(date, forHTTPHeaderField: "X-Date")
        request.setValue(
            signature.base64EncodedString(),
            forHTTPHeaderField: "X-Signature")
    }
}
// snippet.end

/// Recipe: middleware of one's own.
struct MiddlewareRecipe {
    private let folder = TemporaryFolder()

    private func url() throws -> URL { try #require(URL(string: "https://api.test/v1")) }

    @Test(
        "Without a connection, the last response to the same GET is there, and no other",
        arguments: [.notConnectedToInternet, .timedOut, .cannotFindHost, .cannotConnectToHost] as [URLError.Code])
    func offline(code: URLError.Code) async throws {
        let stub = SessionStub(.text("one"), .failure(URLError(code)))
        let cache = OfflineCache(folder: folder.file("cache"))
        let client = APIClient(baseURL: try url(), session: stub.session, middleware: [cache])
        let endpoint = Endpoint(.get, "a", decoder: .response(.string()))
        #expect(try await client.result(for: endpoint).get().body == "one")
        let stale = try await client.result(for: endpoint).get()
        #expect(stale.body == "one")
        #expect(stale.header("Warning")?.hasPrefix("110") == true)
        #expect(await client.result(for: Endpoint(.get, "b", decoder: .string())).error != nil)
        #expect(await client.result(for: Endpoint(.post, "a", decoder: .string())).error != nil)
        #expect(await client.downloadResult(for: endpoint, to: folder.file("a")).error != nil)
    }

    @Test(
        "A GET has the tag of its last response, whose body is there if nothing has changed, then without a connection")
    func tag() async throws {
        let stub = SessionStub(
            .text("one", headers: ["ETag": "v1"]), .response(statusCode: 304), .failure(URLError(.timedOut)),
            .text("two", headers: ["ETag": "v2"]), .response(statusCode: 304))
        let cache = OfflineCache(folder: folder.file("tags"))
        let client = APIClient(baseURL: try url(), session: stub.session, middleware: [cache])
        let endpoint = Endpoint(.get, "a", decoder: .response(.string()))
        var answers: [String] = []
        for _ in 0..<5 {
            let response = try await client.result(for: endpoint).get()
            answers.append("\(response.body) \(response.header("Warning") == nil)")
        }
        #expect(answers == ["one true", "one true", "one false", "two true", "two true"])
        let tags = stub.requests.map { $0.value(forHTTPHeaderField: "If-None-Match") }
        #expect(tags == [nil, "v1", "v1", "v1", "v2"])
        #expect(await client.bytesResult(for: endpoint).error?.statusCode == 304)
        #expect(stub.requests.last?.value(forHTTPHeaderField: "If-None-Match") == nil)
    }

    @Test("A decision is tested by an attempt, without a request")
    func decision() async throws {
        let url = try url()
        var isUsual = false
        func print(_ value: Bool) { isUsual = value }
        // snippet.decision
        let attempt = Retry.Attempt(
            request: URLRequest(url: url), error: .noData, number: 1)
        let decision = await Retry.withRateLimit().decide(attempt)
        print(decision == .usual)
        // snippet.end
        #expect(isUsual)
    }

    @Test("An API key is sent in a header field to its origin alone, or in the query")
    func key() async throws {
        let (url, key) = (try url(), "k1")
        let away = try #require(URL(string: "https://other.test/"))
        let stub = SessionStub { request in
            request.url?.path == "/v1/away" ? .redirect(to: away) : .text("")
        }
        // snippet.key-in-header
        let keyInHeader = RequestAdapter(for: url) { [key] request in
            request.setValue(key, forHTTPHeaderField: "X-Api-Key")
        }
        // snippet.end
        // snippet.key-in-query
        var keyed = URLComponents(url: url, resolvingAgainstBaseURL: true)
        keyed?.queryItems = [URLQueryItem(name: "key", value: key)]
        let keyInQuery = APIClient(baseURL: keyed?.url ?? url)
        // snippet.end
        let inHeader = APIClient(baseURL: url, middleware: [keyInHeader])
        for var client in [inHeader, keyInQuery] {
            client.session = stub.session
            _ = await client.result(for: Endpoint(.get, "away", query: ["page": 1], decoder: .string()))
        }
        let fields = stub.requests.map { $0.value(forHTTPHeaderField: "X-Api-Key") }
        #expect(fields == [key, nil, nil, nil])
        #expect(stub.requests.map { $0.url?.query } == ["page=1", nil, "key=k1&page=1", nil])
    }

    @Test("An error response is not kept, nor given for another")
    func rejection() async throws {
        let stub = SessionStub(.response(statusCode: 404), .failure(URLError(.timedOut)))
        let cache = OfflineCache(folder: folder.file("cache"))
        let client = APIClient(baseURL: try url(), session: stub.session, middleware: [cache])
        let endpoint = Endpoint(.get, "a", decoder: .string())
        #expect(await client.result(for: endpoint).error?.statusCode == 404)
        #expect(await client.result(for: endpoint).error?.urlError?.code == .timedOut)
    }

    @Test("A 403 of a rate limit is waited for, and another is not", arguments: [("0", 2), ("7", 1)])
    func rateLimit(_ remaining: String, requests: Int) async throws {
        let waits = Monitor<[TimeInterval]>([])
        let reset = Date().timeIntervalSince1970 + 3_600
        let stub = SessionStub(
            .response(
                statusCode: 403, headers: ["X-RateLimit-Remaining": remaining, "X-RateLimit-Reset": "\(Int(reset))"]),
            .text("done"))
        var retry = Retry.withRateLimit(longestWait: 3_600)
        retry.sleep = { seconds in waits.withLock { $0.append(seconds) } }
        let client = APIClient(baseURL: try url(), session: stub.session, middleware: [retry])
        _ = await client.result(for: Endpoint(.get, "a", decoder: .string()))
        #expect(stub.requests.count == requests)
        #expect(waits.value.allSatisfy { (1...3_600).contains($0) })
        #expect(waits.value.count == requests - 1)
    }

    @Test("A 403 with Retry-After alone is waited for, too, and one without it is the result", arguments: ["30", nil])
    func retryAfter(_ value: String?) async throws {
        let waits = Monitor<[TimeInterval]>([])
        let headers = value.map { ["Retry-After": $0] } ?? [:]
        let stub = SessionStub(.response(statusCode: 403, headers: headers), .text("done"))
        var retry = Retry.withRateLimit()
        retry.sleep = { seconds in waits.withLock { $0.append(seconds) } }
        let client = APIClient(baseURL: try url(), session: stub.session, middleware: [retry])
        let error = await client.result(for: Endpoint(.get, "a", decoder: .string())).error
        #expect(error?.statusCode == (value == nil ? 403 : nil))
        #expect(waits.value == (value == nil ? [] : [30]))
    }

    @Test("Each attempt is signed, and what another origin gets is not")
    func signed() async throws {
        let stub = SessionStub(.response(statusCode: 503, headers: ["Retry-After": "0"]), .text("done"))
        let signature = signature(for: try url()) { Data($0.prefix(26)) }
        let client = APIClient(baseURL: try url(), session: stub.session, middleware: [Retry(), signature])
        let endpoint = Endpoint(.get, "a/\("b/c")", query: ["q": "d&e"], decoder: .string())
        #expect(await client.result(for: endpoint).error == nil)
        let fields = stub.requests.compactMap { $0.value(forHTTPHeaderField: "X-Signature") }
        let signed = Data("GET\n/v1/a/b%2Fc\nq=d%26e\n20".utf8)
        #expect(fields == Array(repeating: signed.base64EncodedString(), count: 2))
        let elsewhere = EndpointPath(try #require(URL(string: "https://other.test/")))
        _ = await client.result(for: Endpoint(.get, elsewhere, decoder: .string()))
        #expect(stub.requests.last?.value(forHTTPHeaderField: "X-Signature") == nil)
    }

    @Test("If nothing can be signed, nothing is sent")
    func unsigned() async throws {
        let stub = SessionStub(.text("done"))
        let signature = signature(for: try url()) { _ in throw CocoaError(.featureUnsupported) }
        let client = APIClient(baseURL: try url(), session: stub.session, middleware: [signature])
        let error = await client.result(for: Endpoint(.get, "a", decoder: .string())).error
        guard case .encodingError = error else { return #expect(Bool(false)) }
        #expect(stub.requests.isEmpty)
    }
}
