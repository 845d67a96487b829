#if canImport(FoundationNetworking)

import Foundation

/// The authorities that certificates are judged by, as the environment says.
///
/// libcurl itself reads none of these variables. `URLSessionCertificateAuthorityInfoFile` is FoundationNetworking's on Android. The others
/// are read as curl's command line tool reads them (curl(1), "Environment").
struct TrustedAuthorities: Sendable {
    /// Those of the process. The environment is read once: that is not safe while another thread changes it, and takes long.
    static let ofProcess = TrustedAuthorities(ProcessInfo.processInfo.environment)

    /// A file with certificates (`CURLOPT_CAINFO`). Nil for that of the system.
    private(set) var file: String?

    /// A folder with certificates, as `openssl rehash` names them (`CURLOPT_CAPATH`). Nil for that of the system.
    private(set) var folder: String?

    /// Whether the environment asks for no checks, as FoundationNetworking takes it on Android. The library always checks.
    private(set) var asksForNoChecks = false

    init(_ environment: [String: String]) {
        // An empty value is none, as for curl.
        let variables = environment.filter { !$0.value.isEmpty }
        if let file = variables["URLSessionCertificateAuthorityInfoFile"] {
            asksForNoChecks = file == "INSECURE_SSL_NO_VERIFY"
            self.file = file
        } else if let file = variables["CURL_CA_BUNDLE"] {
            self.file = file
        } else {
            file = variables["SSL_CERT_FILE"]
            folder = variables["SSL_CERT_DIR"]
        }
    }
}

#endif
