#if os(Linux) && compiler(>=6.3)  // An exit test captures a value.

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// The end of a process, while the event loop goes on.
@Suite(.inTurn)
struct ExitTests {
    /// `exit` lets OpenSSL clean up, which frees what handshakes use.
    @Test(
        "A process that exits while TLS handshakes are under way does not crash", .serialized,
        arguments: [0, 1, 2, 5, 10, 19])
    func handshakes(endedCount: Int) async throws {
        // The other process has no OpenSSL but that of libcurl.
        let certificate = Certificate.authorityIsTrusted ? Certificate.valid : .selfSigned
        let server = try LoopbackServer(.ok("abc"), over: .tls(certificate))
        await #expect(processExitsWith: .success) { [url = server.url() as URL, endedCount] in
            let requestCount = 40
            let configuration = URLSessionConfiguration.forTests
            configuration.httpMaximumConnectionsPerHost = requestCount
            let session = URLSession(configuration: configuration)
            let count = Monitor(0)
            for _ in 0..<requestCount {
                session.dataTask(with: url) { (_: DataResult) in count.withLock { $0 += 1 } }.resume()
            }
            try await count.value { $0 >= endedCount }
            exit(EXIT_SUCCESS)
        }
        withExtendedLifetime(server) {}
    }
}

#endif
