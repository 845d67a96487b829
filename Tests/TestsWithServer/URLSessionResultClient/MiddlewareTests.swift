import Foundation
import Testing
import URLSessionResultClient
import URLSessionResultTesting

@testable import TestSupport

@Suite(.inTurn)
struct MiddlewareTests {
    private let session = URLSession(configuration: .forTests)

    /// Writes down when a request passes, and what came of it.
    private struct Witness: RequestMiddleware {
        let name: String
        let seen: Monitor<[String]>

        func response<Body: Sendable>(
            for request: URLRequest, next: @escaping SendRequest<Body>
        ) async -> Result<NetworkResponse<Body>, NetworkError> {
            var request = request
            request.setValue(name, forHTTPHeaderField: "X-\(name)")
            seen.withLock { $0.append("+\(name)") }
            let result = await next(request)
            seen.withLock { $0.append("-\(name) \(code(of: result))") }
            return result
        }

        private func code<Body>(of result: Result<NetworkResponse<Body>, NetworkError>) -> Int {
            switch result {
            case .success(let response): response.statusCode ?? 0
            case .failure(let error): error.statusCode ?? 0
            }
        }
    }

    private func client(_ server: LoopbackServer, _ middleware: any RequestMiddleware...) -> APIClient {
        APIClient(baseURL: server.url(), session: session, middleware: middleware)
    }

    private func retry(_ waits: Monitor<[TimeInterval]> = Monitor([])) -> Retry {
        var retry = Retry()
        retry.random = { $0 }
        retry.sleep = { seconds in
            waits.withLock { $0.append(seconds) }
            try Task.checkCancellation()
        }
        return retry
    }

    @Test(
        "The first element is the outermost, and each sees the response",
        arguments: RequestKind.allCases)
    func order(_ kind: RequestKind) async throws {
        let seen = Monitor<[String]>([])
        let server = try LoopbackServer(.done)
        let client = client(
            server, Witness(name: "a", seen: seen), Witness(name: "b", seen: seen), Witness(name: "c", seen: seen))
        #expect(await kind.text(client).error == nil)
        #expect(seen.value == ["+a", "+b", "+c", "-c 200", "-b 200", "-a 200"])
        let first = try #require(server.requests.first)
        for name in ["a", "b", "c"] { #expect(first.header("X-\(name)") == name) }
    }

    @Test(
        "All middleware together: a 503, a 401 and a body that breaks off, each in its turn",
        arguments: RequestKind.allCases)
    func together(_ kind: RequestKind) async throws {
        // A stream that breaks off after its head is for the caller.
        let broken =
            [.stream, .values, .lines, .events].contains(kind)
            ? LoopbackServer.Response.status(503) : .truncated("da", of: 9)
        let server = try LoopbackServer.inTurn(.status(503), .status(401), broken, .status(401), .done)
        let tokens = Monitor(0)
        let token = TokenAuthentication("0", for: server.url()) { refused in
            let number = tokens.withLock { count in
                count += 1
                return count
            }
            return .success(AccessToken("\(number)"))
        }
        let lines = Monitor<[String]>([])
        let client = client(
            server, Deadline(seconds: 600), retry(), token, RequestLog { line in lines.withLock { $0.append(line) } })
        #expect(try await kind.text(client).get() == RequestKind.body)
        #expect(
            server.requests.map { $0.header("Authorization") }
                == ["Bearer 0", "Bearer 0", "Bearer 1", "Bearer 1", "Bearer 2"])
        #expect(lines.value.count == 10)
        #expect(lines.value.allSatisfy { !$0.contains("Bearer") })
    }

    @Test("Each piece works around a plain counterpart, and around another one")
    func plainCounterparts() async throws {
        let server = try LoopbackServer.inTurn(.status(503), .status(401), .done)
        let token = TokenAuthentication("0", for: server.url()) { _ in .success("1") }
        let folder = TemporaryFolder()
        let file = folder.file("received")
        let retry = retry()
        let request = URLRequest(url: server.url())
        let result = await retry.response(for: request) { request in
            await token.response(for: request) { [session] in await session.downloadResponse(for: $0, to: file) }
        }
        #expect(try Data(contentsOf: result.get().body) == Data(RequestKind.body.utf8))
    }

