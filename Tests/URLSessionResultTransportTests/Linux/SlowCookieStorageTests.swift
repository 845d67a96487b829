#if os(Linux)

import Foundation
import Testing
import URLSessionResult

/// Storages that take their time for a cookie, as one with a file does.
@Suite(.inTurn)
struct SlowCookieStorageTests {
    @Test(
        "A slow storage holds up no other session, and has the cookies when the result is there",
        arguments: APIForm.some)
    func slowStorage(_ form: APIForm) async throws {
        let server = try LoopbackServer(.ok("abc", headers: ["Set-Cookie": "a=b"]))
        let configuration = URLSessionConfiguration.ephemeral
        let storage = try #require(configuration.httpCookieStorage)
        let slowCookie = try #require(SlowCookie())
        storage.setCookie(slowCookie)
        slowCookie.phase.withLock { $0 = .armed }
        let result = Task { await form(server.url(), in: URLSession(configuration: configuration)) }
        try await slowCookie.phase.value { $0 == .waiting }
        let other = try LoopbackServer(.ok("other"))
        #expect(await URLSession(configuration: .forTests).dataResult(from: other.url()).error == nil)
        slowCookie.phase.withLock { $0 = .quick }
        #expect(try await result.value.get() == Data("abc".utf8))
        #expect(storage.cookies(for: server.url())?.map(\.name) == ["a"])
    }
}

/// A cookie of another host, at which a storage looks when it stores one.
private final class SlowCookie: HTTPCookie, @unchecked Sendable {  // As its superclass is. It adds a monitor.
    enum Phase {
        case quick, armed, waiting
    }

    let phase = Monitor(Phase.quick)

    init?() {
        super.init(properties: [.domain: "slow.test", .path: "/", .name: "slow", .value: "1"])
    }

    override var expiresDate: Date? {
        phase.withLock { if $0 == .armed { $0 = .waiting } }
        phase.wait { $0 == .quick }
        return nil
    }
}

#endif
