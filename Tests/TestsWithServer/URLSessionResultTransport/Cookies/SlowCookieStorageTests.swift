#if os(Linux)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Storages that take their time for a cookie, as one with a file does.
@Suite(.inTurn)
struct SlowCookieStorageTests {
    /// What another session asks for meanwhile.
    enum Other: String, CaseIterable, Sendable {
        case dataResult, bytesResult

        func run(_ url: URL) async -> DataResult {
            let session = URLSession(configuration: .forTests)
            switch self {
            case .dataResult: return await session.dataResult(from: url)
            case .bytesResult: return await session.bytesResult(from: url).collected()
            }
        }
    }

    @Test(
        "A slow storage holds up no other session, whose own cookies are stored, and has the cookies when the result is there",
        arguments: APIForm.some, Other.allCases)
    func slowStorage(_ form: APIForm, _ other: Other) async throws {
        let server = try LoopbackServer(.ok("abc", headers: ["Set-Cookie": "a=b"]))
        let configuration = URLSessionConfiguration.ephemeral
        let storage = try #require(configuration.httpCookieStorage)
        let slowCookie = try #require(SlowCookie())
        storage.setCookie(slowCookie)
        slowCookie.phase.withLock { $0 = .armed }
        // Otherwise a test that fails would block the others.
        defer { slowCookie.phase.withLock { $0 = .quick } }
        let result = Task { await form(server.url(), in: URLSession(configuration: configuration)) }
        try await slowCookie.phase.value { $0 == .waiting }
        for headers: KeyValuePairs<String, String> in [[:], ["Set-Cookie": "c=d"]] {
            let otherServer = try LoopbackServer(.ok("other", headers: headers))
            let isOver = Monitor<DataResult?>(nil)
            Task {
                let result = await other.run(otherServer.url())
                isOver.withLock { $0 = result }
            }
            let otherResult = try #require(try await isOver.value { $0 != nil })
            #expect(try otherResult.get() == Data("other".utf8))
        }
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