    @Test("A POST is sent once, unless it has a key or its method is allowed", arguments: RequestKind.allCases)
    func post(_ kind: RequestKind) async throws {
        guard [.response, .request, .upload, .file, .form].contains(kind) else { return }
        let refusing = try LoopbackServer(.status(503))
        #expect(await kind.text(client(refusing, retry()), method: .post).error?.statusCode == 503)
        #expect(refusing.requests.count == 1)
        let server = try LoopbackServer.inTurn(.status(503), .done)
        let keyed = APIClient(
            baseURL: server.url(), session: session, headers: ["Idempotency-Key": "1"], middleware: [retry()])
        #expect(await kind.text(keyed, method: .post).error == nil)
        var retry = retry()
        retry.alsoRepeating = [.post]
        let other = try LoopbackServer.inTurn(.status(503), .done)
        #expect(await kind.text(client(other, retry), method: .post).error == nil)
    }

    /// Keeps the bytes that pass.
    private struct BytesWitness: RequestMiddleware {
        let seen: Monitor<[Data]>

        func response<Body: Sendable>(
            for request: URLRequest, next: @escaping SendRequest<Body>
        ) async -> Result<NetworkResponse<Body>, NetworkError> {
            let result = await next(request)
            if let response = try? result.get() as? NetworkResponse<Data> {
                seen.withLock { $0.append(response.body) }
            }
            return result
        }
    }

