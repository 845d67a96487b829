#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResult
@testable import URLSessionResultTransport
@testable import TestSupport

/// What follows a response, as a table.
struct RedirectAndChallengeTests {
    private static let body = Data("body".utf8)
    private static let upload = TaskKind.upload(.data(body))

    // MARK: Redirects

    struct RedirectRow: Sendable {
        var method = "GET"
        var kind = TaskKind.data
        var url = "http://there.test/"
        var hasStream = false

        /// Whether the delegate gives a stream of its own.
        var givesStream = false
        var isStopped = false
        let step: String
    }

    @Test(
        "After a redirect",
        arguments: [
            RedirectRow(step: "send GET as data"),
            RedirectRow(method: "PUT", step: "send PUT as data"),
            RedirectRow(kind: .download, step: "send GET as download"),
            RedirectRow(method: "PUT", kind: upload, step: "send PUT as upload"),
            RedirectRow(method: "PUT", kind: .fileUpload(URL(fileURLWithPath: "/x")), step: "send PUT as upload"),
            // A GET and a HEAD have no body.
            RedirectRow(kind: upload, step: "send GET as data"),
            RedirectRow(method: "HEAD", kind: upload, step: "send HEAD as data"),
            RedirectRow(method: "PUT", hasStream: true, step: "renew PUT as data, or end: status 302"),
            RedirectRow(
                method: "PUT", kind: .download, hasStream: true, step: "renew PUT as download, or end: status 302"),
            // An upload ignores the stream of its request.
            RedirectRow(method: "PUT", kind: upload, hasStream: true, step: "send PUT as upload"),
            // What the delegate gives was not read yet.
            RedirectRow(method: "PUT", hasStream: true, givesStream: true, step: "send PUT as data"),
            RedirectRow(method: "PUT", givesStream: true, step: "send PUT as data"),
            RedirectRow(method: "PUT", kind: .download, givesStream: true, step: "send PUT as download"),
            RedirectRow(method: "PUT", kind: upload, givesStream: true, step: "send PUT as data"),
            RedirectRow(isStopped: true, step: "end: status 302"),
            RedirectRow(method: "PUT", kind: upload, isStopped: true, step: "end: status 302"),
            RedirectRow(url: "https://there.test/", step: "send GET as data"),
            RedirectRow(url: "ftp://there.test/", step: "end: error -1002"),
            RedirectRow(url: "file:///etc/hostname", step: "end: error -1002"),
            RedirectRow(kind: .download, url: "data:,x", step: "end: error -1002"),
            RedirectRow(url: "http://own.test/", step: "send GET as data"),
            RedirectRow(kind: .download, url: "http://own.test/", step: "send GET as download"),
        ])
    func redirect(_ row: RedirectRow) throws {
        let source = try #require(URL(string: "http://here.test/"))
        let response = try #require(
            HTTPURLResponse(url: source, statusCode: 302, httpVersion: nil, headerFields: ["Location": row.url]))
        var request = URLRequest(url: try #require(URL(string: row.url)))
        request.httpMethod = row.method
        if row.hasStream { request.httpBodyStream = InputStream(data: Self.body) }
        let sent = PreparedRequest(request, row.kind)
        let redirect = try #require(
            try Redirect(
                response, of: sent, to: nil, configuration: Self.configuration(),
                adding: Cookies(of: Self.configuration(), for: request), keeping: .allButCredentials))
        var answer = redirect.proposal.request
        if row.givesStream { answer.httpBodyStream = InputStream(data: Self.body) }
        let step = step(after: sent, orEndWith: TaskOutcome(response: response)) {
            try redirect.next(row.isStopped ? nil : answer)
        }
        #expect(step == row.step)
    }

    // MARK: Challenges

    struct ChallengeRow: Sendable {
        var disposition = URLSession.AuthChallengeDisposition.useCredential
        var password: String? = "given"
        var stored: String?
        var proposed: String?
        var failures = 0
        var scheme = NSURLAuthenticationMethodHTTPBasic
        var origin = "http://here.test/"
        var hasResponse = true
        var kind = TaskKind.data
        var hasStream = false
        let step: String
    }

    @Test(
        "After a challenge",
        arguments: [
            ChallengeRow(step: "send POST as data with given"),
            ChallengeRow(failures: 3, step: "send POST as data with given"),
            ChallengeRow(kind: upload, step: "send POST as upload with given"),
            ChallengeRow(kind: .download, step: "send POST as download with given"),
            ChallengeRow(hasStream: true, step: "renew POST as data with given, or end: status 401, 4 bytes"),
            ChallengeRow(kind: upload, hasStream: true, step: "send POST as upload with given"),
            ChallengeRow(password: nil, step: "end: status 401, 4 bytes"),
            // The credential of the storage is for the default.
            ChallengeRow(password: nil, stored: "stored", step: "end: status 401, 4 bytes"),
            ChallengeRow(disposition: .performDefaultHandling, step: "end: status 401, 4 bytes"),
            ChallengeRow(disposition: .performDefaultHandling, stored: "stored", step: "send POST as data with stored"),
            ChallengeRow(
                disposition: .performDefaultHandling, stored: "stored", proposed: "proposed",
                step: "send POST as data with proposed"),
            ChallengeRow(
                disposition: .performDefaultHandling, stored: "stored", proposed: "proposed", failures: 1,
                step: "end: status 401, 4 bytes"),
            ChallengeRow(disposition: .rejectProtectionSpace, stored: "stored", step: "end: status 401, 4 bytes"),
            ChallengeRow(disposition: .cancelAuthenticationChallenge, step: "end: error -999"),
            ChallengeRow(scheme: NSURLAuthenticationMethodHTTPDigest, step: "send POST as data, for libcurl given"),
            ChallengeRow(
                scheme: NSURLAuthenticationMethodHTTPDigest, kind: upload, hasStream: true,
                step: "send POST as upload, for libcurl given"),
            ChallengeRow(
                password: "a\r\nb", scheme: NSURLAuthenticationMethodHTTPDigest, step: "end: status 401, 4 bytes"),
            ChallengeRow(
                password: "a b", scheme: NSURLAuthenticationMethodHTTPDigest,
                step: "send POST as data, for libcurl a b"),
            ChallengeRow(scheme: NSURLAuthenticationMethodNTLM, step: "end: status 401, 4 bytes"),
            // A credential is for the origin that asks.
            ChallengeRow(origin: "http://there.test/", step: "end: status 401, 4 bytes"),
            ChallengeRow(origin: "https://here.test/", step: "end: status 401, 4 bytes"),
            ChallengeRow(hasResponse: false, step: "end: error -1013"),
            ChallengeRow(disposition: .cancelAuthenticationChallenge, hasResponse: false, step: "end: error -999"),
        ])
    func challenge(_ row: ChallengeRow) throws {
        let origin = try #require(URL(string: row.origin))
        let response = HTTPURLResponse(url: origin, statusCode: 401, httpVersion: nil, headerFields: nil)
        func space() -> URLProtectionSpace {
            URLProtectionSpace(
                host: "here.test", port: 80, protocol: "http", realm: "x", authenticationMethod: row.scheme)
        }
        let storage = URLCredentialStorage()
        if let stored = row.stored { storage.set(credential(stored), for: space()) }
        var request = URLRequest(url: try #require(URL(string: "http://here.test/")), method: .post)
        request.allHTTPHeaderFields = ["authorization": "the caller's", "AUTHORIZATION": "the caller's, too"]
        if row.hasStream { request.httpBodyStream = InputStream(data: Self.body) }
        let sent = refused(row.failures, by: PreparedRequest(request, row.kind))
        let challenge = Challenge(
            URLAuthenticationChallenge(
                protectionSpace: space(), proposedCredential: row.proposed.map(credential), previousFailureCount: 0,
                failureResponse: row.hasResponse ? response : nil, error: nil, sender: NoSender()),
            to: sent, storage: storage)
        #expect(challenge.shown.previousFailureCount == row.failures)
        let step = step(after: sent, orEndWith: TaskOutcome(data: Self.body, response: response)) {
            try challenge.next(row.disposition, row.password.map(credential))
        }
        #expect(step == row.step)
    }

    @Test("A redirect counts on, and begins to count refused credentials anew")
    func counts() throws {
        let request = URLRequest(url: try #require(URL(string: "http://here.test/")))
        let first = PreparedRequest(request, .data)
        let challenged = refused(2, by: first)
        #expect((challenged.redirectCount, challenged.answerCount) == (0, 2))
        let redirected = challenged.redirected(to: request)
        #expect((redirected.redirectCount, redirected.answerCount) == (1, 0))
        #expect(redirected.redirected(to: request).redirectCount == 2)
        #expect(refused(1, by: redirected).redirectCount == 1)
    }

    @Test("Twenty credentials may be refused, and twenty redirects followed")
    func limits() throws {
        let url = try #require(URL(string: "http://here.test/"))
        let first = PreparedRequest(URLRequest(url: url), .data)
        func challenge(after count: Int) -> Challenge {
            let space = URLProtectionSpace(
                host: "here.test", port: 80, protocol: "http", realm: "x", authenticationMethod: nil)
            let challenge = URLAuthenticationChallenge(
                protectionSpace: space, proposedCredential: nil, previousFailureCount: 0, failureResponse: nil,
                error: nil, sender: NoSender())
            return Challenge(challenge, to: refused(count, by: first), storage: nil)
        }
        #expect(challenge(after: 19).mayBeAnswered && !challenge(after: 20).mayBeAnswered)

        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 302, httpVersion: nil, headerFields: ["Location": "/"]))
        func redirect(after count: Int) throws -> Redirect? {
            let prepared = (0..<count).reduce(first) { last, _ in last.redirected(to: last.request) }
            return try Redirect(
                response, of: prepared, to: nil, configuration: Self.configuration(),
                adding: Cookies(of: Self.configuration(), for: first.request), keeping: .allButCredentials)
        }
        #expect(try redirect(after: 19) != nil)
        let error = #expect(throws: URLError.self) { try redirect(after: 20) }
        #expect(error?.code == .httpTooManyRedirects)
    }

    /// A request with a credential after so many were refused.
    private func refused(_ count: Int, by prepared: PreparedRequest) -> PreparedRequest {
        let space = URLProtectionSpace(
            host: "here.test", port: 80, protocol: "http", realm: "x", authenticationMethod: nil)
        let used = UsedCredential(credential: credential("wrong"), space: space)
        return (0..<count).reduce(prepared) { last, _ in last.answered(by: used, in: last.request) }
    }

    private func credential(_ password: String) -> URLCredential {
        URLCredential(user: "user", password: password, persistence: .forSession)
    }

    /// A configuration with a protocol of the caller.
    private static func configuration() -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [OwnProtocol.self] + (configuration.protocolClasses ?? [])
        return configuration
    }
}

