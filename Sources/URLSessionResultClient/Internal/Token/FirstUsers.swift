import Foundation
internal import URLSessionResultTransport

/// For whom a request was sent first. It is sent again for nobody else. Neither is a request that goes on where it ended: for the next
/// page, or for the events after the last one.
///
/// A task-local value, because middleware may stand between the retry and the token.
final class FirstUsers: Sendable {
    @TaskLocal static var current: FirstUsers?

    /// The sign-out before the first attempt, by the store of the token.
    private let signOuts = Locked<[ObjectIdentifier: Int]>([:])

    /// Whether nobody has signed out since the first attempt.
    func isFirst(_ signOut: Int, of store: TokenStore) -> Bool {
        signOuts.withLock { signOuts in
            let first = signOuts[ObjectIdentifier(store), default: signOut]
            signOuts[ObjectIdentifier(store)] = first
            return first == signOut
        }
    }
}
