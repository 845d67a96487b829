#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import URLSessionResultTransport
@testable import TestSupport

/// Header fields that a session adds to each request, and that are for one origin alone.
@Suite(.inTurn)
struct SecretOfSessionTests {
    /// What a delegate does to the request that follows a redirect.
    enum Change: CaseIterable, Sendable {
        case none, removesFields, makesRequest

        func callAsFunction(_ request: URLRequest) -> URLRequest? {
            switch self {
            case .none: return request
            case .removesFields:
                var request = request
                for name in SecretOfSessionTests.names { request.setValue(nil, forHTTPHeaderField: name) }
                return request
            case .makesRequest: return request.url.map { URLRequest(url: $0) }
            }
        }
    }

    fileprivate static let names = ["Authorization", "Cookie", "Proxy-Authorization"]

    private static func configuration() -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.forTests
        configuration.httpAdditionalHeaders = Dictionary(uniqueKeysWithValues: names.map { ($0, "secret") })
        return configuration
    }

    private func secrets(in request: LoopbackServer.Request) -> [String] {
        Self.names.filter { request.header($0)?.contains("secret") == true }
    }

    @Test(
        "They follow no redirect to another origin, nor a second one, whatever a delegate does",
        arguments: Change.allCases, [RedirectedFields.allButCredentials, .descriptive])
    func redirects(_ change: Change, _ fields: RedirectedFields) async throws {
        for form in APIForm.some {
            let last = try LoopbackServer(.ok("abc"))
            let middle = try LoopbackServer(.redirect(to: last.origin, status: 307))
            let first = try LoopbackServer(.redirect(to: middle.origin, status: 307))
            let session = URLSession(
                configuration: Self.configuration(), delegate: ChangingDelegate(change), delegateQueue: nil)
            let request = URLRequest(url: first.url(), method: form.uploads ? .put : .get)
            let result = await RedirectedFields.$current.withValue(fields) { await form.run(session, request) }
            _ = try result.get()
            #expect(first.requests.map(secrets) == [Self.names])
            #expect(middle.requests.map(secrets) == [[]])
            #expect(last.requests.map(secrets) == [[]])
        }
    }

    @Test("They do not come back after challenges at the other origin", arguments: APIForm.some)
    func challenges(_ form: APIForm) async throws {
        let digest = DigestServer()
        let wantsDigest = Monitor(false)
        let target = try LoopbackServer { request, connection in
            if request.path == "/end" { return try connection.respond(body: "abc") }
            if digest.isAnswered(by: request) {
                return try connection.respond(307, headers: ["Location": "/end"])
            }
            let challenge = wantsDigest.withLock { wantsDigest in
                if request.header("Authorization")?.hasPrefix("Basic ") == true { wantsDigest = true }
                return wantsDigest ? digest.challenge() : #"Basic realm="x""#
            }
            try connection.respond(401, headers: ["WWW-Authenticate": challenge])
        }
        let source = try LoopbackServer(.redirect(to: target.origin, status: 307))
        let delegate = SessionDelegate(challenge: (.useCredential, ResponseChain.credential))
        let session = URLSession(configuration: Self.configuration(), delegate: delegate, delegateQueue: nil)
        let request = URLRequest(url: source.url(), method: form.uploads ? .put : .get)
        _ = try await form.run(session, request).get()
        #expect(target.requests.last?.path == "/end")
        #expect(target.requests.flatMap(secrets) == [])
    }

    @Test("A protocol of the caller does not take them along", arguments: APIForm.some)
    func callersProtocol(_ form: APIForm) async throws {
        let target = try LoopbackServer(.ok("abc"))
        let configuration = Self.configuration()
        configuration.protocolClasses = [Forwarding.self] + (configuration.protocolClasses ?? [])
        let url = try #require(URL(string: "http://forwarding.invalid/\(target.port)"))
        let request = URLRequest(url: url, method: form.uploads ? .put : .get)
        _ = try await form.run(URLSession(configuration: configuration), request).get()
        #expect(target.requests.map(secrets) == [[]])
    }

    @Test("A protocol of the caller that redirects to no URL is an error", arguments: APIForm.some)
    func noURL(_ form: APIForm) async throws {
        let configuration = Self.configuration()
        configuration.protocolClasses = [Forwarding.self] + (configuration.protocolClasses ?? [])
        let url = try #require(URL(string: "http://forwarding.invalid/"))
        let request = URLRequest(url: url, method: form.uploads ? .put : .get)
        for fields in [RedirectedFields.allButCredentials, .descriptive] {
            let session = URLSession(configuration: configuration)
            let result = await RedirectedFields.$current.withValue(fields) { await form.run(session, request) }
            #expect(result.error?.urlError?.code == .unsupportedURL)
        }
    }
}

/// Answers each redirect with a request that is changed.
private final class ChangingDelegate: NSObject, URLSessionTaskDelegate {
    private let change: SecretOfSessionTests.Change

    init(_ change: SecretOfSessionTests.Change) { self.change = change }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(change(request))
    }
}

/// Redirects to the port of this machine that the path names, with all fields, or to nowhere.
private final class Forwarding: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { request.url?.host == "forwarding.invalid" }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url,
            let response = HTTPURLResponse(url: url, statusCode: 307, httpVersion: nil, headerFields: nil)
        else { return }
        var next = request
        next.url = url.path == "/" ? nil : URL(string: "http://127.0.0.1:\(url.lastPathComponent)/")
        client?.urlProtocol(self, wasRedirectedTo: next, redirectResponse: response)
    }

    override func stopLoading() {}
}

#endif
