#if os(Linux)

import Foundation
import Glibc
import Testing
import URLSessionResult

@testable import TestSupport

/// Certificates that a session shows to servers. The server of these tests takes those of the tests' authority alone.
@Suite(.inTurn, .enabled(if: Certificate.authorityIsTrusted, "`make test-trusted` runs it."))
struct ClientCertificateTests {
    /// What a session has, and what comes of it.
    enum Files: CaseIterable, Sendable {
        case oneFile, twoFiles, encrypted, capitals
        case none, otherHost, removed
        case otherAuthority
        case missing, noKey, wrongPassword, noPassword

        var code: URLError.Code? {
            switch self {
            case .oneFile, .twoFiles, .encrypted, .capitals: nil
            case .none, .otherHost, .removed: .clientCertificateRequired
            case .otherAuthority: .clientCertificateRejected
            case .missing, .noKey, .wrongPassword, .noPassword: .secureConnectionFailed
            }
        }

        func set(of session: URLSession, in folder: TemporaryFolder) throws {
            let file = URL(fileURLWithPath: Certificate.valid.path)
            switch self {
            case .oneFile:
                session.setClientCertificate(file, forHost: "localhost")
            case .twoFiles:
                let border = "-----BEGIN PRIVATE KEY"
                let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: border)
                let certificate = folder.file("certificate", Data(parts[0].utf8))
                let key = folder.file("key", Data("\(border)\(parts[1])".utf8))
                session.setClientCertificate(certificate, keyFile: key, forHost: "localhost")
            case .encrypted:
                session.setClientCertificate(
                    file, keyFile: try encryptedKey(in: folder), password: "secret", forHost: "localhost")
            case .capitals:
                session.setClientCertificate(file, forHost: "LocalHost")
            case .none:
                break
            case .otherHost:
                session.setClientCertificate(file, forHost: "other.localhost")
            case .removed:
                session.setClientCertificate(file, forHost: "localhost")
                session.setClientCertificate(nil, forHost: "LOCALHOST")
            case .otherAuthority:
                let other = URL(fileURLWithPath: Certificate.untrustedAuthority.path)
                session.setClientCertificate(other, forHost: "localhost")
            case .missing:
                session.setClientCertificate(folder.url.appendingPathComponent("none"), forHost: "localhost")
            case .noKey:
                let authority = URL(fileURLWithPath: Certificate.authorityPath)
                session.setClientCertificate(authority, forHost: "localhost")
            case .wrongPassword:
                session.setClientCertificate(
                    file, keyFile: try encryptedKey(in: folder), password: "wrong", forHost: "localhost")
            case .noPassword:
                session.setClientCertificate(file, keyFile: try encryptedKey(in: folder), forHost: "localhost")
            }
        }

