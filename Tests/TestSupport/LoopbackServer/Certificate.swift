#if os(Linux)

import Foundation

/// A certificate of the test server with its key; `make certificates` makes the files.
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
    /// FoundationNetworking trusts the authorities in a file of the system and no others, so a trusted certificate takes
    /// a file system in which that file is another one.
    static var authorityIsTrusted: Bool {
        ProcessInfo.processInfo.environment["TRUSTS_TEST_AUTHORITY"] != nil
    }

    var path: String {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        return folder.appendingPathComponent("Certificates/\(name).pem").path
    }
}

#endif
