#if canImport(FoundationNetworking)

import Foundation

extension URLSession {
    /// SHA-256 hashes in Base64 of the public keys that servers may have, by host.
    package var pinnedPublicKeysOfHosts: [String: Set<String>] {
        get { PinnedPublicKeys.keys(of: self) }
        set { PinnedPublicKeys.set(newValue, of: self) }
    }
}

/// The pinned keys of a session that has any: the session itself has no place for them.
private struct PinnedPublicKeys: Sendable {
    private let identity: ObjectIdentifier

    /// Nil when the session is gone. Another one may have its identity then.
    private weak var session: URLSession?
    private let keys: [String: Set<String>]

    /// Guards the keys, which a caller may set while requests of the session begin.
    private static let ofSessions = Locked<[PinnedPublicKeys]>([])

    static func keys(of session: URLSession) -> [String: Set<String>] {
        // No other session is looked at: that might be its end.
        let found = ofSessions.withLock { $0 }.first {
            $0.identity == ObjectIdentifier(session) && $0.session === session
        }
        return found?.keys ?? [:]
    }

    static func set(_ keys: [String: Set<String>], of session: URLSession) {
        _ = ofSessions.withLock { all in
            // Those that this keeps end without the lock.
            let sessions = all.compactMap(\.session)
            all.removeAll { $0.session == nil || $0.session === session }
            let identity = ObjectIdentifier(session)
            if !keys.isEmpty { all.append(PinnedPublicKeys(identity: identity, session: session, keys: keys)) }
            return sessions
        }
    }
}

extension URLSession {
    /// The pinned keys for a URL, as libcurl takes them. Nil if the server may have any key.
    func pinnedPublicKeys(for url: URL) -> String? {
        let keysOfHosts = pinnedPublicKeysOfHosts
        // The names of hosts have no case (RFC 9110, section 4.2.3).
        guard !keysOfHosts.isEmpty, url.scheme?.lowercased() == "https", let host = url.host?.lowercased(),
            let keys = keysOfHosts.first(where: { $0.key.lowercased() == host })?.value
        else { return nil }
        let hashes = keys.filter { Data(base64Encoded: $0)?.count == 32 }.sorted()
        // Without a hash, no key fits.
        return hashes.isEmpty ? "sha256//" : hashes.map { "sha256//\($0)" }.joined(separator: ";")
    }
}

#endif