        /// The key of the certificate, encrypted with the password `secret`.
        private func encryptedKey(in folder: TemporaryFolder) throws -> URL {
            let key = folder.url.appendingPathComponent("encrypted")
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments =
                ["openssl", "pkey", "-in", Certificate.valid.path, "-out", key.path]
                + ["-aes256", "-passout", "pass:secret"]
            try process.run()
            process.waitUntilExit()
            return key
        }
    }

    @Test("A server that asks for a certificate gets that of its host", arguments: APIForm.some, Files.allCases)
    func files(_ form: APIForm, _ files: Files) async throws {
        let server = try LoopbackServer(.ok("abc"), over: .mutualTLS(.valid))
        let folder = TemporaryFolder()
        let session = URLSession(configuration: .forTests)
        try files.set(of: session, in: folder)
        let url = try #require(URL(string: "https://localhost:\(server.port)/"))
        let result = await form.run(session, URLRequest(url: url, method: form.uploads ? .put : .get))
        #expect(result.error?.urlError?.code == files.code)
        #expect(server.requests.count == (files.code == nil ? 1 : 0))
    }

    @Test("A server that does not ask gets none, and a file that cannot be read is an error all the same")
    func unasked() async throws {
        let server = try LoopbackServer(.ok("abc"), over: .tls(.valid))
        let session = URLSession(configuration: .forTests)
        session.setClientCertificate(URL(fileURLWithPath: Certificate.valid.path), forHost: "127.0.0.1")
        _ = try await session.dataResult(from: server.url()).get()
        session.setClientCertificate(URL(fileURLWithPath: "/none.pem"), forHost: "127.0.0.1")
        let error = await session.dataResult(from: server.url()).error
        #expect(error?.urlError?.code == .secureConnectionFailed)
        let description = try #require(error?.urlError?.localizedDescription)
        #expect(description.contains("client certificate, /none.pem,"))
    }

    @Test("A pipe is no certificate, and holds up no other request", arguments: APIForm.some)
    func pipe(_ form: APIForm) async throws {
        let server = try LoopbackServer(.ok("abc"), over: .mutualTLS(.valid))
        let folder = TemporaryFolder()
        defer { folder.remove() }
        let pipe = folder.url.appendingPathComponent("pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        let session = URLSession(configuration: .forTests)
        session.setClientCertificate(pipe, forHost: "127.0.0.1")
        let request = URLRequest(url: server.url(), method: form.uploads ? .put : .get)
        #expect(await form.run(session, request).error?.urlError?.code == .secureConnectionFailed)
        session.setClientCertificate(URL(fileURLWithPath: Certificate.valid.path), keyFile: pipe, forHost: "127.0.0.1")
        #expect(await form.run(session, request).error?.urlError?.code == .secureConnectionFailed)
        #expect(server.connectionCounts.accepted == 0)
    }

    @Test("A certificate that is replaced in its file is shown by the next request", arguments: APIForm.some)
    func replacedFile(_ form: APIForm) async throws {
        let server = try LoopbackServer(.ok("abc"), over: .mutualTLS(.valid))
        let folder = TemporaryFolder()
        defer { folder.remove() }
        let file = folder.file("certificate", Data("none".utf8))
        let session = URLSession(configuration: .forTests)
        session.setClientCertificate(file, forHost: "127.0.0.1")
        let request = URLRequest(url: server.url(), method: form.uploads ? .put : .get)
        #expect(await form.run(session, request).error?.urlError?.code == .secureConnectionFailed)
        try Data(contentsOf: URL(fileURLWithPath: Certificate.valid.path)).write(to: file)
        _ = try await form.run(session, request).get()
        _ = try await form.run(session, request).get()
        #expect(server.requests.count == 2)
    }

    @Test("No connection is used that was opened with another certificate", arguments: APIForm.some)
    func keptConnection(_ form: APIForm) async throws {
        let server = try LoopbackServer(.ok("abc"), over: .mutualTLS(.valid))
        let session = URLSession(configuration: .forTests)
        let request = URLRequest(url: server.url(), method: form.uploads ? .put : .get)
        session.setClientCertificate(URL(fileURLWithPath: Certificate.valid.path), forHost: "127.0.0.1")
        _ = try await form.run(session, request).get()
        session.setClientCertificate(nil, forHost: "127.0.0.1")
        #expect(await form.run(session, request).error?.urlError?.code == .clientCertificateRequired)
        // Other settings stay when one changes.
        session.pinnedPublicKeys = ["127.0.0.1": [try Certificate.valid.publicKeyHash]]
        session.setClientCertificate(URL(fileURLWithPath: Certificate.valid.path), forHost: "127.0.0.1")
        #expect(session.pinnedPublicKeys.count == 1)
        _ = try await form.run(session, request).get()
        #expect(server.requests.count == 2)
    }

    @Test("A redirect to another host takes no certificate along", arguments: APIForm.some, [true, false])
    func redirect(_ form: APIForm, isSet: Bool) async throws {
        let target = try LoopbackServer(.ok("abc"), over: .mutualTLS(.valid))
        let location = "https://localhost:\(target.port)/"
        let server = try LoopbackServer(.redirect(to: location, status: 307), over: .mutualTLS(.valid))
        let session = URLSession(configuration: .forTests)
        let file = URL(fileURLWithPath: Certificate.valid.path)
        session.setClientCertificate(file, forHost: "127.0.0.1")
        if isSet { session.setClientCertificate(file, forHost: "localhost") }
        let request = URLRequest(url: server.url(), method: form.uploads ? .put : .get)
        let result = await form.run(session, request)
        #expect(result.error?.urlError?.code == (isSet ? nil : .clientCertificateRequired))
        #expect(target.requests.count == (isSet ? 1 : 0))
    }
}

#endif
