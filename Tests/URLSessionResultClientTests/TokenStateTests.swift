import Foundation
import Testing

@testable import URLSessionResultClient

/// The state of a token: what only two threads at once can lead to, and the moment of an expiry.
@Suite("The state of a token", .inTurn)
struct TokenStateTests {
    @Test(
        "A token is refreshed at the moment that was set, and not before",
        arguments: [(-1.0, false), (0, true), (1, true)])
    func momentOfRefresh(seconds: TimeInterval, isRefreshed: Bool) {
        let date = Date(timeIntervalSince1970: 1000)
        let state = TokenState("0", refreshedFrom: date)
        guard case .refresh = state.step(at: date + seconds) else { return #expect(!isRefreshed) }
        #expect(isRefreshed)
    }

    /// Between the refusal and the wait, another thread may get there first.
    @Test(
        "Who begins to wait when there is another token gets that, and after a sign-out nothing",
        arguments: [false, true])
    func lateWait(signsOut: Bool) async throws {
        var state = TokenState("0", refreshedFrom: nil)
        let (results, waiter) = AsyncStream<TokenState.Result>.makeStream()
        guard case .send(let grant) = state.step(at: Date()), let generation = grant.generation else {
            Issue.record("The token is not sent.")
            return
        }
        if signsOut { _ = state.signOut() }
        _ = state.signIn("1", refreshingFrom: nil)
        #expect(state.wait(waiter, for: generation) == nil)
        let result = try #require(await results.first { _ in true })
        if signsOut {
            #expect(result.error?.urlError?.code == .userAuthenticationRequired)
        } else {
            #expect(try result.get() == "1")
        }
    }
}
