#if os(Linux)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

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
        let sentence = "The certificate of the server 127.0.0.1:\(server.port) is not "
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

    /// Elsewhere, the pin would be asked about the certificate, and about it alone.
    @Test(
        "A password of the request and a pin of the session do not meet, and the certificate is judged by the system",
        .enabled(if: Certificate.authorityIsTrusted, "`make test-trusted` runs it."), arguments: APIForm.asynchronous)
    func passwordAndPin(_ form: APIForm) async throws {
        func server(_ certificate: Certificate) throws -> LoopbackServer {
            try LoopbackServer(over: .tls(certificate)) { request, connection in
                let isAuthorized = request.header("Authorization") == "Basic am9uaTpibHVl"
                try connection.respond(with: isAuthorized ? .ok("abc") : .challenge(#"Basic realm="x""#), to: request)
            }
        }
        let pin = Pin()
        let session = URLSession(configuration: .forTests, delegate: pin, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        for certificate in [Certificate.valid, .selfSigned] {
            let server = try server(certificate)
            let url = server.url()
            let password = Password(for: url, user: "joni", password: "blue")
            let result = await form.run(session, URLRequest(url: url, method: .put), delegate: password)
            if certificate.name == "valid" {
                #expect("\(result)" == "success(3 bytes)")
                #expect(server.requests.count == 2)
            } else {
                #expect(result.error?.urlError?.code == .serverCertificateUntrusted)
                #expect(server.requests.isEmpty)
            }
        }
        #expect(pin.methods.value == [])
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

/// Refuses all that it is asked about, and notes it.
private final class Pin: NSObject, URLSessionDelegate {
    let methods = Monitor<[String]>([])

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        methods.withLock { $0.append(challenge.protectionSpace.authenticationMethod) }
        completionHandler(.cancelAuthenticationChallenge, nil)
    }
}

extension Certificate: CustomTestStringConvertible {
    /// The certificate, as a test shows it.
    public var testDescription: String { name }
}

#endif
