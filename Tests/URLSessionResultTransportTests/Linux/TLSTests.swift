#if os(Linux)

import Foundation
import Testing
import URLSessionResult

/// What a certificate decides.
@Suite(.inTurn)
struct TLSTests {
    @Test(
        "A certificate that is not trusted is a transport error that says so, and nothing is sent",
        arguments: Certificate.refused, APIForm.all)
    func refused(_ certificate: Certificate, _ form: APIForm) async throws {
        let server = try LoopbackServer(.ok(), over: .tls(certificate))
        let error = try #require(await form(server.url()).error)
        let codes: [URLError.Code] = [.serverCertificateUntrusted, .serverCertificateHasBadDate]
        #expect(error.urlError.map { codes.contains($0.code) } == true, "\(error)")
        let sentence = "The server 127.0.0.1:\(server.port) could not be reached securely."
        #expect(error.localizedDescription.hasPrefix(sentence))
        #expect(server.requests.isEmpty)
    }

    @Test(
        "With the authority of the tests trusted, each certificate is refused for its own fault",
        .enabled(if: Certificate.authorityIsTrusted, "`make test-trusted` runs it."),
        arguments: [
            (.expired, .serverCertificateHasBadDate, "has expired"),
            (.otherHost, .serverCertificateUntrusted, "no alternative certificate subject name"),
            (.selfSigned, .serverCertificateUntrusted, "self-signed certificate"),
            (.untrustedAuthority, .serverCertificateUntrusted, "unable to get local issuer certificate"),
        ] as [(Certificate, URLError.Code, String)])
    func faults(_ certificate: Certificate, code: URLError.Code, reason: String) async throws {
        let server = try LoopbackServer(.ok(), over: .tls(certificate))
        let error = await URLSession(configuration: .ephemeral).dataResult(from: server.url()).error?.urlError
        #expect(error?.code == code)
        #expect(error?.localizedDescription.contains(reason) == true, "\(String(describing: error))")
    }

    @Test(
        "A certificate of an authority that the system does not know is refused",
        .disabled(if: Certificate.authorityIsTrusted, "Under `make test-trusted` the system knows it."))
    func unknownAuthority() async throws {
        let server = try LoopbackServer(.ok(), over: .tls(.valid))
        let error = await URLSession(configuration: .ephemeral).dataResult(from: server.url()).error
        #expect(error?.urlError?.code == .serverCertificateUntrusted)
    }

    @Test("Transfers with progress that are refused one after another leave the next one alone")
    func refusedInQuickSuccession() async throws {
        let refusing = try LoopbackServer(.ok(), over: .tls(.selfSigned))
        let accepting = try LoopbackServer(.ok("body"))
        let session = URLSession(configuration: .ephemeral)
        for _ in 1...25 {
            let error = await session.dataResult(from: refusing.url(), progress: ignored).error
            #expect(error?.urlError?.code == .serverCertificateUntrusted)
            #expect(try await session.dataResult(from: accepting.url(), progress: ignored).get() == Data("body".utf8))
        }
    }
}

extension Certificate: CustomTestStringConvertible {
    var testDescription: String { name }
}

#endif
