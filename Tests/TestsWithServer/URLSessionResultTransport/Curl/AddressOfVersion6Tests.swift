#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Servers whose host is an address of version 6, which has brackets in a URL (RFC 3986, section 3.2.2). `URLSession`
/// alone says that such a URL is bad.
@Suite(.inTurn, .enabled(if: Socket.hasVersion6, "The machine has no address of version 6."))
struct AddressOfVersion6Tests {
    @Test("A server at an address of version 6 is reached, and gets the brackets", arguments: APIForm.all)
    func success(_ form: APIForm) async throws {
        let server = try LoopbackServer(.ok("abc"), at: .version6)
        #expect(try await form(server.url("/a?b")).get() == Data((form.givesBody ? "abc" : "").utf8))
        #expect(server.requests.map(\.target) == ["/a?b"])
        #expect(server.requests.map { $0.header("Host") } == ["[::1]:\(server.port)"])
    }

    @Test("A redirect leads from one version to the other, and on within it", arguments: APIForm.some)
    func redirect(_ form: APIForm) async throws {
        let target = try LoopbackServer(
            ["/": .redirect(to: "target", status: 307), "/target": .ok("abc")], at: .version6)
        let server = try LoopbackServer(.redirect(to: target.origin, status: 307))
        #expect(try await form(server.url()).get() == Data("abc".utf8))
        #expect(target.requests.map(\.target) == ["/", "/target"])
        let host = "[::1]:\(target.port)"
        #expect(target.requests.map { $0.header("Host") } == [host, host])
    }

    @Test("A cookie of an address of version 6 comes back to it", arguments: APIForm.some)
    func cookie(_ form: APIForm) async throws {
        let server = try LoopbackServer(.ok("abc", headers: ["Set-Cookie": "a=b; Path=/"]), at: .version6)
        let session = URLSession(configuration: .forTests)
        let request = URLRequest(url: server.url(), method: form.uploads ? .put : .get)
        for _ in 1...2 { _ = try await form.run(session, request).get() }
        #expect(server.requests.map { $0.header("Cookie") } == [nil, "a=b"])
    }
}

#endif
