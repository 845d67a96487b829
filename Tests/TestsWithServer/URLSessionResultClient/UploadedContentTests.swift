import Foundation
import Testing

@testable import URLSessionResultClient
@testable import TestSupport

/// What a client sends from a file or a form, and what middleware sees of it.
@Suite("A file or a form of a request", .inTurn)
struct UploadedContentTests {
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

    @Test("Outside of a client, a request has none")
    func outside() throws {
        let client = APIClient(baseURL: try #require(URL(string: "https://api.test")))
        let request = try client.request(for: Endpoint(.put, "", body: body(.file)))
        #expect(request.uploadedFile == nil && request.uploadedForm == nil)
    }
}
