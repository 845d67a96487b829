#if canImport(FoundationNetworking)

import Testing

@testable import URLSessionResultTransport

struct TrustedAuthoritiesTests {
    @Test(
        "Authorities are found in the order in which curl looks for them, and FoundationNetworking's come first",
        arguments: [
            (["SSL_CERT_FILE": "a", "SSL_CERT_DIR": "b"], "a", "b"),
            (["CURL_CA_BUNDLE": "c", "SSL_CERT_FILE": "a", "SSL_CERT_DIR": "b"], "c", nil),
            (["URLSessionCertificateAuthorityInfoFile": "d", "CURL_CA_BUNDLE": "c", "SSL_CERT_DIR": "b"], "d", nil),
            (["CURL_CA_BUNDLE": "", "SSL_CERT_FILE": "", "SSL_CERT_DIR": ""], nil, nil),
            ([:], nil, nil),
        ] as [([String: String], String?, String?)])
    func order(_ row: (environment: [String: String], file: String?, folder: String?)) {
        let authorities = TrustedAuthorities(row.environment)
        #expect(authorities.file == row.file)
        #expect(authorities.folder == row.folder)
        #expect(!authorities.asksForNoChecks)
    }

    @Test("The value that switches checks off on Android is known")
    func noChecks() {
        let environment = ["URLSessionCertificateAuthorityInfoFile": "INSECURE_SSL_NO_VERIFY"]
        #expect(TrustedAuthorities(environment).asksForNoChecks)
    }
}

#endif
