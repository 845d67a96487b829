import Foundation
internal import URLSessionResultTransport

/// Starts a task that nobody cancels.
package typealias StartTask = @Sendable (_ operation: @escaping @Sendable () async -> Void) -> Void

package let startTask: StartTask = { operation in Task { await operation() } }

/// Gives requests their token, and runs the refreshes.
final class TokenStore: Sendable {
    private let refresh: TokenAuthentication.Refresh?
    private let now: @Sendable () -> Date
    private let start: StartTask
    let state: Locked<TokenState>

    init(
        _ token: AccessToken?, margin: TimeInterval, refresh: TokenAuthentication.Refresh?,
        now: @escaping @Sendable () -> Date, start: @escaping StartTask
    ) {
        self.refresh = refresh
        self.now = now
        self.start = start
        state = Locked(TokenState(token, refreshingBefore: refresh == nil ? nil : margin))
    }

    func signIn(_ token: AccessToken) {
        let now = now()
        state.withLock { $0.signIn(token, at: now) }?.end(with: .success(()))
    }

    func signOut() {
        state.withLock { $0.signOut() }?.end(with: .failure(.signInRequired()))
    }

    /// Whether the current task belongs to a refresh that is running.
    var isWithinRefresh: Bool {
        let work = Surroundings.current.sharedWork
        return !work.isEmpty && state.withLock { $0.isRunning(oneOf: work) }
    }

    /// The token to send, after a refresh if the current one is not valid. Nil if there is none. All attempts of a call are for one
    /// user: if somebody has signed out since the first attempt, this throws.
    func grant(of user: CallUser? = nil) async throws(NetworkError) -> TokenGrant? {
        let now = now()
        let (step, signOut) = state.withLock { ($0.step(at: now), $0.signOutGeneration) }
        let isOfFirstUser = user?.isFirst(after: signOut, of: self) ?? true
        return try await grant(after: step, isWanted: isOfFirstUser)
    }

    /// Another token than the one that the server refused, or nil if its answer is the result.
    func grant(afterRefusalOf refused: TokenGrant) async throws(NetworkError) -> TokenGrant? {
        let now = now()
        return try await grant(after: state.withLock { $0.step(afterRefusalOf: refused, at: now) })
    }

    private func grant(after step: TokenState.Step, isWanted: Bool = true) async throws(NetworkError) -> TokenGrant? {
        switch step {
        case .send(_, let refresh?), .wait(_, let refresh?): run(refresh)
        case .send, .wait, .sendWithoutToken, .failure: break
        }
        guard isWanted else {
            if case .wait(let wait, _) = step { state.withLock { $0.cancel(wait) } }
            throw .signInRequired()
        }
        switch step {
        case .send(let grant, _): return grant
        case .sendWithoutToken: return nil
        case .wait(let wait, _): return try await grant(after: wait)
        case .failure(let error): throw error
        }
    }

    /// The error of a request whose token was refused, and which is not sent again.
    func error(afterRefusalOf grant: TokenGrant, _ error: NetworkError) -> NetworkError {
        // There is a later token for the next request, or the user has signed out.
        guard state.withLock({ $0.isCurrent(grant) }) else { return error }
        // Nothing refreshes the token. A 401 already says that the user has to sign in, and has a body.
        if refresh == nil, error.requiresSignIn { return error }
        return .signInRequired(because: error)
    }

    private func grant(after wait: TokenState.Wait) async throws(NetworkError) -> TokenGrant {
        let loan = Surroundings.current.lendPlaces(to: wait.work)
        defer { loan.end() }
        guard let outcome = await wait.outcome.value() else {
            state.withLock { $0.cancel(wait) }
            throw .transportError(code: .cancelled)
        }
        try outcome.get()
        // Somebody may have signed out or in since the refresh ended.
        return try state.withLock { $0.grant(sinceWaitingFor: wait.generation) }.get()
    }

    private func run(_ refresh: TokenState.Refresh) {
        start { await self.run(refresh.id, insteadOf: refresh.token) }
    }

    private func run(_ id: Surroundings.ID, insteadOf token: AccessToken?) async {
        // Somebody may have signed out before this task began.
        guard let refresh, state.withLock({ $0.begin(id) }) else { return }
        let result = await Surroundings.current.withinRefresh(id).run { await refresh(token) }
        let now = now()
        let outcome = result.map { _ in }.mapError(\.ofFailedRefresh)
        state.withLock { $0.finish(id, with: result, at: now) }?.end(with: outcome)
    }
}
