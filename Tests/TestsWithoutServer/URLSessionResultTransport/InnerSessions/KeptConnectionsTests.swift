#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResultTransport

/// Where a request should find a connection.
struct KeptConnectionsTests {
    private let session = NSObject()
    private let lifetime = KeptConnections.lifetime

    private func place(_ url: String, in session: NSObject? = nil) -> KeptConnections.Place {
        KeptConnections.Place(of: URL(string: url), in: session ?? self.session)
    }

    @Test("A connection is found once, by a request of the same session to the same origin")
    func taking() {
        var kept = KeptConnections()
        kept.add(at: place("http://a:1/b"), at: 0)
        for other in ["https://a:1/b", "http://b:1/b", "http://a:2/b", "http://a/b"] {
            let isFound = kept.take(at: place(other), at: 1)
            #expect(!isFound)
        }
        let isFoundByOtherSession = kept.take(at: place("http://a:1/b", in: NSObject()), at: 1)
        #expect(!isFoundByOtherSession)
        let isFound = kept.take(at: place("http://a:1/c?d"), at: 1)
        #expect(isFound)
        let isFoundAgain = kept.take(at: place("http://a:1/c?d"), at: 1)
        #expect(!isFoundAgain)
    }

    @Test("As many are found as requests have ended")
    func count() {
        var kept = KeptConnections()
        for time in 0..<3 { kept.add(at: place("http://a"), at: UInt64(time)) }
        let found = (1...4).map { _ in kept.take(at: place("http://a"), at: 3) }
        #expect(found == [true, true, true, false])
    }

    @Test("None is found after some time")
    func lifetimeOfConnections() {
        var kept = KeptConnections()
        for _ in 1...2 { kept.add(at: place("http://a"), at: 0) }
        let isFound = kept.take(at: place("http://a"), at: lifetime - 1)
        #expect(isFound)
        let isFoundLate = kept.take(at: place("http://a"), at: lifetime)
        #expect(!isFoundLate)
    }
}

#endif
