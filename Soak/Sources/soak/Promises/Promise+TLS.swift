#if os(Linux)

import Foundation
import URLSessionResult

extension Promise {
    /// What is asked of a server's key, and what a server asks: the certificates are files, and a program that has Foundation in it may
    /// be where no other file is.
    static let certificates = RequestKind.allCases.flatMap { kind in
        [
            Promise("a server with the pinned key is used: \(kind.rawValue)") {
                let server = try trustedServer(over: .tls(.valid))
                let session = URLSession(configuration: .forTests)
                session.pinnedPublicKeys = ["localhost": [try Certificate.valid.publicKeyHash]]
                try await expect(nil, from: kind, to: server, in: session)
            },
            Promise("a server with another key gets nothing: \(kind.rawValue)") {
                let server = try trustedServer(over: .tls(.valid))
                let session = URLSession(configuration: .forTests)
                session.pinnedPublicKeys = ["localhost": [Data(count: 32).base64EncodedString()]]
                try await expect(.serverCertificateUntrusted, from: kind, to: server, in: session)
            },
            Promise("a server that asks for a certificate gets it: \(kind.rawValue)") {
                let server = try trustedServer(over: .mutualTLS(.valid))
                let session = URLSession(configuration: .forTests)
                session.setClientCertificate(URL(fileURLWithPath: Certificate.valid.path), forHost: "localhost")
                try await expect(nil, from: kind, to: server, in: session)
            },
            Promise("a server that asks for a certificate in vain is an error: \(kind.rawValue)") {
                let server = try trustedServer(over: .mutualTLS(.valid))
                let session = URLSession(configuration: .forTests)
                try await expect(.clientCertificateRequired, from: kind, to: server, in: session)
            },
        ]
    }

    /// A server whose authority this process trusts from now on. No request has been sent before.
    private static func trustedServer(over transport: LoopbackServer.Transport) throws -> LoopbackServer {
        setenv("URLSessionCertificateAuthorityInfoFile", Certificate.authorityPath, 1)
        return try LoopbackServer(.ok("abc"), over: transport)
    }

    private static func expect(
        _ code: URLError.Code?, from kind: RequestKind, to server: LoopbackServer, in session: URLSession
    ) async throws {
        guard let url = URL(string: "https://localhost:\(server.port)/") else { return }
        let result = await kind.send(to: url, in: session)
        try require(result.error?.urlError?.code == code, otherwise: "the result is \(result)")
        try require(
            server.requests.count == (code == nil ? 1 : 0), otherwise: "the server gets \(server.requests.count)")
    }
}

#endif
