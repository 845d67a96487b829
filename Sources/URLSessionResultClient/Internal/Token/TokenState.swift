import Foundation
internal import URLSessionResultTransport

/// A token as a request uses it.
struct TokenGrant: Sendable {
    let token: AccessToken

    /// The number of the token, as `TokenState.generation` counts them.
    let generation: Int

    /// How many refreshes had failed before, as `TokenState.failures` counts them.
    let failures: Int

    /// Whether the request has waited for this token, or sends it in place of a refused one. If the server refuses this one, too,
    /// it is not refreshed before its expiry.
    var isNew = false
}

/// The token of an API, and the refresh that is running. Each event is one function, which says what follows.
struct TokenState: Sendable {
    /// How a wait for another token ends.
    typealias Outcome = Result<Void, NetworkError>
    typealias Waiter = AwaitedValue<Outcome>

    /// A running refresh, and who waits for it. Nobody waits for one that starts before the token expires.
    struct Refresh: Sendable {
        let id = Surroundings.ID()

        /// The token to replace.
        let token: AccessToken?

        /// By their numbers, so that one that is cancelled is soon found.
        fileprivate(set) var waiters: [Int: Waiter] = [:]
        fileprivate var waiterCount = 0

        /// - Returns: The number of the waiter.
        fileprivate mutating func add(_ waiter: Waiter) -> Int {
            waiterCount += 1
            waiters[waiterCount] = waiter
            return waiterCount
        }

        /// Gives the outcome in the order of arrival.
        func end(with outcome: Outcome) {
            for (_, waiter) in waiters.sorted(by: { $0.key < $1.key }) { waiter.give(outcome) }
        }
    }

    /// What there is to send.
    private enum Access: Sendable {
        case missing
        case token(AccessToken, refreshedFrom: Date?)
        case signedOut
    }

    /// What a request does next, and the refresh that has to be started first, if any.
    enum Step {
        case send(TokenGrant, starting: Refresh?)
        case sendWithoutToken
        case wait(Wait, starting: Refresh?)
        case failure(NetworkError)
    }

    /// A wait for a later token than that of a generation.
    struct Wait {
        let outcome: Waiter
        let generation: Int

        /// The refresh that is waited for.
        let work: Surroundings.ID

        /// Tells the waiter from others of the refresh.
        let number: Int
    }

    /// How many seconds before its expiry a token is refreshed. Nil if nothing refreshes it.
    private let margin: TimeInterval?
    private var access: Access

    /// Counts the tokens, because two may be equal.
    private var generation = 0

    /// The generation of the last sign-out. What was sent before is not sent again for another user.
    private(set) var signOutGeneration = 0
    private(set) var refresh: Refresh?

    /// Counts the refreshes that failed while a request waited.
    private var failures = 0

    /// The error of the last one of them, if the token has not changed since.
    private var latestFailure: NetworkError?

    /// The refreshes whose functions have not returned, also those that are of no use any more.
    private var running: Set<Surroundings.ID> = []

    /// How long refreshes before the expiry pause after one of them has failed, in seconds.
    private static let pause: TimeInterval = 10

    init(_ token: AccessToken?, refreshingBefore margin: TimeInterval?) {
        self.margin = margin
        // A token that was stored may be old, so it is refreshed at once if it is due. `refreshDate(of:at:)` is for new ones.
        let date = margin.flatMap { token?.expiry?.addingTimeInterval(-$0) }
        access = token.map { .token($0, refreshedFrom: date) } ?? .missing
    }

    // MARK: Requests

    /// A request is about to be sent.
    mutating func step(at now: Date) -> Step {
        switch access {
        case .missing:
            return wait()
        case .token(let token, let date):
            let grant = TokenGrant(token: token, generation: generation, failures: failures)
            guard let date, date <= now else { return .send(grant, starting: nil) }
            return token.isGood(at: now) ? .send(grant, starting: startRefresh()) : wait()
        case .signedOut:
            return .sendWithoutToken
        }
    }

    /// The server has refused a token. Here, `sendWithoutToken` means that no other token is tried: the refusal is the result.
    mutating func step(afterRefusalOf grant: TokenGrant, at now: Date) -> Step {
        guard case .success(let newGrant) = self.grant(sinceWaitingFor: grant.generation) else {
            return .sendWithoutToken
        }
        // The answer may have taken longer than the token lives, and the server would refuse this one, too.
        if isOver(at: now) { return waitForRefresh(unlessFailedSince: grant) }
        guard isCurrent(grant) else { return .send(newGrant, starting: nil) }
        return grant.isNew ? .sendWithoutToken : waitForRefresh(unlessFailedSince: grant)
    }

    /// A refresh that has failed since the request got its token is the answer to it. Otherwise, a refresh that fails at once would
    /// be made for each of many requests that are refused one after the other.
    private mutating func waitForRefresh(unlessFailedSince grant: TokenGrant) -> Step {
        if refresh == nil, grant.failures < failures, let latestFailure { return .failure(latestFailure) }
        return wait()
    }

    /// Whether the token has expired since it came. One that was over from the first may be good: the clock of this device is wrong.
    private func isOver(at now: Date) -> Bool {
        guard case .token(let token, let date?) = access else { return false }
        return date <= now && !token.isGood(at: now)
    }