    @Test("Middleware sees the bytes, and the value is decoded behind it, also with a decoder that wants the response")
    func bytes() async throws {
        let server = try LoopbackServer(.json("[1]"))
        let seen = Monitor<[Data]>([])
        let client = client(server, BytesWitness(seen: seen))
        #expect(try await client.result(for: Endpoint(.get, "a", as: [Int].self)).get() == [1])
        let response = Endpoint(.get, "a", decoder: .response(.json([Int].self)))
        #expect(try await client.result(for: response).get().body == [1])
        let error = await client.result(for: Endpoint(.get, "a", as: String.self)).error
        guard case .decodingError? = error else { return #expect(Bool(false)) }
        #expect(seen.value == Array(repeating: Data("[1]".utf8), count: 3))
    }

    /// Sends equal requests once.
    private final class Joining: RequestMiddleware {
        let tasks = Monitor<[URLRequest: any Sendable]>([:])
        let calls = Monitor(0)

        func response<Body: Sendable>(
            for request: URLRequest, next: @escaping SendRequest<Body>
        ) async -> Result<NetworkResponse<Body>, NetworkError> {
            typealias Sending = Task<Result<NetworkResponse<Body>, NetworkError>, Never>
            let task = tasks.withLock { tasks in
                if let task = tasks[request] as? Sending { return task }
                let task = Sending { await next(request) }
                tasks[request] = task
                return task
            }
            calls.withLock { $0 += 1 }
            defer { tasks.withLock { $0[request] = nil } }
            return await task.value
        }
    }

    @Test("A middleware may join equal requests")
    func joining() async throws {
        let gate = Gate()
        let server = try LoopbackServer(LoopbackServer.Response.ok("done").once(gate))
        let joining = Joining()
        let client = client(server, joining)
        let endpoint = Endpoint(.get, "a", decoder: .string())
        async let first = client.result(for: endpoint)
        async let second = client.result(for: endpoint)
        try await joining.calls.value { $0 == 2 }
        gate.open()
        #expect(try await [first, second].map { try $0.get() } == ["done", "done"])
        #expect(server.requests.count == 1)
    }

    @Test("An adapter changes the requests of its origin, and what it throws is the result", arguments: [true, false])
    func adapter(isOwn: Bool) async throws {
        let server = try LoopbackServer(.ok())
        let other = try LoopbackServer(.ok())
        let adapter = RequestAdapter(for: isOwn ? server.url() : nil) { request in
            await Task.yield()
            request.setValue("1", forHTTPHeaderField: "X-Key")
        }
        let client = client(server, adapter)
        for server in [server, other] {
            #expect(await client.result(for: Endpoint(.get, EndpointPath(server.url()))).error == nil)
        }
        #expect(server.requests.map { $0.header("X-Key") } == ["1"])
        #expect(other.requests.map { $0.header("X-Key") } == [isOwn ? nil : "1"])
        let failing = self.client(server, RequestAdapter { _ in throw CocoaError(.coderInvalidValue) })
        guard case .encodingError? = await failing.result(for: Endpoint(.get, "")).error else {
            return #expect(Bool(false))
        }
        let refusing = self.client(server, RequestAdapter { _ in throw NetworkError.noData })
        guard case .noData? = await refusing.result(for: Endpoint(.get, "")).error else { return #expect(Bool(false)) }
        #expect(server.requests.count == 1)
    }

    @Test(
        "What an adapter sets for an origin stays there after a redirect, also without a client",
        arguments: [true, false])
    func adapterWithoutClient(isOwn: Bool) async throws {
        let other = try LoopbackServer(.ok("done"))
        let server = try LoopbackServer(.redirect(to: other.url("/b").absoluteString))
        let adapter = RequestAdapter(for: isOwn ? server.url() : nil) { request in
            request.setValue("1", forHTTPHeaderField: "X-Key")
        }
        let result = await adapter.response(for: URLRequest(url: server.url())) { [session] request in
            await session.dataResult(for: request, decoder: .response(.data))
        }
        #expect(try result.get().body == Data("done".utf8))
        #expect(server.requests.map { $0.header("X-Key") } == ["1"])
        #expect(other.requests.map { $0.header("X-Key") } == [isOwn ? nil : "1"])
    }

    @Test(
        "An adapter that is cancelled, or whose own request fails, says so",
        arguments: [CancellationError(), URLError(.cancelled), URLError(.timedOut)] as [any Error])
    func failingAdapter(error: any Error) async throws {
        let server = try LoopbackServer(.ok())
        let result = await client(server, RequestAdapter { _ in throw error }).result(for: Endpoint(.get, ""))
        let code = (error as? URLError)?.code ?? .cancelled
        #expect(result.error?.urlError?.code == code)
        #expect(result.error?.isCancelled == (code == .cancelled))
        #expect(server.requests.isEmpty)
    }

    @Test("What a middleware sets wrongly is an error, and nothing is sent", arguments: ["field", "method"])
    func invalidChange(_ what: String) async throws {
        let server = try LoopbackServer(.ok())
        let adapter = RequestAdapter { request in
            if what == "method" { request.httpMethod = "GET /\r\n" }
            // `setValue` of FoundationNetworking leaves such a value out, and says nothing.
            if what == "field" { request.allHTTPHeaderFields = ["X-Key": "1\r\nX-Other: 2"] }
        }
        let error = await client(server, adapter).result(for: Endpoint(.get, "")).error
        guard case .encodingError? = error else { return #expect(Bool(false)) }
        #expect(server.requests.isEmpty)
    }

    @Test("A function of one's own is sent through the middleware, with the body of a file")
    func send() async throws {
        let folder = TemporaryFolder()
        let server = try LoopbackServer.inTurn(.status(503), .ok("done"))
        let body = RequestBody.file(folder.file("sent", Data("sent".utf8)), contentType: "text/plain")
        let result = await client(server, retry()).send(Endpoint(.put, "a", body: body)) { [session] request in
            await session.dataResult(for: request, decoder: .response(.string()))
        }
        #expect(try result.get().body == "done")
        #expect(server.requests.map(\.text) == ["sent", "sent"])
    }

    @Test("A middleware that sends elsewhere takes along what it sets itself, and no secret of others")
    func elsewhere() async throws {
        let server = try LoopbackServer(.ok())
        let mirror = try LoopbackServer(.ok("done"))
        let adapter = RequestAdapter { request in
            request.url = mirror.url("/b")
            request.setValue("mirror", forHTTPHeaderField: "X-Mirror-Key")
        }
        let client = APIClient(
            baseURL: server.url(), session: session, headers: ["X-Key": "secret", "User-Agent": "x"],
            middleware: [TokenAuthentication("secret", for: server.url()), adapter])
        let result = await client.send(Endpoint(.get, "a", headers: ["X-Own": "secret"])) { [session] request in
            await session.dataResult(for: request, decoder: .response(.string()))
        }
        #expect(try result.get().body == "done")
        let sent = try #require(mirror.requests.first)
        #expect(["X-Key", "X-Own", "Authorization"].allSatisfy { sent.header($0) == nil })
        #expect(sent.header("X-Mirror-Key") == "mirror" && sent.header("User-Agent") == "x")
    }
}
