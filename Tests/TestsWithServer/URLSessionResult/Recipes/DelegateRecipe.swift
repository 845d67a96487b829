import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

// snippet.metrics
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
// snippet.end

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

@Suite("Recipe: metrics", .inTurn)
struct DelegateRecipe {
    private let session = URLSession(configuration: .forTests)

    @Test("The delegate of a request gets its metrics on Apple's platforms, and none on Linux")
    func metrics() async throws {
        let server = try LoopbackServer(.ok("done"))
        let url = server.url()
        let count = Monitor(0)
        let print: @Sendable (TimeInterval) -> Void = { _ in count.withLock { $0 += 1 } }
        // snippet.use-metrics
        let timing = MetricsDelegate { metrics in
            print(metrics.taskInterval.duration)
        }
        let timed = await session.dataResult(
            from: url, delegate: timing)
        // snippet.end
        #expect(try timed.get() == Data("done".utf8))
        #if canImport(FoundationNetworking)
        #expect(count.value == 0)
        #else
        #expect(count.value == 1)
        #endif
    }
}
