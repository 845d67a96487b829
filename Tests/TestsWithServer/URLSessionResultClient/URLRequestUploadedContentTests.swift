import Foundation
import Testing

@testable import URLSessionResultClient
@testable import TestSupport

/// What a client sends from a file or a form, and what middleware sees of it.
@Suite(.inTurn)
struct URLRequestUploadedContentTests {
    private let folder = TemporaryFolder()
    private let session = URLSession(configuration: .forTests)

    enum Content: CaseIterable, Sendable { case file, form }

    private func body(_ content: Content) -> RequestBody {
        switch content {
        case .file: .file(folder.file("sent", Data("sent".utf8)), contentType: "a/b")
        case .form: .multipart([.field("a", value: 1), .file("b", folder.file("sent", Data("sent".utf8)))])
        }
    }

    private func patientRetry() -> Retry {
        var retry = Retry()
        retry.sleep = { _ in }
        return retry
    }

    /// Middleware that puts the size of what is sent in a field.
    private static let signature = RequestAdapter { request in
        var count = request.httpBody?.count
        if let file = request.uploadedFile { count = try Data(contentsOf: file).count }
        if let form = request.uploadedForm { count = try await form.data().count }
        request.setValue(count.map { "\($0)" }, forHTTPHeaderField: "X-Count")
    }

    @Test(
        "Middleware can sign it, each time it is sent, in every way", arguments: Content.allCases,
        RequestKind.allCases.filter(\.mayUpload))
    func signed(_ content: Content, _ kind: RequestKind) async throws {
        let server = try LoopbackServer.inTurn(.status(503), .status(401), .done)
        let other = try LoopbackServer(.ok("good"))
        let token = TokenAuthentication("bad", for: server.url()) { [session] _ in
            // What is sent within has no part of it.
            let client = APIClient(baseURL: other.url(), session: session, middleware: [Self.signature])
            return await client.result(for: Endpoint(.get, "token", decoder: .string())).map { AccessToken($0) }
        }
        let client = APIClient(
            baseURL: server.url(), session: session, middleware: [patientRetry(), token, Self.signature])
        #expect(try await kind.text(client, sending: body(content)).get() == RequestKind.body)
        #expect(server.requests.count == 3)
        for request in server.requests {
            #expect(!request.body.isEmpty)
            #expect(request.header("X-Count") == "\(request.body.count)")
        }
        #expect(other.requests.map { $0.header("X-Count") } == [nil])
    }

    @Test(
        "Middleware that sets another body of such a request gets an error, and nothing is sent",
        arguments: Content.allCases, [true, false])
    func otherBody(_ content: Content, isStream: Bool) async throws {
        let server = try LoopbackServer(.ok())
        let change: @Sendable (inout URLRequest) -> Void = { request in
            if isStream {
                request.httpBodyStream = InputStream(data: Data("other".utf8))
            } else {
                request.httpBody = Data("other".utf8)
            }
        }
        let client = APIClient(
            baseURL: server.url(), session: session, middleware: [patientRetry(), RequestAdapter { change(&$0) }])
        let endpoint = Endpoint(.put, "", body: body(content))
        let plain = APIClient(baseURL: server.url(), session: session)
        let errors = [
            await client.result(for: endpoint).error, await plain.result(for: endpoint.configured(change)).error,
            await plain.bytesResult(for: endpoint.configured(change)).error,
        ]
        for error in errors {
            guard case .encodingError(EncodingError.invalidValue(_, let context)) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(context.codingPath.map(\.stringValue) == [isStream ? "httpBodyStream" : "httpBody"])
            #expect(context.debugDescription == "This request sends a file or a form, and no other body.")
        }
        #expect(server.requests.isEmpty)
    }

    private struct OwnRequests: RequestMiddleware {
        let send: @Sendable () async -> Void

        func response<Body: Sendable>(
            for request: URLRequest, next: @escaping SendRequest<Body>
        ) async -> Result<NetworkResponse<Body>, NetworkError> {
            await send()
            return await next(request)
        }
    }

    @Test(
        "Requests of their own that a refresh and middleware send have no part of it", arguments: Content.allCases,
        [true, false])
    func ownRequests(_ content: Content, isRefresh: Bool) async throws {
        let server = try LoopbackServer(.done)
        let other = try LoopbackServer(.ok())
        let send: @Sendable () async -> Void = { [session] in
            for (method, body) in [("POST", "own"), ("GET", nil)] {
                var own = URLRequest(url: other.url("/own"))
                own.httpMethod = method
                own.httpBody = body.map { Data($0.utf8) }
                #expect(own.uploadedFile == nil && own.uploadedForm == nil)
                // As the documentation says. Middleware may be used without a client.
                let signed = RequestAdapter { request in
                    var bytes = request.httpBody
                    if let file = request.uploadedFile { bytes = try Data(contentsOf: file) }
                    if let form = request.uploadedForm { bytes = try await form.data() }
                    request.setValue(bytes.map { "\($0.count)" } ?? "none", forHTTPHeaderField: "X-Count")
                }
                _ = await Retry().response(for: own) { own in
                    await signed.response(for: own) { await session.dataResult(for: $0, decoder: .response(.data)) }
                }
            }
        }
        let token = TokenAuthentication(for: server.url()) { _ in
            await send()
            return .success("good")
        }
        let client = APIClient(
            baseURL: server.url(), session: session,
            middleware: [isRefresh ? token : OwnRequests(send: send), Self.signature])
        let endpoint = Endpoint(.post, "a", body: body(content), decoder: .string())
        #expect(try await client.result(for: endpoint).get() == RequestKind.body)
        #expect(other.requests.map { $0.header("X-Count") } == ["3", "none"])
        let sent = try #require(server.requests.first)
        #expect(sent.header("X-Count") == "\(sent.body.count)" && !sent.body.isEmpty)
    }

    /// Middleware that sends the request elsewhere, by other middleware.
    private struct Mirror: RequestMiddleware {
        let signature: RequestAdapter
        let retry: Retry

        func response<Body: Sendable>(
            for request: URLRequest, next: @escaping SendRequest<Body>
        ) async -> Result<NetworkResponse<Body>, NetworkError> {
            var request = request
            request.url?.appendPathComponent("mirror")
            return await retry.response(for: request) { [signature] in await signature.response(for: $0, next: next) }
        }
    }

    @Test("Middleware after one that changes the URL can sign it, and the reports go on", arguments: Content.allCases)
    func changedURL(_ content: Content) async throws {
        let server = try LoopbackServer.inTurn(.status(503), .done)
        let reports = Monitor<[TransferProgress]>([])
        let mirror = Mirror(signature: RequestAdapter { _ in }, retry: patientRetry())
        let client = APIClient(baseURL: server.url(), session: session, middleware: [mirror, Self.signature])
        let endpoint = Endpoint(.put, "a", body: body(content), decoder: .string())
        let result = await client.result(for: endpoint) { report in reports.withLock { $0.append(report) } }
        #expect(try result.get() == RequestKind.body)
        #expect(server.requests.map(\.path) == ["/a/mirror", "/a/mirror"])
        for request in server.requests { #expect(request.header("X-Count") == "\(request.body.count)") }
        #expect(!reports.value.isEmpty)
    }

    @Test("Outside of a client, a request has none")
    func outside() throws {
        let client = APIClient(baseURL: try #require(URL(string: "https://api.test")))
        let request = try client.request(for: Endpoint(.put, "", body: body(.file)))
        #expect(request.uploadedFile == nil && request.uploadedForm == nil)
    }
}
