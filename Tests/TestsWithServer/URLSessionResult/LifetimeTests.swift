import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// What a request holds is let go when the request is over: no sooner, no later.
@Suite(.inTurn)
struct LifetimeTests {
    /// How a request may end.
    enum Ending: CaseIterable {
        case success, serverError, transportError, challenge, redirect, cancelled, cancelledBeforeResume

        var response: LoopbackServer.Response {
            switch self {
            case .success, .cancelledBeforeResume: .ok("abc")
            case .serverError: .status(500)
            case .transportError: .closed
            case .challenge: .challenge("Basic realm=\"x\"")
            case .redirect: .redirect(to: "/target", then: .ok("abc"))
            case .cancelled: .silent
            }
        }
    }

    @Test("A handler is released once it has been called, though task and session live on", arguments: Ending.allCases)
    func handler(_ ending: Ending) async throws {
        let server = try LoopbackServer(ending.response)
        let session = URLSession(configuration: .forTests)
        defer { session.invalidateAndCancel() }
        let isReleased = Gate()
        let isCalled = Gate()
        let task = makeTask(session, server.url(), holding: Canary(isReleased), calling: isCalled)
        try await run(task, to: ending, on: server)
        try await isCalled.opened()
        try await isReleased.opened()
        withExtendedLifetime(task) {}
    }

    @Test("A download's handler is released once it has been called", arguments: Ending.allCases)
    func downloadHandler(_ ending: Ending) async throws {
        let server = try LoopbackServer(ending.response)
        let session = URLSession(configuration: .forTests)
        defer { session.invalidateAndCancel() }
        let isReleased = Gate()
        let task = makeDownloadTask(session, server.url(), holding: Canary(isReleased))
        try await run(task, to: ending, on: server)
        try await isReleased.opened()
        withExtendedLifetime(task) {}
    }

    @Test("A handler lives until it is called")
    func handlerLives() async throws {
        let gate = Gate()
        let server = try LoopbackServer(.ok().once(gate))
        let session = URLSession(configuration: .forTests)
        defer { session.invalidateAndCancel() }
        let isReleased = Monitor(false)
        let wasReleasedBefore = Monitor<Bool?>(nil)
        start(session, server.url(), holding: Canary { isReleased.withLock { $0 = true } }) {
            wasReleasedBefore.withLock { $0 = isReleased.value }
        }
        try await server.requests(atLeast: 1)
        gate.open()
        try await wasReleasedBefore.value { $0 == false }
        try await isReleased.value { $0 }
    }

    @Test("What an async method captured is released when it returns", arguments: Ending.allCases)
    func asynchronous(_ ending: Ending) async throws {
        let server = try LoopbackServer(ending.response)
        let session = URLSession(configuration: .forTests)
        defer { session.invalidateAndCancel() }
        let isReleased = Gate()
        let running = runAsync(session, server.url(), holding: Canary(isReleased))
        switch ending {
        case .cancelled:
            try await server.requests(atLeast: 1)
            running.cancel()
        case .cancelledBeforeResume: running.cancel()
        default: break
        }
        await running.value
        try await isReleased.opened()
    }

    @Test("A session and its queue are released when its last task is over", arguments: APIForm.all)
    func session(_ form: APIForm) async throws {
        let server = try LoopbackServer(.ok())
        let isReleased = Gate()
        try await sendAndForget(form, server.url(), on: CanaryQueue(Canary(isReleased)))
        try await isReleased.opened()
    }

    @Test("A session that is invalidated in flight is released with its tasks", arguments: APIForm.all)
    func invalidatedSession(_ form: APIForm) async throws {
        let server = try LoopbackServer(.silent)
        let isReleased = Gate()
        try await sendAndInvalidate(form, server, on: CanaryQueue(Canary(isReleased)))
        try await isReleased.opened()
    }

    @Test("A delegate of a task that keeps the task is released when it is over", arguments: [true, false])
    func delegate(isOfSession: Bool) async throws {
        let server = try LoopbackServer(.ok())
        let isReleased = Gate()
        let isCalled = Gate()
        start(server.url(), withDelegateOfSession: isOfSession, holding: Canary(isReleased), calling: isCalled)
        try await isCalled.opened()
        try await isReleased.opened()
    }

