internal import URLSessionResultTransport

/// The user for whom a call was sent first. Requests that go on where another one ended, for the next page or for the events after
/// the last one, have the same user.
///
/// A user is told apart by sign-outs: who they are is not known.
final class CallUser: Sendable {
    /// By the store of the token: the last sign-out before the first attempt (`TokenState.signOutGeneration`).
    private let state = Locked<[ObjectIdentifier: Int]>([:])

    var signOuts: [ObjectIdentifier: Int] { state.withLock { $0 } }

    /// Takes over the user of another call, which this call has joined.
    func adopt(_ other: CallUser) {
        guard other !== self else { return }
        let signOuts = other.signOuts
        state.withLock { $0.merge(signOuts) { own, _ in own } }
    }

    /// Whether nobody has signed out since the first attempt, which this notes. Otherwise the request must not be sent again: the
    /// token may be that of another user.
    func isFirst(after signOut: Int, of store: TokenStore) -> Bool {
        state.withLock { signOuts in
            let first = signOuts[ObjectIdentifier(store), default: signOut]
            signOuts[ObjectIdentifier(store)] = first
            return first == signOut
        }
    }
}

/// How often a download has received bytes behind all bytes of earlier attempts. `Retry` does not count such an attempt as a failed
/// one.
typealias CallProgress = Locked<Int>
