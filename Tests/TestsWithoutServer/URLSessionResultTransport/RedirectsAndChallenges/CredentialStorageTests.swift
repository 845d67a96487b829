#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResultTransport

/// Which credentials a storage keeps, and which of them it gives.
struct CredentialStorageTests {
    private func space(
        host: String = "here.test", port: Int = 80, scheme: String = "http", realm: String = "x"
    ) -> URLProtectionSpace {
        URLProtectionSpace(
            host: host, port: port, protocol: scheme, realm: realm,
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
    }

    private func credential(
        _ user: String, _ persistence: URLCredential.Persistence = .forSession
    ) -> URLCredential {
        URLCredential(user: user, password: "", persistence: persistence)
    }

    private func response(_ statusCode: Int = 200) throws -> URLResponse {
        let url = try #require(URL(string: "http://here.test/"))
        return try #require(HTTPURLResponse(url: url, statusCode: statusCode, httpVersion: nil, headerFields: nil))
    }

    @Test(
        "A credential is stored unless the server has rejected it, or it is for the request alone",
        arguments: [
            (200, .forSession, true), (404, .forSession, true), (200, .permanent, true), (401, .forSession, false),
            (200, .none, false),
        ] as [(Int, URLCredential.Persistence, Bool)])
    func storing(statusCode: Int, persistence: URLCredential.Persistence, isStored: Bool) throws {
        let storage = URLCredentialStorage()
        let used = UsedCredential(credential: credential("user", persistence), space: space())
        used.store(in: storage, after: try response(statusCode))
        #expect(storage.credential(for: space())?.user == (isStored ? "user" : nil))
    }

    @Test(
        "The credential of a proxy is stored unless the proxy has rejected it",
        arguments: [(200, true), (401, true), (407, false)])
    func storingForProxy(statusCode: Int, isStored: Bool) throws {
        func space(_ type: String) -> URLProtectionSpace {
            URLProtectionSpace(proxyHost: "proxy.test", port: 80, type: type, realm: "x", authenticationMethod: nil)
        }
        let storage = URLCredentialStorage()
        let used = UsedCredential(credential: credential("user"), space: space(NSURLProtectionSpaceHTTPProxy))
        used.store(in: storage, after: try response(statusCode))
        #expect(storage.credential(for: space(NSURLProtectionSpaceHTTPProxy))?.user == (isStored ? "user" : nil))
        #expect(storage.credential(for: space(NSURLProtectionSpaceHTTPSProxy)) == nil)
    }

    @Test("A storage has one entry for equal protection spaces, and others for others")
    func entries() throws {
        let storage = URLCredentialStorage()
        let others = [space(host: "there.test"), space(port: 81), space(scheme: "https"), space(realm: "y")]
        let spaces = [space()] + others + [space()]
        for (number, space) in spaces.enumerated() {
            let used = UsedCredential(credential: credential("\(number)"), space: space)
            used.store(in: storage, after: try response())
        }
        #expect(storage.allCredentials.count == 5)
        #expect(storage.allCredentials.values.map { $0.keys.sorted() }.contains(["0", "5"]))
        #expect(storage.credential(for: space(port: 81))?.user == "2")
        #expect(storage.credential(for: space(port: 82)) == nil)
    }

    @Test("Of several credentials for equal protection spaces, the default one is given: at first, that stored first")
    func defaultCredential() {
        let storage = URLCredentialStorage()
        let known = space()
        for user in ["b", "a", "c"] { storage.set(credential(user), for: known) }
        #expect(storage.credential(for: space())?.user == "b")
        storage.setDefaultCredential(credential("c"), for: known)
        for asked in [known, space()] { #expect(storage.credential(for: asked)?.user == "c") }
    }

    @Test(
        "A protection space may be written as on Apple's platforms",
        arguments: [("https", NSURLProtectionSpaceHTTPS), ("HTTPS", "https"), ("http", NSURLProtectionSpaceHTTP)])
    func spelling(scheme: String, other: String) {
        let storage = URLCredentialStorage()
        storage.set(credential("user"), for: space(host: "Here.test", scheme: other))
        #expect(storage.credential(for: space(scheme: scheme))?.user == "user")
        let unequal = scheme.lowercased() == "http" ? "https" : "http"
        #expect(storage.credential(for: space(scheme: unequal)) == nil)
    }
}

#endif
