internal import URLSessionResultTransport

/// What the attempts of a request have in common. Requests that go on where another one ended have the same history: for the next page, or
/// for the events after the last one.
final class CallHistory: Sendable {
    private struct State: Sendable {
        /// The sign-out before the first attempt, by the store of the token.
        var signOuts: [ObjectIdentifier: Int] = [:]
        var progressCount = 0
    }

    private let state = Locked(State())

    /// How often an attempt has got further than those before it. Such an attempt does not count as a failed one.
    var progressCount: Int { state.withLock { $0.progressCount } }

    /// The sign-outs before the first attempt.
    var signOuts: [ObjectIdentifier: Int] { state.withLock { $0.signOuts } }

    /// Takes over for whom a call was sent that this one has joined.
    func adopt(_ other: CallHistory) {
        guard other !== self else { return }
        let signOuts = other.signOuts
        state.withLock { $0.signOuts.merge(signOuts) { own, _ in own } }
    }

    func noteProgress() { state.withLock { $0.progressCount += 1 } }

    /// Whether nobody has signed out since the first attempt. A request is sent again for the user alone for whom it was sent first.
    func isOfFirstUser(_ signOut: Int, of store: TokenStore) -> Bool {
        state.withLock { state in
            let first = state.signOuts[ObjectIdentifier(store), default: signOut]
            state.signOuts[ObjectIdentifier(store)] = first
            return first == signOut
        }
    }
}
