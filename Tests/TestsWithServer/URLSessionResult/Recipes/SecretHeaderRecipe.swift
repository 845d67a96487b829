import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

// snippet.origin
nonisolated extension URL {
    /// The scheme, the host and the port (RFC 6454).
    var origin: [String] {
        let scheme = scheme?.lowercased() ?? ""
        let port = port ?? (scheme == "https" ? 443 : 80)
        return [scheme, host?.lowercased() ?? "", String(port)]
    }
}
// snippet.end

// snippet.secret-header
/// Removes a secret header when a redirect leads to another origin.
nonisolated final class SecretHeader: NSObject, URLSessionTaskDelegate {
    let name: String

    init(name: String) {
        self.name = name
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        var request = request
        if request.url?.origin != task.originalRequest?.url?.origin {
            request.setValue(nil, forHTTPHeaderField: name)
        }
        completionHandler(request)
    }
}
// snippet.end

// snippet.delete-cookies
func deleteCookies(of url: URL, in session: URLSession) {
    let storage = session.configuration.httpCookieStorage
    for cookie in storage?.cookies(for: url) ?? [] {
        storage?.deleteCookie(cookie)
    }
}
// snippet.end

/// Recipe: a secret header.
@Suite(.inTurn)
struct SecretHeaderRecipe {
    @Test("A secret header follows a redirect within an origin, and none to another", arguments: [true, false])
    func secretHeader(isSameOrigin: Bool) async throws {
        let other = try LoopbackServer(.ok())
        let server = try LoopbackServer([
            "/": .redirect(to: isSameOrigin ? "/next" : other.url("/next").absoluteString), "/next": .ok(),
        ])
        let url = server.url()
        let secret = "secret"
        // snippet.use-secret-header
        let guarded = URLSession(
            configuration: .ephemeral,
            delegate: SecretHeader(name: "X-Api-Key"), delegateQueue: nil)
        var keyed = URLRequest(url: url)
        keyed.setValue(secret, forHTTPHeaderField: "X-Api-Key")
        let answer = await guarded.dataResult(for: keyed)
        // snippet.end
        guarded.finishTasksAndInvalidate()
        #expect(answer.error == nil)
        let last = try #require((isSameOrigin ? server : other).requests.last)
        #expect(last.path == "/next")
        #expect(last.header("X-Api-Key") == (isSameOrigin ? secret : nil))
    }

    @Test("Cookies are deleted at sign-out, and those of other servers stay")
    func cookies() async throws {
        let server = try LoopbackServer([
            "/": .ok(headers: ["Set-Cookie": "id=7"]), "/next": .ok(),
        ])
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        #expect(await session.dataResult(from: server.url("/")).error == nil)
        #expect(session.configuration.httpCookieStorage?.cookies?.count == 1)

        deleteCookies(of: try #require(URL(string: "http://other.test/")), in: session)
        #expect(session.configuration.httpCookieStorage?.cookies?.count == 1)
        deleteCookies(of: server.url(), in: session)

        #expect(await session.dataResult(from: server.url("/next")).error == nil)
        #expect(server.requests.last?.header("Cookie") == nil)
    }
}
