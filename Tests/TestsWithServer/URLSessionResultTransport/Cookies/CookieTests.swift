#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Cookies are sent as RFC 6265 says, in the cases of a public test suite.
@Suite(.inTurn)
struct CookieTests {
    @Test(
        "A cookie is sent as a public test suite says, after a redirect and with another request",
        arguments: CookieServer.Connection.available, CookieServer.forms)
    func publicCases(_ connection: CookieServer.Connection, _ form: APIForm) async throws {
        let server = try CookieServer(over: connection)
        for redirects in [false, true] {
            var exceptions: [String: String] = [:]
            for cookieCase in CookieCase.all {
                let sent = try await server.sent(after: cookieCase, by: form, redirects: redirects)
                if sent != cookieCase.sent(overTLS: connection != .http) { exceptions[cookieCase.name] = sent }
            }
            #expect(exceptions == CookieCase.exceptions, "with a redirect: \(redirects)")
        }
    }

    @Test(
        "Each field of a response is a cookie, also with a comma, beside a nameless one, and in a redirect",
        arguments: APIForm.some, [200, 302])
    func fields(form: APIForm, status: Int) async throws {
        let rows: [(fields: [String], sent: String)] = [
            (["a=b, c=d"], "a=b, c=d"), (["a=b", "c=d, e=f"], "a=b; c=d, e=f"), (["a=b", "nameless"], "a=b"),
            (["a=b", "=", "c=d"], "a=b; c=d"),
        ]
        for row in rows {
            let fields = row.fields.map { "Set-Cookie: \($0)\r\n" }.joined()
            let head = "HTTP/1.1 \(status) Status\r\n\(fields)Location: /target\r\nContent-Length: 0\r\n\r\n"
            let server = try LoopbackServer(["/": .raw(head), "/target": .ok()])
            let session = URLSession(configuration: .ephemeral)
            let method: HTTPMethod = form.uploads ? .put : .get
            for path in ["/", "/target"] {
                _ = try await form.run(session, URLRequest(url: server.url(path), method: method)).get()
            }
            #expect(server.requests.last?.header("Cookie") == row.sent, "\(row.fields)")
        }
    }

    @Test(
        "A session that accepts cookies of the main document alone takes those of its host, and of the domains that it is in",
        arguments: APIForm.some,
        [
            (HTTPCookie.AcceptPolicy.onlyFromMainDocumentDomain, nil, true),
            (.onlyFromMainDocumentDomain, "http://LocalHost/page", true),
            (.onlyFromMainDocumentDomain, "http://www.localhost/page", true),
            (.onlyFromMainDocumentDomain, "http://thelocalhost/page", false),
            (.onlyFromMainDocumentDomain, "http://example.com/page", false),
            (.onlyFromMainDocumentDomain, "data:,page", false), (.always, "http://example.com/page", true),
        ])
    func mainDocument(
        _ form: APIForm, _ row: (policy: HTTPCookie.AcceptPolicy, document: String?, isStored: Bool)
    ) async throws {
        let server = try LoopbackServer { request, connection in
            try connection.respond(headers: ["Set-Cookie": "a=b"])
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieAcceptPolicy = row.policy
        let session = URLSession(configuration: configuration)
        let url = try #require(URL(string: "http://localhost:\(server.port)/"))
        var request = URLRequest(url: url, method: form.uploads ? .put : .get)
        request.mainDocumentURL = row.document.flatMap { URL(string: $0) }
        _ = try await form.run(session, request).get()
        #expect(session.configuration.httpCookieStorage?.cookies?.count == (row.isStored ? 1 : 0), "\(row)")
    }
}

/// A server that sets the cookies of a case, and tells which ones it gets.
final class CookieServer: Sendable {
    enum Connection: String, CaseIterable {
        case http, https, http2

        /// Those over TLS need nginx: see `TrustedServer`.
        var port: Int? {
            switch self {
            case .http: nil
            case .https: TrustedServer.http1.port
            case .http2: TrustedServer.http2.port
            }
        }

        static let available = TrustedServer.areRunning ? allCases : [http]
    }

    /// By handler, by await, with progress, as a stream.
    static let forms: [APIForm] = [.dataTask, .dataResult, .dataResultWithProgress, .bytesResult]

    private let server: LoopbackServer
    private let connection: Connection
    private let configuration = URLSessionConfiguration.forTests
    private let session: URLSession

    init(over connection: Connection) throws {
        let cases = Dictionary(uniqueKeysWithValues: CookieCase.all.map { ($0.name, $0) })
        server = try LoopbackServer { request, connection in
            let name = request.target.split(separator: "?").last.map(String.init) ?? ""
            let isResult = request.target.hasPrefix("/cookie-parser-result")
            var head = "HTTP/1.1 \(request.header("X-Target") == nil || isResult ? 200 : 302) Status\r\n"
            for field in isResult ? [] : cases[name]?.fields ?? [] { head += "Set-Cookie: \(field)\r\n" }
            if !isResult, let target = request.header("X-Target") { head += "Location: \(target)\r\n" }
            try connection.send(head + "Content-Length: 0\r\n\r\n")
        }
        self.connection = connection
        session = URLSession(configuration: configuration)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// The `Cookie` field of the request that follows the response with the cookies.
    func sent(after cookieCase: CookieCase, by form: APIForm, redirects: Bool) async throws -> String {
        let storage = try #require(configuration.httpCookieStorage)
        for cookie in storage.cookies ?? [] { storage.deleteCookie(cookie) }
        var request = URLRequest(url: try url("home.example.localhost/cookie-parser?\(cookieCase.name)"))
        let target = try self.url("\(cookieCase.host)\(cookieCase.path)?\(cookieCase.name)")
        request.setValue("\(server.port)", forHTTPHeaderField: "X-Port")
        if redirects { request.setValue(target.absoluteString, forHTTPHeaderField: "X-Target") }
        _ = await form.run(session, request, 200..<300)
        if !redirects {
            request.url = target
            _ = await form.run(session, request, 200..<300)
        }
        return server.requests.last?.header("Cookie") ?? ""
    }

    private func url(_ target: String) throws -> URL {
        let parts = target.split(separator: "/", maxSplits: 1)
        let port = connection.port ?? Int(server.port)
        let scheme = connection == .http ? "http" : "https"
        return try #require(URL(string: "\(scheme)://\(parts[0]):\(port)/\(parts[1])"))
    }
}

#endif
