import Foundation
internal import URLSessionResultTransport

/// Starts a task that nobody cancels.
package typealias StartTask = @Sendable (_ operation: @escaping @Sendable () async -> Void) -> Void

package let startTask: StartTask = { operation in Task { await operation() } }

/// Gives requests their token, and runs the refreshes.
final class TokenStore: Sendable {
    private let margin: TimeInterval
    private let refresh: TokenAuthentication.Refresh?
    private let now: @Sendable () -> Date
    private let start: StartTask
    private let state: Locked<TokenState>

    init(
        _ token: AccessToken?, margin: TimeInterval, refresh: TokenAuthentication.Refresh?,
        now: @escaping @Sendable () -> Date, start: @escaping StartTask
    ) {
        self.margin = margin
        self.refresh = refresh
        self.now = now
        self.start = start
        // A token that was kept may be an old one, and is refreshed at once if it is due.
        let date = refresh == nil ? nil : token?.expiry?.addingTimeInterval(-margin)
        state = Locked(TokenState(token, refreshedFrom: date))
    }

    func signIn(_ token: AccessToken) {
        let date = refreshDate(of: token)
        state.withLock { $0.signIn(token, refreshingFrom: date) }?.end(with: .success(()))
    }

    func signOut() {
        state.withLock { $0.signOut() }?.end(with: .failure(.signInRequired()))
    }

    /// Whether the current task belongs to a refresh that is running.
    var isWithinRefresh: Bool {
        let work = Surroundings.current.sharedWork
        return !work.isEmpty && state.withLock { $0.isRunning(oneOf: work) }
    }

    /// The token to send with, after a refresh if there is none that is good. Nil without a token. The attempts of a call, whose history
    /// this is, have one user.
    func grant(of history: CallHistory? = nil) async throws(NetworkError) -> TokenGrant? {
        let now = now()
        let (step, signOut) = state.withLock { ($0.step(at: now), $0.signOutGeneration) }
        if case .sendWhileRefreshing(_, let refresh) = step { run(refresh) }
        if let history, !history.isOfFirstUser(signOut, of: self) {
            throw .signInRequired()
        }
        switch step {
        case .send(let grant), .sendWhileRefreshing(let grant, _):
            return grant
        case .sendWithoutToken:
            return nil
        case .wait(let generation):
            return try await newGrant(after: generation)
        }
    }

    /// Another token than the one that the server refused, or nil if its answer is the result.
    func grant(afterRefusalOf refused: TokenGrant) async throws(NetworkError) -> TokenGrant? {
        switch state.withLock({ $0.step(afterRefusalOf: refused) }) {
        case .send(let grant), .sendWhileRefreshing(let grant, _):
            return grant
        case .sendWithoutToken:
            return nil
        case .wait(let generation):
            return try await newGrant(after: generation)
        }
    }

    /// The result of a request whose token was refused, and after which no other one is sent.
    func error(afterRefusalOf grant: TokenGrant, _ error: NetworkError) -> NetworkError {
        // The next request has another token, or the user has signed out.
        guard state.withLock({ $0.isCurrent(grant) }) else { return error }
        // A fixed token: a 401 says the same, and has a body.
        if refresh == nil, error.requiresSignIn { return error }
        return .signInRequired(because: error)
    }

    /// Waits for the refresh of a token, and starts it if nobody has. Nil if there is no refresh.
    private func newGrant(after generation: Int) async throws(NetworkError) -> TokenGrant? {
        guard refresh != nil else { return nil }
        let waiter = TokenState.Waiter()
        let (new, id) = state.withLock { ($0.wait(waiter, for: generation), $0.refreshID) }
        if let new { run(new) }
        let loan = id.map(Surroundings.current.lendPlaces)
        defer { loan?.end() }
        guard let outcome = await waiter.value() else { throw .transportError(code: .cancelled) }
        try outcome.get()
        // Somebody may have signed out or in since the refresh ended.
        return try state.withLock { $0.grant(sinceWaitingFor: generation) }.get()
    }

    private func run(_ refresh: TokenState.Refresh) {
        start { await self.run(refresh.id, insteadOf: refresh.token) }
    }

    private func run(_ id: Surroundings.ID, insteadOf token: AccessToken?) async {
        // Somebody may have signed out before this task began.
        guard let refresh, state.withLock({ $0.begin(id) }) else { return }
        let result = await Surroundings.current.withinRefresh(id).run { await refresh(token) }
        let date = (try? result.get()).flatMap(refreshDate)
        let now = now()
        let outcome = result.map { _ in }.mapError(\.ofFailedRefresh)
        state.withLock { $0.finish(id, with: result, refreshingFrom: date, at: now) }?.end(with: outcome)
    }

    /// When a new token is refreshed. A token that is short-lived, or over by the clock of this device, is not refreshed before each
    /// request.
    private func refreshDate(of token: AccessToken) -> Date? {
        guard refresh != nil, let expiry = token.expiry else { return nil }
        let rest = expiry.timeIntervalSince(now())
        return rest > 0 ? expiry.addingTimeInterval(-min(margin, rest / 2)) : nil
    }
}
