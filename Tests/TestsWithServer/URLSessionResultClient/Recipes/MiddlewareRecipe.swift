import Foundation
import Testing
import URLSessionResultClient
import URLSessionResultTesting

@testable import TestSupport

// snippet.offline-cache
/// Gives the last response to a GET while there is no connection.
nonisolated struct OfflineCache: RequestMiddleware {
    /// Remove it when the user signs out.
    let folder: URL

    private struct Entry: Codable {
        let url: URL
        let body: Data
    }

    func response<Body: Sendable>(
        for request: URLRequest, next: @escaping SendRequest<Body>
    ) async -> Result<NetworkResponse<Body>, NetworkError> {
        let result = await next(request)
        guard request.httpMethod == "GET", let url = request.url else {
            return result
        }
        switch result {
        case .success(let response):
            // Of a download or a stream, nothing is kept.
            if let body = response.body as? Data {
                save(Entry(url: url, body: body))
            }
            return result
        case .failure(let error):
            guard isOffline(error),
                let body = body(for: url) as? Body,
                let stale = HTTPURLResponse(
                    url: url, statusCode: 200, httpVersion: nil,
                    headerFields: ["Warning": #"110 - "stale""#])
            else { return result }
            return .success(
                NetworkResponse(body: body, urlResponse: stale))
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

    private func body(for url: URL) -> Data? {
        guard let data = try? Data(contentsOf: file(for: url)) else {
            return nil
        }
        let entry = try? JSONDecoder().decode(Entry.self, from: data)
        return entry?.url == url ? entry?.body : nil
    }
}
// snippet.end

// snippet.rate-limit
nonisolated extension Retry {
    /// Also waits where the API says 403 instead of 429.
    static func withRateLimit(longestWait: TimeInterval = 60) -> Retry {
        Retry(longestWait: longestWait) { error, _ in
            let response = error.response
            guard error.statusCode == 403,
                response?.header("X-RateLimit-Remaining") == "0",
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

@Suite("Recipe: middleware of one's own", .inTurn)
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
        let reset = Date().timeIntervalSince1970 + 30
        let stub = SessionStub(
            .response(
                statusCode: 403, headers: ["X-RateLimit-Remaining": remaining, "X-RateLimit-Reset": "\(Int(reset))"]),
            .text("done"))
        var retry = Retry.withRateLimit()
        retry.sleep = { seconds in waits.withLock { $0.append(seconds) } }
        let client = APIClient(baseURL: try url(), session: stub.session, middleware: [retry])
        _ = await client.result(for: Endpoint(.get, "a", decoder: .string()))
        #expect(stub.requests.count == requests)
        #expect(waits.value.allSatisfy { (1...30).contains($0) })
        #expect(waits.value.count == requests - 1)
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