    #if canImport(FoundationNetworking)
    /// Elsewhere, a delegate that comes after `resume()` raises an exception.
    @Test("A delegate that a task gets after its end is not kept")
    func lateDelegate() async throws {
        let server = try LoopbackServer(.ok())
        let isReleased = Gate()
        let session = URLSession(configuration: .forTests)
        try await endAndKeep(server.url(), in: session, holding: Canary(isReleased))
        try await isReleased.opened()
    }

    private func endAndKeep(_ url: URL, in session: URLSession, holding canary: Canary) async throws {
        let delegate = KeepingDelegate(canary)
        let isCalled = Gate()
        let task = session.dataTask(with: url) { (_: DataResult) in isCalled.open() }
        delegate.task.withLock { $0 = task }
        task.resume()
        try await isCalled.opened()
        // The handler has returned.
        await withCheckedContinuation { continuation in session.delegateQueue.addOperation { continuation.resume() } }
        task.delegate = delegate
    }

    @Test(
        "A session and its queue are released when a data URL was malformed",
        arguments: ["data:,abc", "data:;base64,####"])
    func dataURL(text: String) async throws {
        let url = try #require(URL(string: text))
        let isReleased = Gate()
        await request(url, on: CanaryQueue(Canary(isReleased)))
        try await isReleased.opened()
    }

    private func request(_ url: URL, on queue: OperationQueue) async {
        _ = await URLSession(configuration: .forTests, delegate: nil, delegateQueue: queue).dataResult(from: url)
    }
    #endif

    // Each of these has a frame of its own, so that nothing of the test keeps what it is given.

    private func makeTask(
        _ session: URLSession, _ url: URL, holding canary: Canary, calling isCalled: Gate
    ) -> URLSessionTask {
        session.dataTask(with: url) { (_: DataResult) in withExtendedLifetime(canary) { isCalled.open() } }
    }

    private func start(
        _ url: URL, withDelegateOfSession isOfSession: Bool, holding canary: Canary, calling isCalled: Gate
    ) {
        let delegate = KeepingDelegate(canary)
        let session = URLSession(configuration: .forTests, delegate: isOfSession ? delegate : nil, delegateQueue: nil)
        let task = session.dataTask(with: url) { (_: DataResult) in isCalled.open() }
        delegate.task.withLock { $0 = task }
        if !isOfSession { task.delegate = delegate }
        task.resume()
        session.finishTasksAndInvalidate()
    }

    private func makeDownloadTask(_ session: URLSession, _ url: URL, holding canary: Canary) -> URLSessionTask {
        session.downloadTask(with: url) { _ in withExtendedLifetime(canary) {} }
    }

    private func start(
        _ session: URLSession, _ url: URL, holding canary: Canary, handler: @escaping @Sendable () -> Void
    ) {
        session.dataTask(with: url) { (_: DataResult) in withExtendedLifetime(canary) { handler() } }.resume()
    }

    private func runAsync(_ session: URLSession, _ url: URL, holding canary: Canary) -> Task<Void, Never> {
        Task {
            let decoder = ResultDecoder<Data> { data in withExtendedLifetime(canary) { data } }
            _ = await session.dataResult(from: url, decoder: decoder) { _ in withExtendedLifetime(canary) {} }
        }
    }

    private func run(_ task: URLSessionTask, to ending: Ending, on server: LoopbackServer) async throws {
        if ending == .cancelledBeforeResume { task.cancel() }
        task.resume()
        if ending == .cancelled {
            try await server.requests(atLeast: 1)
            task.cancel()
        }
    }

    private func sendAndForget(_ form: APIForm, _ url: URL, on queue: OperationQueue) async throws {
        let session = URLSession(configuration: .forTests, delegate: nil, delegateQueue: queue)
        _ = try await form(url, in: session).get()
        #if !canImport(FoundationNetworking)
        // Apple's session lives until it is invalidated, by its documentation:
        // https://developer.apple.com/documentation/foundation/urlsession/init(configuration:delegate:delegatequeue:)
        session.finishTasksAndInvalidate()
        #endif
    }

    private func sendAndInvalidate(_ form: APIForm, _ server: LoopbackServer, on queue: OperationQueue) async throws {
        let session = URLSession(configuration: .forTests, delegate: nil, delegateQueue: queue)
        async let result = form(server.url(), in: session)
        try await server.requests(atLeast: 1)
        session.invalidateAndCancel()
        #expect(await result.error?.isCancelled == true)
    }
}

private final class KeepingDelegate: NSObject, URLSessionTaskDelegate {
    let task = Monitor<URLSessionTask?>(nil)
    private let canary: Canary

    init(_ canary: Canary) { self.canary = canary }
}
