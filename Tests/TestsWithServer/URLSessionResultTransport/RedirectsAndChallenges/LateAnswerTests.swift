#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// What is released when an answer comes too late.
@Suite(.inTurn)
struct LateAnswerTests {
    @Test("A challenge that is answered after a cancellation keeps nothing")
    func lateAnswer() async throws {
        let server = try LoopbackServer(.challenge(#"Basic realm="x""#))
        let isReleased = Gate()
        try await cancelThenAnswer(server.url(), on: CanaryQueue(Canary(isReleased)))
        try await isReleased.opened()
    }

    private func cancelThenAnswer(_ url: URL, on queue: OperationQueue) async throws {
        let delegate = HesitantDelegate()
        let session = URLSession(configuration: .forTests, delegate: delegate, delegateQueue: queue)
        let isCalled = Gate()
        let task = session.dataTask(with: url) { (_: DataResult) in isCalled.open() }
        task.resume()
        let answer = try await delegate.answer()
        task.cancel()
        try await isCalled.opened()
        answer(.useCredential, URLCredential(user: "user", password: "pass", persistence: .none))
    }
}

/// Leaves the answer to a challenge to others.
private final class HesitantDelegate: NSObject, URLSessionTaskDelegate {
    typealias Answer = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    private let waiting = Monitor<Answer?>(nil)

    func answer() async throws -> Answer {
        try await waiting.value { $0 != nil }
        return try #require(
            waiting.withLock { waiting in
                defer { waiting = nil }
                return waiting
            })
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping Answer
    ) {
        waiting.withLock { $0 = completionHandler }
    }
}

#endif
