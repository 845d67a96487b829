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
        var state = TokenState(AccessToken("0", expiry: date + 60), refreshingBefore: 60)
        guard case .send(_, .some) = state.step(at: date + seconds) else { return #expect(!isRefreshed) }
        #expect(isRefreshed)
    }

    @Test("A request waits from the moment of the expiry on, and not before", arguments: [(-1.0, false), (0, true)])
    func momentOfExpiry(seconds: TimeInterval, waits: Bool) {
        let date = Date(timeIntervalSince1970: 1000)
        var state = TokenState(AccessToken("0", expiry: date), refreshingBefore: 60)
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

    @Test("A refresh keeps nothing of requests that are cancelled while they wait, and gives the others their token")
    func cancelledWaits() async throws {
        let gate = Gate()
        let store = TokenStore(nil, margin: 60) { _ in
            try? await gate.opened()
            return .success("1")
        } now: {
            Date()
        } start: { work in
            Task { await work() }
        }
        let last = Task { try await store.grant()?.token.value }
        while store.waiterCount < 1 { await Task.yield() }
        for _ in 1...3 {
            let request = Task { try await store.grant() }
            while store.waiterCount < 2 { await Task.yield() }
            request.cancel()
            let error = await #expect(throws: NetworkError.self) { try await request.value }
            #expect(error?.isCancelled == true)
            #expect(store.waiterCount == 1)
        }
        gate.open()
        #expect(try await last.value == "1")
    }

    @Test("Requests whose token is refused at once wait for one refresh, and a later refusal gets the new token")
    func refusals() throws {
        var state = TokenState("0", refreshingBefore: 60)
        guard case .send(let grant, _) = state.step(at: Date()) else {
            Issue.record("The token is not sent.")
            return
        }
        var refreshes: [TokenState.Refresh] = []
        for _ in 0..<10 {
            guard case .wait(_, let refresh) = state.step(afterRefusalOf: grant, at: Date()) else {
                Issue.record("A refused request does not wait.")
                return
            }
            if let refresh { refreshes.append(refresh) }
        }
        let refresh = try #require(refreshes.first)
        #expect(refreshes.count == 1)
        let isOfUse = state.begin(refresh.id)
        #expect(isOfUse)
        let finished = state.finish(refresh.id, with: .success("1"), at: Date())
        #expect(finished?.waiters.count == 10)
        guard case .send(let newGrant, _) = state.step(afterRefusalOf: grant, at: Date()) else {
            Issue.record("A later refusal does not get the new token.")
            return
        }
        #expect(newGrant.token.value == "1")
        guard case .sendWithoutToken = state.step(afterRefusalOf: newGrant, at: Date()) else {
            Issue.record("A request is sent with a second new token.")
            return
        }
    }
}

extension TokenStore {
    /// How many requests wait for the refresh that is running.
    fileprivate var waiterCount: Int { state.withLock { $0.refresh?.waiters.count ?? 0 } }
}
