#if canImport(FoundationNetworking)

import Foundation
internal import URLSessionResultTransport

extension URLSession {
    /// The public keys that servers may have, by host, on Linux.
    ///
    /// ```swift
    /// session.pinnedPublicKeys = ["api.example.com": ["…"]]
    /// ```
    ///
    /// A key is the SHA-256 hash of its `SubjectPublicKeyInfo` in Base64 (RFC 7469, section 2.4), as `SPKI-SHA256-BASE64` of
    /// `NSPinnedDomains` on Apple's platforms. A host that is not named may have any key. Subdomains are hosts of their own. The
    /// certificate is checked as always, too.
    ///
    /// libcurl compares the keys when it opens a connection, before anything is sent. If none fits, the result is a `transportError` with
    /// `URLError.serverCertificateUntrusted`. A request that begins after a change uses no connection that was opened with other keys.
    /// What a `URLProtocol` of yours loads is not checked.
    ///
    /// It may be set and read on any thread.
    public var pinnedPublicKeys: [String: Set<String>] {
        get { pinnedPublicKeysOfHosts }
        set { pinnedPublicKeysOfHosts = newValue }
    }
}

#endif
