import Foundation
import Testing

@testable import URLSessionResultClient
@testable import TestSupport

/// The state of a token: refusals, what only two threads at once can lead to, and the moment of an expiry.
struct TokenStateTests {
    @Test(
        "A token is refreshed at the moment that was set, and not before",
        arguments: [(-1.0, false), (0, true), (1, true)])
    func momentOfRefresh(seconds: TimeInterval, isRefreshed: Bool) {
        let date = Date(timeIntervalSince1970: 1000)
        var state = TokenState(AccessToken("0", expiry: date + 60), refreshedFrom: date)
        guard case .sendWhileRefreshing = state.step(at: date + seconds) else { return #expect(!isRefreshed) }
        #expect(isRefreshed)
    }

    @Test("A request waits from the moment of the expiry on, and not before", arguments: [(-1.0, false), (0, true)])
    func momentOfExpiry(seconds: TimeInterval, waits: Bool) {
        let date = Date(timeIntervalSince1970: 1000)
        var state = TokenState(AccessToken("0", expiry: date), refreshedFrom: date - 60)
        guard case .wait = state.step(at: date + seconds) else { return #expect(!waits) }
        #expect(waits)
    }

    @Test(
        "A new token that is over by the clock of this device is not refreshed before each request",
        arguments: [-1, 0, 1] as [TimeInterval])
    func oldToken(rest: TimeInterval) async throws {
        let date = Date(timeIntervalSince1970: 1000)
        let count = Monitor(0)
        let store = TokenStore(AccessToken("0", expiry: date), margin: 60) { _ in
            count.withLock { $0 += 1 }
            return .success(AccessToken("1", expiry: date + rest))
        } now: {
            date
        } start: { work in
            Task { await work() }
        }
        for _ in 1...3 { #expect(try await store.grant()?.token.value == "1") }
        #expect(count.value == 1)
    }

    @Test("Requests whose token is refused at once wait for one refresh, and a later refusal gets the new token")
    func refusals() throws {
        var state = TokenState("0", refreshedFrom: nil)
        guard case .send(let grant) = state.step(at: Date()) else {
            Issue.record("The token is not sent.")
            return
        }
        var refreshes: [TokenState.Refresh] = []
        for _ in 0..<10 {
            guard case .wait(let generation) = state.step(afterRefusalOf: grant) else {
                Issue.record("A refused request does not wait.")
                return
            }
            let waiter = TokenState.Waiter()
            if let refresh = state.wait(waiter, for: generation) { refreshes.append(refresh) }
        }
        let refresh = try #require(refreshes.first)
        #expect(refreshes.count == 1)
        let isOfUse = state.begin(refresh.id)
        #expect(isOfUse)
        let finished = state.finish(refresh.id, with: .success("1"), refreshingFrom: nil, at: Date())
        #expect(finished?.waiters.count == 10)
        guard case .send(let newGrant) = state.step(afterRefusalOf: grant) else {
            Issue.record("A later refusal does not get the new token.")
            return
        }
        #expect(newGrant.token.value == "1")
        guard case .sendWithoutToken = state.step(afterRefusalOf: newGrant) else {
            Issue.record("A request is sent with a second new token.")
            return
        }
    }

    /// Between the refusal and the wait, another thread may get there first.
    @Test(
        "Who begins to wait when there is another token waits no longer, and gets that, or after a sign-out nothing",
        arguments: [false, true])
    func lateWait(signsOut: Bool) async throws {
        var state = TokenState("0", refreshedFrom: nil)
        let waiter = TokenState.Waiter()
        guard case .send(let grant) = state.step(at: Date()) else {
            Issue.record("The token is not sent.")
            return
        }
        let generation = grant.generation
        if signsOut { _ = state.signOut() }
        _ = state.signIn("1", refreshingFrom: nil)
        #expect(state.wait(waiter, for: generation) == nil)
        let outcome = try #require(await waiter.value())
        if signsOut {
            #expect(outcome.error?.urlError?.code == .userAuthenticationRequired)
        } else {
            #expect(outcome.error == nil)
            #expect(try state.grant(sinceWaitingFor: generation).get().token == "1")
        }
    }
}
