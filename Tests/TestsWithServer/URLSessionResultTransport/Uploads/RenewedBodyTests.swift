#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Bodies that URLSession on Linux would not send again: those of streams.
@Suite(.inTurn)
struct RenewedBodyTests {
    private let session = URLSession(configuration: .forTests)

    /// The chain of a body stream that has to be sent again.
    private static let streamChains: [ResponseChain] = [[.redirect], [.challenge], [.digest]].map(ResponseChain.init)

    @Test(
        "A body stream that nobody can renew is a server error", arguments: streamChains, [nil, ignored])
    func stream(_ chain: ResponseChain, progress: ProgressHandler?) async throws {
        let server = try LoopbackServer(chain.response(ending: .echo))
        let session = URLSession(configuration: .forTests, delegate: PasswordDelegate(), delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let result = await session.dataResult(for: streamedRequest(to: server.url("/0")), progress: progress)
        #expect(result.error?.statusCode == (chain.steps == [.redirect] ? 307 : 401))
        #expect(server.requests.map(\.text) == ["streamed"])
    }

    @Test(
        "The session's delegate is asked for a body stream that has to be sent again",
        arguments: streamChains, [nil, ignored])
    func renewedStream(_ chain: ResponseChain, progress: ProgressHandler?) async throws {
        let server = try LoopbackServer(chain.response(ending: .echo))
        let session = SessionDelegate(challenge: (.useCredential, ResponseChain.credential)).session()
        defer { session.finishTasksAndInvalidate() }
        let result = await session.dataResult(for: streamedRequest(to: server.url("/0")), progress: progress)
        #expect(try result.get() == Data("renewed".utf8))
        #expect(server.requests.map(\.text).filter { !$0.isEmpty } == ["streamed", "renewed"])
    }

    @Test(
        "The delegate of the request renews a body stream, or leaves that to the session's",
        arguments: streamChains, [true, false])
    func renewedStream(_ chain: ResponseChain, byDelegateOfRequest isFirst: Bool) async throws {
        let server = try LoopbackServer(chain.response(ending: .echo))
        let renewing = SessionDelegate(challenge: (.useCredential, ResponseChain.credential))
        let other = PasswordDelegate()
        let session = URLSession(configuration: .forTests, delegate: isFirst ? other : renewing, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let result = await session.dataResult(
            for: streamedRequest(to: server.url("/0")), delegate: isFirst ? renewing : other)
        #expect(try result.get() == Data("renewed".utf8))
        #expect(server.requests.map(\.text).filter { !$0.isEmpty } == ["streamed", "renewed"])
    }

    @Test("A delegate that renews no body stream in time ends nothing but its own request", arguments: streamChains)
    func silentDelegate(_ chain: ResponseChain) async throws {
        let server = try LoopbackServer(chain.response(ending: .echo))
        let delegate = SilentDelegate()
        let configuration = URLSessionConfiguration.forTests
        // Enough for the second request, even under a sanitizer.
        configuration.timeoutIntervalForResource = 10
        let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let result = await session.dataResult(for: streamedRequest(to: server.url("/0")))
        #expect(result.error?.urlError?.code == .timedOut)
        let answer = try #require(delegate.question.value)
        // It comes too late.
        answer(InputStream(data: Data("renewed".utf8)))
        #expect(try await session.dataResult(from: server.url("/9")).get() == Data())
        #expect(server.requests.map(\.text) == ["streamed", ""])
    }

    @Test("The timeout goes on while a delegate is asked for a new body stream, because the connection was lost")
    func timeoutAfterLostConnection() async throws {
        let server = try LoopbackServer { request, connection in
            if request.method == "GET" { return try connection.respond() }
            connection.close()
        }
        let delegate = SilentDelegate()
        let session = URLSession(configuration: .forTests, delegate: delegate, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        _ = try await session.dataResult(from: server.url()).get()
        var request = streamedRequest(to: server.url())
        request.httpMethod = "PUT"
        request.timeoutInterval = 1
        #expect(await session.dataResult(for: request).error?.urlError?.code == .timedOut)
        #expect(delegate.question.value != nil)
    }

    @Test("A new body stream that comes after the timeout is not sent")
    func lateStream() async throws {
        let server = try LoopbackServer(ResponseChain(steps: [.redirect]).response(ending: .echo))
        let delegate = LateDelegate(clock: try SilentClock())
        let session = URLSession(configuration: .forTests, delegate: delegate, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        var request = streamedRequest(to: server.url("/0"))
        request.timeoutInterval = 3
        let result = await session.dataResult(for: request)
        #expect(result.error?.urlError?.code == .timedOut)
        #expect(server.requests.map(\.text) == ["streamed"])
    }

    @Test(
        "A delegate is asked for a new body stream on its queue, after its answer, whatever thread answers",
        arguments: streamChains, [true, false])
    func queue(_ chain: ResponseChain, answersElsewhere: Bool) async throws {
        let server = try LoopbackServer(chain.response(ending: .echo))
        let delegate = BusyDelegate(answersElsewhere: answersElsewhere)
        let session = URLSession(configuration: .forTests, delegate: delegate, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let result = await session.dataResult(for: streamedRequest(to: server.url("/0")))
        #expect(try result.get() == Data("renewed".utf8))
        #expect(delegate.questions.value == ["on the queue, not busy"])
    }

    private func streamedRequest(to url: URL) -> URLRequest {
        var request = URLRequest(url: url, method: .post)
        request.httpBodyStream = InputStream(data: Data("streamed".utf8))
        return request
    }
}

/// Renews a body stream when a timeout of three seconds has fired.
private final class LateDelegate: NSObject, URLSessionTaskDelegate {
    private let clock: SilentClock

    init(clock: SilentClock) { self.clock = clock }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        clock.wait(seconds: 4)
        completionHandler(InputStream(data: Data("renewed".utf8)))
    }
}

/// Notes where it is asked for a new body stream, and whether it is answering another question then.
private final class BusyDelegate: NSObject, URLSessionTaskDelegate {
    let questions = Monitor<[String]>([])
    private let isAnswering = Monitor(false)
    private let answersElsewhere: Bool

    init(answersElsewhere: Bool) { self.answersElsewhere = answersElsewhere }

    private func answer(_ answer: @escaping @Sendable () -> Void) {
        let answerBusily: @Sendable () -> Void = { [isAnswering] in
            isAnswering.withLock { $0 = true }
            answer()
            isAnswering.withLock { $0 = false }
        }
        guard answersElsewhere else { return answerBusily() }
        // The queue waits, so that it cannot ask the next question meanwhile.
        let isOver = Gate()
        Thread.detachNewThread {
            answerBusily()
            isOver.open()
        }
        isOver.wait()
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        answer { completionHandler(.useCredential, ResponseChain.credential) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        answer { completionHandler(newRequest) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        let place = OperationQueue.current === session.delegateQueue ? "on the queue" : "elsewhere"
        let state = isAnswering.value ? "busy" : "not busy"
        questions.withLock { $0.append("\(place), \(state)") }
        completionHandler(InputStream(data: Data("renewed".utf8)))
    }
}

/// Knows the password, and keeps the question for a body stream.
private final class SilentDelegate: NSObject, URLSessionTaskDelegate {
    let question = Monitor<(@Sendable (InputStream?) -> Void)?>(nil)

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.useCredential, ResponseChain.credential)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        question.withLock { $0 = completionHandler }
    }
}

/// Knows the password, and no body stream.
private final class PasswordDelegate: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.useCredential, ResponseChain.credential)
    }
}

#endif
