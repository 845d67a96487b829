#if os(Linux)

import Foundation

/// A certificate of the test server with its key; `Scripts/certificates.sh` makes the files.
struct Certificate: Sendable {
    let name: String

    /// For 127.0.0.1 and localhost, by the authority of the tests; refused where that is not trusted.
    static let valid = Certificate(name: "valid")
    static let expired = Certificate(name: "expired")
    /// For example.com.
    static let otherHost = Certificate(name: "other-host")
    static let selfSigned = Certificate(name: "self-signed")
    /// By an authority that nobody trusts.
    static let untrustedAuthority = Certificate(name: "untrusted-authority")

    /// What is refused also where the authority of the tests is trusted.
    static let refused = [expired, otherHost, selfSigned, untrustedAuthority]

    /// Whether the authority of the tests is trusted, as under `make test-trusted`.
    ///
    /// The authorities of the system are in a file, so that takes a file system in which the file is another one.
    static var authorityIsTrusted: Bool {
        ProcessInfo.processInfo.environment["TRUSTS_TEST_AUTHORITY"] != nil
    }

    var path: String { Self.path(of: name) }

    /// That of the authority alone, which has no key any more.
    static var authorityPath: String { path(of: "authority") }

    private static func path(of name: String) -> String {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        return folder.appendingPathComponent("Certificates/\(name).pem").path
    }

    /// The SHA-256 hash of its public key, in Base64 (RFC 7469, section 2.4). `openssl` is there where certificates are trusted.
    var publicKeyHash: String {
        get throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            let key = "openssl x509 -in '\(path)' -pubkey -noout | openssl pkey -pubin -outform der"
            process.arguments = ["-c", "\(key) | openssl dgst -sha256 -binary | base64"]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let hash = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            return hash.trimmingCharacters(in: .newlines)
        }
    }
}

#endif
