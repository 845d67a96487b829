import Foundation

/// A token as a request uses it.
struct TokenGrant: Sendable {
    let token: AccessToken

    /// Which token it is. Nil if the request has waited for the token: if the server refuses that, too, its answer is the result.
    let generation: Int?
}

/// The token of an API, and the refresh that is running. Each event is one function, which says what follows.
struct TokenState: Sendable {
    /// How a wait for another token ends.
    typealias Outcome = Result<Void, NetworkError>
    typealias Waiter = AsyncStream<Outcome>.Continuation

    /// A running refresh, and who waits for it.
    struct Refresh: Sendable {
        let id = UUID()
        fileprivate(set) var waiters: [Waiter] = []

        func end(with outcome: Outcome) {
            for waiter in waiters { waiter.yield(outcome) }
        }
    }

    /// What there is to send.
    private enum Access: Sendable {
        case missing
        case token(AccessToken, refreshedFrom: Date?)
        case signedOut
    }

    /// What a request does about its token.
    enum Step {
        case send(TokenGrant)
        case sendWithoutToken

        /// Wait for another token than this one.
        case refresh(AccessToken?, generation: Int)
    }

    private var access: Access

    /// Counts the tokens, because two may be equal.
    private var generation = 0

    /// The generation of the last sign-out. What was sent before is not sent again for another user.
    private(set) var signOutGeneration = 0
    private var refresh: Refresh?

    /// The refreshes whose functions have not returned, also those that are of no use any more.
    private var running: Set<UUID> = []

    init(_ token: AccessToken?, refreshedFrom date: Date?) {
        access = token.map { .token($0, refreshedFrom: date) } ?? .missing
    }

    // MARK: Requests

    /// A request is about to be sent.
    func step(at now: Date) -> Step {
        switch access {
        case .missing:
            .refresh(nil, generation: generation)
        case .token(let token, let date):
            if let date, date <= now {
                .refresh(token, generation: generation)
            } else {
                .send(TokenGrant(token: token, generation: generation))
            }
        case .signedOut:
            .sendWithoutToken
        }
    }

    /// The server has refused a token. Without one to send, its answer is the result.
    func step(afterRefusalOf grant: TokenGrant) -> Step {
        guard case .token(let token, _) = access, let refused = grant.generation, refused >= signOutGeneration else {
            return .sendWithoutToken
        }
        guard refused == generation else { return .send(TokenGrant(token: token, generation: nil)) }
        return .refresh(token, generation: generation)
    }

    /// Whether a token is the one that is sent.
    func isCurrent(_ generation: Int) -> Bool { self.generation == generation }

    // MARK: Refreshes

    /// A request waits for another token than that of a generation.
    ///
    /// - Returns: The refresh to start, or nil if one is running or over.
    mutating func wait(_ waiter: Waiter, for generation: Int) -> Refresh? {
        guard isCurrent(generation) else {
            waiter.yield(token(sinceWaitingFor: generation).map { _ in })
            return nil
        }
        let isFirst = refresh == nil
        if isFirst { refresh = Refresh() }
        refresh?.waiters.append(waiter)
        return isFirst ? refresh : nil
    }

    /// The function of a refresh is about to be called.
    ///
    /// - Returns: Whether it is of use.
    mutating func begin(_ id: UUID) -> Bool {
        guard refresh?.id == id else { return false }
        running.insert(id)
        return true
    }

    func isRunning(oneOf ids: Set<UUID>) -> Bool { !running.isDisjoint(with: ids) }

    /// A refresh has a result.
    ///
    /// - Returns: The refresh whose waiters get the result, or nil if somebody has signed out or in meanwhile.
    mutating func finish(
        _ id: UUID, with result: Result<AccessToken, NetworkError>, refreshingFrom date: Date?
    ) -> Refresh? {
        running.remove(id)
        guard refresh?.id == id else { return nil }
        switch result {
        case .success(let token):
            return replace(by: .token(token, refreshedFrom: date))
        case .failure(let error) where [400, 401].contains(error.statusCode):
            return signOut()
        case .failure:
            defer { refresh = nil }
            return refresh
        }
    }

    // MARK: The user

    /// - Returns: The refresh that is of no use any more.
    mutating func signIn(_ token: AccessToken, refreshingFrom date: Date?) -> Refresh? {
        replace(by: .token(token, refreshedFrom: date))
    }

    /// - Returns: The refresh that is of no use any more.
    mutating func signOut() -> Refresh? {
        defer { signOutGeneration = generation }
        return replace(by: .signedOut)
    }

    private mutating func replace(by access: Access) -> Refresh? {
        self.access = access
        generation += 1
        defer { refresh = nil }
        return refresh
    }

    /// What a request gets that has waited since a generation. If somebody has signed out, it is not for the next user.
    func token(sinceWaitingFor generation: Int) -> Result<AccessToken, NetworkError> {
        guard case .token(let token, _) = access, generation >= signOutGeneration else { return .failure(.signedOut) }
        return .success(token)
    }
}

extension NetworkError {
    static var signedOut: NetworkError { .transportError(code: .userAuthenticationRequired) }
}