    /// Whether there is no later token, and nobody has signed out.
    func isCurrent(_ grant: TokenGrant) -> Bool { grant.generation == generation }

    // MARK: Refreshes

    private mutating func wait() -> Step {
        guard margin != nil else { return .sendWithoutToken }
        let started = startRefresh()
        let outcome = Waiter()
        guard let work = refresh?.id, let number = refresh?.add(outcome) else { return .sendWithoutToken }
        return .wait(Wait(outcome: outcome, generation: generation, work: work, number: number), starting: started)
    }

    /// A request waits no more.
    mutating func cancel(_ wait: Wait) {
        guard refresh?.id == wait.work else { return }
        refresh?.waiters[wait.number] = nil
    }

    /// - Returns: The refresh to start, or nil if one is running.
    private mutating func startRefresh() -> Refresh? {
        guard refresh == nil else { return nil }
        refresh = Refresh(token: token)
        return refresh
    }

    private var token: AccessToken? {
        guard case .token(let token, _) = access else { return nil }
        return token
    }

    /// The function of a refresh is about to be called.
    ///
    /// - Returns: Whether it is still needed: nobody has signed in or out meanwhile.
    mutating func begin(_ id: Surroundings.ID) -> Bool {
        guard refresh?.id == id else { return false }
        running.insert(id)
        return true
    }

    func isRunning(oneOf ids: Set<Surroundings.ID>) -> Bool { !running.isDisjoint(with: ids) }

    /// A refresh has a result.
    ///
    /// - Returns: The refresh whose waiters get the result, or nil if somebody has signed out or in meanwhile.
    mutating func finish(
        _ id: Surroundings.ID, with result: Result<AccessToken, NetworkError>, at now: Date
    ) -> Refresh? {
        running.remove(id)
        guard refresh?.id == id else { return nil }
        switch result {
        case .success(let token):
            return signIn(token, at: now)
        case .failure(let error) where error.isRejectedRefresh:
            return signOut()
        case .failure(let error):
            pauseRefreshes(at: now)
            note(error)
            defer { refresh = nil }
            return refresh
        }
    }

    /// A refresh ahead of time that nobody waits for says nothing about later ones.
    private mutating func note(_ failure: NetworkError) {
        guard let refresh, !refresh.waiters.isEmpty else { return }
        failures += 1
        latestFailure = failure
    }

    /// Refreshes ahead of time pause for some seconds, or until the token is over.
    private mutating func pauseRefreshes(at now: Date) {
        guard case .token(let token, let date?) = access, let expiry = token.expiry else { return }
        access = .token(token, refreshedFrom: max(date, min(now.addingTimeInterval(Self.pause), expiry)))
    }

    // MARK: The user

    /// - Returns: The refresh that is of no use any more.
    mutating func signIn(_ token: AccessToken, at now: Date) -> Refresh? {
        replace(by: .token(token, refreshedFrom: refreshDate(of: token, at: now)))
    }

    /// When a new token is refreshed: `margin` before its expiry, but not in the first half of its life. Nil if it has expired by
    /// the clock of this device. Otherwise a short-lived or expired token would be refreshed before each request.
    private func refreshDate(of token: AccessToken, at now: Date) -> Date? {
        guard let margin, let expiry = token.expiry else { return nil }
        let rest = expiry.timeIntervalSince(now)
        return rest > 0 ? expiry.addingTimeInterval(-min(margin, rest / 2)) : nil
    }

    /// - Returns: The refresh that is of no use any more.
    mutating func signOut() -> Refresh? {
        // Another sign-out concerns nobody: what has been sent since the first one is no user's.
        if case .signedOut = access { return nil }
        defer { signOutGeneration = generation }
        return replace(by: .signedOut)
    }

    private mutating func replace(by access: Access) -> Refresh? {
        self.access = access
        generation += 1
        latestFailure = nil
        defer { refresh = nil }
        return refresh
    }

    /// The token for a request that has waited since a generation. An error if somebody has signed out meanwhile: the token would
    /// be that of the next user.
    func grant(sinceWaitingFor generation: Int) -> Result<TokenGrant, NetworkError> {
        guard let token, generation >= signOutGeneration else { return .failure(.signInRequired()) }
        return .success(TokenGrant(token: token, generation: self.generation, failures: failures, isNew: true))
    }
}

extension AccessToken {
    fileprivate func isGood(at now: Date) -> Bool { expiry.map { $0 > now } ?? false }
}

extension NetworkError {
    /// The user has signed out, or no token helps any more.
    ///
    /// - Parameter error: What the server said, as the underlying error.
    /// - Returns: The error.
    static func signInRequired(because error: NetworkError? = nil) -> NetworkError {
        let userInfo: [String: Any] = error.map { [NSUnderlyingErrorKey: $0] } ?? [:]
        return .transportError(URLError(.userAuthenticationRequired, userInfo: userInfo))
    }

    /// Whether the server has rejected the refresh token, so that another refresh would fail, too (RFC 6749, section 5.2).
    fileprivate var isRejectedRefresh: Bool { [400, 401].contains(statusCode) }

    /// The error of the requests that have waited for a refresh with this error.
    var ofFailedRefresh: NetworkError { isRejectedRefresh ? .signInRequired(because: self) : self }
}
