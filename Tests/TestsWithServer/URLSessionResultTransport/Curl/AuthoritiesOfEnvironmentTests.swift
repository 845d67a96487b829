// Exit tests capture values from Swift 6.3 on.
#if canImport(FoundationNetworking) && compiler(>=6.3)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// The environment adds authorities, and never takes the checks away. Each test has a process of its own, which reads it once.
@Suite(.inTurn)
struct AuthoritiesOfEnvironmentTests {
    private static let variables = [
        "URLSessionCertificateAuthorityInfoFile", "CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR",
    ]

    /// Sets a variable of this process, and none of the others.
    private static func setOnly(_ variable: String, to value: String) {
        for each in variables { unsetenv(each) }
        setenv(variable, value, 1)
    }

    @Test(
        "A file or a folder of the environment is trusted, and what it does not have is refused", arguments: variables)
    func authority(variable: String) async {
        await #expect(processExitsWith: .success) { [variable] in
            let folder = TemporaryFolder()
            let authority = Certificate(name: "authority").path
            if variable == "SSL_CERT_DIR" {
                // What `openssl x509 -hash` prints.
                try FileManager.default.createSymbolicLink(
                    atPath: folder.file("5dd69617.0").path, withDestinationPath: authority)
                Self.setOnly(variable, to: folder.url.path)
            } else {
                Self.setOnly(variable, to: authority)
            }
            let server = try LoopbackServer(.ok("body"), over: .tls(.valid))
            let untrustedServer = try LoopbackServer(.ok(), over: .tls(.untrustedAuthority))
            for form in APIForm.some {
                #expect(await form(server.url()).error == nil, "\(form)")
                let error = await form(untrustedServer.url()).error?.urlError
                #expect(error?.code == .serverCertificateUntrusted, "\(form)")
            }
            #expect(server.requests.count == APIForm.some.count)
            #expect(untrustedServer.requests.isEmpty)
            endProcess(removing: folder)
        }
    }

    @Test("A file that is missing is an error, and nothing is sent", arguments: variables.dropLast())
    func missingFile(variable: String) async {
        await #expect(processExitsWith: .success) { [variable] in
            Self.setOnly(variable, to: "/nowhere/authorities.pem")
            let server = try LoopbackServer(.ok(), over: .tls(.valid))
            for form in APIForm.some {
                #expect(await form(server.url()).error?.urlError?.code == .secureConnectionFailed, "\(form)")
            }
            #expect(server.requests.isEmpty)
            endProcess()
        }
    }

    @Test("No value switches the checks off, also if a file has its name")
    func noChecks() async {
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            let name = "INSECURE_SSL_NO_VERIFY"
            let authority = Certificate(name: "authority").path
            try FileManager.default.createSymbolicLink(
                atPath: folder.file(name).path, withDestinationPath: authority)
            #expect(FileManager.default.changeCurrentDirectoryPath(folder.url.path))
            Self.setOnly("URLSessionCertificateAuthorityInfoFile", to: name)
            let server = try LoopbackServer(.ok(), over: .tls(.valid))
            let plainServer = try LoopbackServer(.ok())
            let redirect = try LoopbackServer(.redirect(to: server.url().absoluteString))
            for form in APIForm.some {
                for url in [server.url(), redirect.url()] {
                    let error = await form(url).error?.urlError
                    #expect(error?.code == .secureConnectionFailed, "\(form)")
                    #expect(error?.localizedDescription.contains("URLSessionCertificateAuthorityInfoFile") == true)
                }
                #expect(await form(plainServer.url()).error == nil, "\(form)")
            }
            #expect(server.requests.isEmpty)
            endProcess(removing: folder)
        }
    }
}

#endif
