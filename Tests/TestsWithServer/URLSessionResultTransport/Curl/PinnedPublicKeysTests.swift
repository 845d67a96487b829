#if os(Linux)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// The public keys that a session accepts of servers.
@Suite(.inTurn, .enabled(if: Certificate.authorityIsTrusted, "`make test-trusted` runs it."))
struct PinnedPublicKeysTests {
    private static let wrongKey = Data(count: 32).base64EncodedString()

    /// What is pinned, and whether the server may be used then.
    enum Pins: CaseIterable, Sendable {
        case key, keyAndOther, capitals, otherHost
        case other, none, malformed

        var areRight: Bool { [.key, .keyAndOther, .capitals, .otherHost].contains(self) }

        func keys(of host: String) throws -> [String: Set<String>] {
            let key = try Certificate.valid.publicKeyHash
            return switch self {
            case .key: [host: [key]]
            case .keyAndOther: [host: [wrongKey, key]]
            case .capitals: [host.uppercased(): [key]]
            case .otherHost: ["other.\(host)": [wrongKey]]
            case .other: [host: [wrongKey]]
            case .none: [host: []]
            case .malformed: [host: ["\(key);", "/etc/hosts", ""]]
            }
        }
    }

    @Test("A server with another key gets nothing", arguments: APIForm.some, Pins.allCases)
    func pins(_ form: APIForm, _ pins: Pins) async throws {
        let server = try LoopbackServer(.ok("abc"), over: .tls(.valid))
        let session = URLSession(configuration: .forTests)
        session.pinnedPublicKeys = try pins.keys(of: "localhost")
        let url = try #require(URL(string: "https://localhost:\(server.port)/"))
        let result = await form.run(session, URLRequest(url: url, method: form.uploads ? .put : .get))
        #expect(result.error?.urlError?.code == (pins.areRight ? nil : .serverCertificateUntrusted))
        #expect(server.requests.count == (pins.areRight ? 1 : 0))
    }

    @Test("No connection is used that was opened with other keys", arguments: APIForm.some)
    func keptConnection(_ form: APIForm) async throws {
        let server = try LoopbackServer(.ok("abc"), over: .tls(.valid))
        let session = URLSession(configuration: .forTests)
        let request = URLRequest(url: server.url(), method: form.uploads ? .put : .get)
        _ = try await form.run(session, request).get()
        session.pinnedPublicKeys = ["127.0.0.1": [Self.wrongKey]]
        #expect(await form.run(session, request).error?.urlError?.code == .serverCertificateUntrusted)
        session.pinnedPublicKeys = [:]
        _ = try await form.run(session, request).get()
        #expect(server.requests.count == 2)
    }

    @Test("A redirect leads to no server with another key", arguments: APIForm.some, [true, false])
    func redirect(_ form: APIForm, isRight: Bool) async throws {
        let target = try LoopbackServer(.ok("abc"), over: .tls(.valid))
        let location = "https://localhost:\(target.port)/"
        let server = try LoopbackServer(.redirect(to: location, status: 307), over: .tls(.valid))
        let session = URLSession(configuration: .forTests)
        let keys: Set = [isRight ? try Certificate.valid.publicKeyHash : Self.wrongKey]
        session.pinnedPublicKeys = ["localhost": keys]
        let request = URLRequest(url: server.url(), method: form.uploads ? .put : .get)
        let result = await form.run(session, request)
        #expect(result.error?.urlError?.code == (isRight ? nil : .serverCertificateUntrusted))
        #expect(target.requests.count == (isRight ? 1 : 0))
    }

    @Test("The keys of a session are no other's, and go with it")
    func sessions() async throws {
        let server = try LoopbackServer(.ok("abc"), over: .tls(.valid))
        // A new session may have the identity of one that is gone.
        for _ in 0..<20 {
            let pinned = URLSession(configuration: .forTests)
            pinned.pinnedPublicKeys = ["127.0.0.1": [Self.wrongKey]]
            #expect(pinned.pinnedPublicKeys == ["127.0.0.1": [Self.wrongKey]])
            let other = URLSession(configuration: .forTests)
            #expect(other.pinnedPublicKeys.isEmpty)
            _ = try await other.dataResult(from: server.url()).get()
        }
    }

    @Test("A server that is pinned and has an invalid certificate is refused")
    func invalidCertificate() async throws {
        let server = try LoopbackServer(.ok("abc"), over: .tls(.selfSigned))
        let session = URLSession(configuration: .forTests)
        session.pinnedPublicKeys = ["127.0.0.1": [try Certificate.selfSigned.publicKeyHash]]
        #expect(await session.dataResult(from: server.url()).error?.urlError?.code == .serverCertificateUntrusted)
        #expect(server.requests.isEmpty)
    }
}

#endif
