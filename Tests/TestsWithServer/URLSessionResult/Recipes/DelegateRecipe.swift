import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Reports the metrics of the requests that it is passed to.
nonisolated final class MetricsDelegate:
    NSObject, URLSessionTaskDelegate
{
    private let report: @Sendable (URLSessionTaskMetrics) -> Void

    init(report: @escaping @Sendable (URLSessionTaskMetrics) -> Void) {
        self.report = report
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        report(metrics)
    }
}

// snippet.fingerprint
#if canImport(Security)
import CryptoKit
import Security

/// Refuses a server whose certificate is not one of these.
nonisolated final class KnownCertificates:
    NSObject, URLSessionDelegate
{
    /// SHA-256, in lower-case hexadecimal digits.
    private let fingerprints: Set<String>

    init(fingerprints: Set<String>) {
        self.fingerprints = fingerprints
    }

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (
                URLSession.AuthChallengeDisposition, URLCredential?
            ) -> Void
    ) {
        guard let trust = challenge.protectionSpace.serverTrust else {
            // A challenge for a certificate of the client, for example.
            completionHandler(.performDefaultHandling, nil)
            return
        }
        let isKnown = fingerprint(of: trust).map(fingerprints.contains)
        // The system then checks the certificate as always.
        completionHandler(
            isKnown == true
                ? .performDefaultHandling
                : .cancelAuthenticationChallenge, nil)
    }

    private func fingerprint(of trust: SecTrust) -> String? {
        let chain = SecTrustCopyCertificateChain(trust)
        let certificates = chain as? [SecCertificate]
        return certificates?.first.map { certificate in
            let bytes = SecCertificateCopyData(certificate) as Data
            return SHA256.hash(data: bytes)
                .map { String(format: "%02x", $0) }
                .joined()
        }
    }
}
#endif
// snippet.end

/// Recipe: metrics.
@Suite(.inTurn)
struct DelegateRecipe {
    private let session = URLSession(configuration: .forTests)

    @Test("The delegate of a request gets its metrics on Apple's platforms, and none on Linux")
    func delegate() async throws {
        let server = try LoopbackServer(.ok("done"))
        let count = Monitor(0)
        let delegate = MetricsDelegate { _ in count.withLock { $0 += 1 } }
        #expect(try await session.dataResult(from: server.url(), delegate: delegate).get() == Data("done".utf8))
        #if canImport(FoundationNetworking)
        #expect(count.value == 0)
        #else
        #expect(count.value == 1)
        #endif
    }

    @Test("A response has the metrics of its request")
    func metrics() async throws {
        let server = try LoopbackServer(.ok("done"))
        let url = server.url()
        let printed = Monitor<TimeInterval>(0)
        let print: @Sendable (TimeInterval) -> Void = { time in printed.withLock { $0 = time } }
        // snippet.use-metrics
        let response = try await session.dataResult(
            from: url, decoder: .response(.data)
        ).get()
        print(response.metrics?.timeToFirstByte ?? 0)
        // snippet.end
        #expect(printed.value > 0)
    }
}
