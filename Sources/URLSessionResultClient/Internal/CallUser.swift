internal import URLSessionResultTransport

/// For whom a request was sent first. Requests that go on where another one ended, for the next page or for the events after the last
/// one, have the same user.
final class CallUser: Sendable {
    /// The sign-out before the first attempt, by the store of the token.
    private let state = Locked<[ObjectIdentifier: Int]>([:])

    var signOuts: [ObjectIdentifier: Int] { state.withLock { $0 } }

    /// Takes over for whom a call was sent that this one has joined.
    func adopt(_ other: CallUser) {
        guard other !== self else { return }
        let signOuts = other.signOuts
        state.withLock { $0.merge(signOuts) { own, _ in own } }
    }

    /// Whether nobody has signed out since the first attempt. A request is sent again for the user alone for whom it was sent first.
    func isFirst(after signOut: Int, of store: TokenStore) -> Bool {
        state.withLock { signOuts in
            let first = signOuts[ObjectIdentifier(store), default: signOut]
            signOuts[ObjectIdentifier(store)] = first
            return first == signOut
        }
    }
}

/// How often an attempt of a call has got further than those before it. Such an attempt does not count as a failed one.
typealias CallProgress = Locked<Int>