/// What is done after the decision of a delegate.
private func step(
    after sent: PreparedRequest, orEndWith outcome: TaskOutcome, _ next: () throws -> PreparedRequest?
) -> String {
    do {
        guard let next = try next() else { return "end: \(outcome.summary)" }
        return next.repeatsStream(of: sent)
            ? "renew \(next.summary), or end: \(outcome.summary)" : "send \(next.summary)"
    } catch {
        return "end: \(TaskOutcome(error: error).summary)"
    }
}

extension PreparedRequest {
    private var summaryOfDigest: String {
        usedCredential?.digestCredential?.password.map { ", for libcurl \($0)" } ?? ""
    }

    fileprivate var summary: String {
        let kind =
            switch kind {
            case .data: "data"
            case .download, .resumedDownload: "download"
            case .upload, .fileUpload, .pipeUpload: "upload"
            }
        let fields = (request.allHTTPHeaderFields ?? [:]).filter { $0.key.lowercased() == "authorization" }
        let encoded = fields.values.first.flatMap { Data(base64Encoded: String($0.dropFirst("Basic ".count))) }
        let password = encoded.map { String(decoding: $0.dropFirst("user:".utf8.count), as: UTF8.self) }
        let isOnlyOne = fields.count <= 1
        return "\(request.httpMethod ?? "") as \(kind)" + (password.map { " with \($0)" } ?? "")
            + (isOnlyOne ? "" : " twice") + summaryOfDigest
            + (usedCredential?.credential.password == password ?? usedCredential?.digestCredential?.password
                ? "" : ", not kept")
    }
}

extension TaskOutcome {
    fileprivate var summary: String {
        if let error = error as? URLError { return "error \(error.errorCode)" }
        guard let response = response as? HTTPURLResponse else { return "nothing" }
        let count = data?.count ?? 0
        return "status \(response.statusCode)" + (count == 0 ? "" : ", \(count) bytes")
    }
}

/// Loads from one host, as a protocol of the caller does.
private final class OwnProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { request.url?.host == "own.test" }
}

#endif
