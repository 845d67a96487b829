#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// What a caller has given to a request is released on no thread that others wait for.
@Suite(.inTurn)
struct ReleasedElsewhereTests {
    /// How a request ends.
    enum End: CaseIterable { case cancellation, response, timeout }

    /// A delegate that is released with its session, which nobody invalidates.
    private final class Delegate: NSObject, URLSessionTaskDelegate {
        let threads: Monitor<[String]>

        init(_ threads: Monitor<[String]>) { self.threads = threads }

        deinit { threads.withLock { $0.append(Thread.current.name ?? "") } }
    }

    @Test("A session that goes with its last request is not released on the event loop", arguments: End.allCases)
    func session(end: End) async throws {
        let count = 200
        let threads = Monitor<[String]>([])
        let server = try LoopbackServer(end == .response ? .ok("abc") : .silent)
        for _ in 0..<count {
            let configuration = URLSessionConfiguration.forTests
            if end == .timeout { configuration.timeoutIntervalForRequest = 0.001 }
            let isOver = Gate()
            var session: URLSession? = URLSession(
                configuration: configuration, delegate: Delegate(threads), delegateQueue: nil)
            var task = session?.dataTask(with: server.url()) { (_: DataResult) in isOver.open() }
            task?.resume()
            session = nil
            if end == .cancellation { task?.cancel() }
            task = nil
            try await isOver.opened()
        }
        // The connections of some sessions look at their owners for a moment.
        try await threads.value { $0.count >= count / 2 }
        #expect(threads.value.allSatisfy { $0 != "URLSession loop" })
    }
}

#endif
