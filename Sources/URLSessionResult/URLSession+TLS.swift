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
        get { tlsSettings.pinnedPublicKeys }
        set { updateTLSSettings { $0.pinnedPublicKeys = newValue } }
    }

    /// Shows a host a certificate of this client, if it asks for one, on Linux.
    ///
    /// ```swift
    /// session.setClientCertificate(
    ///     URL(fileURLWithPath: "/etc/app/client.pem"),
    ///     forHost: "api.example.com")
    /// ```
    ///
    /// The files are read for each request, before it is sent. If one cannot be read, or is a pipe, the result is a `transportError` with
    /// `URLError.secureConnectionFailed`, which says why. If the server demands a certificate or rejects this one, the code is
    /// `clientCertificateRequired` or `clientCertificateRejected` (RFC 8446, section 6.2), or `networkConnectionLost` if the server
    /// closes the connection while the request is being sent. A request that begins after a change uses no connection that was
    /// opened with another certificate.
    ///
    /// It may be called on any thread.
    ///
    /// - Parameters:
    ///   - file: The certificate, and the certificates that it was signed with, in the format PEM. Nil for none.
    ///   - keyFile: Its private key, in the format PEM. Nil if it is in `file`, too.
    ///   - password: What the key is encrypted with. Nil if it is not.
    ///   - host: The only host that gets it. Subdomains are hosts of their own.
    public func setClientCertificate(
        _ file: URL?, keyFile: URL? = nil, password: String? = nil, forHost host: String
    ) {
        let certificate = file.map { ClientCertificate(file: $0.path, keyFile: keyFile?.path, password: password) }
        updateTLSSettings { $0.set(certificate, forHost: host) }
    }
}

#endif
