#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResultTransport

/// Which inner session a request gets, and when one is closed, told by a clock that nobody sets back.
struct InnerSessionPoolTests {
    private static let kind = InnerSession.Kind(connectionsPerHost: 6, isForStreams: false, isForHTTP: true)
    private static let kindOfStreams = InnerSession.Kind(connectionsPerHost: 6, isForStreams: true, isForHTTP: true)

    @Test("Requests of a session share an inner one, those of another session and streams have their own")
    func owners() {
        var pool = InnerSessionPool()
        let (owner, other) = (URLSession(configuration: .ephemeral), URLSession(configuration: .ephemeral))
        let inner = pool.begin(Self.kind, for: owner)
        let again = pool.begin(Self.kind, for: owner)
        let innerOfOther = pool.begin(Self.kind, for: other)
        let innerOfStreams = pool.begin(Self.kindOfStreams, for: owner)
        #expect(again === inner)
        #expect(innerOfOther !== inner)
        #expect(innerOfStreams !== inner)
        #expect(inner.use.withLock { $0.requestsInFlight } == 2)
        #expect(Set(pool.owners) == [owner, other])
    }

    @Test("A session is over when its owner is gone, or has not used it for two minutes, and it has no request")
    func end() {
        let now = ContinuousClock.now
        var owner: URLSession? = URLSession(configuration: .ephemeral)
        var use = InnerSession.Use(of: owner)
        let mayBegin = owner.map { use.begin(for: $0) }
        #expect(mayBegin == true)
        #expect(!use.isOver(at: now + .seconds(1000)))
        use.end(at: now)
        #expect(!use.isOver(at: now + .seconds(119)))
        #expect(use.isOver(at: now + .seconds(121)))
        owner = nil
        #expect(use.isOver(at: now))
        let mayBeginForOther = use.begin(for: URLSession(configuration: .ephemeral))
        #expect(!mayBeginForOther)
    }

    @Test("What nobody uses is closed, and what is used stays")
    func closing() {
        var pool = InnerSessionPool()
        let owner = URLSession(configuration: .ephemeral)
        let used = pool.begin(Self.kind, for: owner)
        let unused = pool.begin(Self.kindOfStreams, for: owner)
        unused.use.withLock { $0.end() }
        #expect(pool.hasUnused)
        pool.closeUnused()
        #expect(pool.hasUnused)
        pool.closeUnused(at: .now + .seconds(121))
        #expect(!pool.hasUnused)
        let (first, second) = (pool.begin(Self.kind, for: owner), pool.begin(Self.kindOfStreams, for: owner))
        #expect(first === used)
        #expect(second !== unused)
    }

    @Test("A session that cannot be closed gets another owner, who needs the same")
    func kept() {
        var pool = InnerSessionPool()
        let kept = InnerSession(Self.kind)
        pool.keep(kept)
        let owner = URLSession(configuration: .ephemeral)
        let ofStreams = pool.begin(Self.kindOfStreams, for: owner)
        let ofOwner = pool.begin(Self.kind, for: owner)
        let ofOther = pool.begin(Self.kind, for: URLSession(configuration: .ephemeral))
        #expect(ofStreams !== kept)
        #expect(ofOwner === kept)
        #expect(ofOther !== kept)
    }

    @Test("More and more owners are a crowd, once, until it was looked after")
    func crowd() {
        var pool = InnerSessionPool()
        var notices = 0
        let owners = (0..<200).map { _ in URLSession(configuration: .ephemeral) }
        for owner in owners {
            _ = pool.begin(Self.kind, for: owner)
            guard pool.noticeCrowd() else { continue }
            notices += 1
            let isNoticedAgain = pool.noticeCrowd()
            #expect(!isNoticedAgain)
            pool.closeUnused()
        }
        // At 17, 35, 71 and 143.
        #expect(notices == 4)
    }
}

#endif
