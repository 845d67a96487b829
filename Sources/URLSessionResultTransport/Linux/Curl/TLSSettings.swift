#if canImport(FoundationNetworking)

import Foundation

/// What a caller demands of TLS in a session: which keys servers may have, and what is shown to them.
package struct TLSSettings: Sendable {
    /// SHA-256 hashes in Base64 of the public keys that servers may have, by host.
    package var pinnedPublicKeys: [String: Set<String>] = [:]

    fileprivate var clientCertificates: [CanonicalHost: ClientCertificate] = [:]

    fileprivate var isEmpty: Bool { pinnedPublicKeys.isEmpty && clientCertificates.isEmpty }
}

/// A certificate of the client with its private key, in files in the format PEM.
package struct ClientCertificate: Sendable {
    let file: String

    /// Nil if it is in the file of the certificate.
    let keyFile: String?

    /// Without one, it is empty: otherwise OpenSSL asks for it at the terminal, and waits.
    let password: String

    package init(file: String, keyFile: String?, password: String?) {
        self.file = file
        self.keyFile = keyFile
        self.password = password ?? ""
    }

    struct Contents: Sendable {
        let certificate: Data
        let key: Data
        let password: String
    }

    /// Reads the files, which may take long.
    ///
    /// - Throws: `URLError.secureConnectionFailed`, which says why one cannot be read.
    func contents(for url: URL) throws(URLError) -> Contents {
        let certificate = try Self.read(file, for: url)
        return Contents(
            certificate: certificate,
            key: try keyFile.map { file throws(URLError) in try Self.read(file, for: url) } ?? certificate,
            password: password)
    }

    private static func read(_ file: String, for url: URL) throws(URLError) -> Data {
        do {
            // A pipe could be read once, by the first request.
            guard try SystemCalls.lengthOfRegularFile(at: file) != nil else { throw POSIXError(.EINVAL) }
            return try Data(contentsOf: URL(fileURLWithPath: file))
        } catch {
            throw URLError(
                .secureConnectionFailed, at: url,
                saying: "The file of a client certificate, \(file), cannot be read: \(error.localizedDescription)")
        }
    }
}

extension TLSSettings {
    /// - Parameters:
    ///   - certificate: Nil for none.
    ///   - host: The only host that it is shown to.
    package mutating func set(_ certificate: ClientCertificate?, forHost host: String) {
        clientCertificates[CanonicalHost(host)] = certificate
    }

    /// What is shown to the server of a URL, if it asks.
    func clientCertificate(for url: URL) -> ClientCertificate? {
        clientCertificates.isEmpty ? nil : Self.host(of: url).flatMap { clientCertificates[$0] }
    }

    /// The pinned keys for a URL, as libcurl takes them. Nil if the server may have any key.
    func pinnedPublicKeys(for url: URL) -> String? {
        guard !pinnedPublicKeys.isEmpty, let host = Self.host(of: url) else { return nil }
        let named = pinnedPublicKeys.filter { CanonicalHost($0.key) == host }
        guard !named.isEmpty else { return nil }
        let hashes = Set(named.values.joined()).filter { Data(base64Encoded: $0)?.count == 32 }.sorted()
        // Without a hash, no key fits.
        return hashes.isEmpty ? "sha256//" : hashes.map { "sha256//\($0)" }.joined(separator: ";")
    }

    /// Nil without TLS.
    private static func host(of url: URL) -> CanonicalHost? {
        url.scheme?.lowercased() == "https" ? url.host.map { CanonicalHost($0) } : nil
    }
}

extension URLSession {
    /// What its user has set.
    package var tlsSettings: TLSSettings { SettingsOfSession.settings(of: self) }

    /// Changes them. Other threads see all of a change, or nothing.
    package func updateTLSSettings(_ update: (inout TLSSettings) -> Void) {
        SettingsOfSession.update(of: self, update)
    }
}

/// The settings of a session that has any: the session itself has no place for them.
private struct SettingsOfSession: Sendable {
    private let identity: ObjectIdentifier

    /// Nil when the session is gone. Another one may have its identity then.
    private weak var session: URLSession?
    private let settings: TLSSettings

    /// Guards the settings, which a caller may change while requests of the session begin.
    private static let all = Locked<[SettingsOfSession]>([])

    static func settings(of session: URLSession) -> TLSSettings {
        find(session, in: all.withLock { $0 })?.settings ?? TLSSettings()
    }

    static func update(of session: URLSession, _ update: (inout TLSSettings) -> Void) {
        _ = all.withLock { all in
            var settings = find(session, in: all)?.settings ?? TLSSettings()
            update(&settings)
            // Returned, so that sessions kept by this look are released without the lock.
            let sessions = all.compactMap(\.session)
            all.removeAll { $0.session == nil || $0.session === session }
            let identity = ObjectIdentifier(session)
            if !settings.isEmpty {
                all.append(SettingsOfSession(identity: identity, session: session, settings: settings))
            }
            return sessions
        }
    }

    /// Compares identities first: reading the weak reference of another session might make this its last reference.
    private static func find(_ session: URLSession, in all: [SettingsOfSession]) -> SettingsOfSession? {
        all.first { $0.identity == ObjectIdentifier(session) && $0.session === session }
    }
}

#endif
