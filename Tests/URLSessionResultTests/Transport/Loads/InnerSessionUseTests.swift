#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResultTransport

/// Who may use an inner session, told by a clock that nobody sets back.
struct InnerSessionUseTests {
    @Test("It is free 15 seconds after its last request has ended, and at once without its owner")
    func patience() {
        let start = ContinuousClock.now
        var owner: URLSession? = URLSession(configuration: .ephemeral)
        var use = InnerSession.Use()
        if let owner { use.begin(for: owner) }
        #expect(!use.isFree(at: start + .seconds(100)))
        use.end(at: start)
        #expect(!use.isFree(at: start + .seconds(14)))
        #expect(use.isFree(at: start + .seconds(16)))
        owner = nil
        #expect(use.isFree(at: start))
    }
}

#endif
