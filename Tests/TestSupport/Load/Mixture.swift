import Foundation
import URLSessionResult

/// Requests of every kind to servers and mocks that do anything, whose tasks are touched at any moment, in sessions that come and go.
///
/// What comes out is left to chance: the same choices for the same seed, if not the same timing. But every request ends once, every session ends, and the process survives.
struct Mixture: Sendable {
    let requests: Int
    let seed: UInt64
    private let concurrency = 32

    /// How many sessions are in use at a time, and after how many requests one of them is ended.
    private let sessionCount = 6
    private let requestsBetweenEnds = 20

    struct Report: Sendable {
        /// How many handlers were called, and how many `async` methods returned.
        var calls = 0
        var successes = 0
        var touches = 0
    }

    func run() async throws -> Report {
        let chance = Chance(seed: seed)
        let servers = try MixedServers(chance)
        let report = Monitor(Report())
        let sessions = Monitor((0..<sessionCount).map { _ in EndingSession(chance) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<requests {
                if index >= concurrency { try await group.next() }
                let place = chance.number(below: sessionCount)
                let session = sessions.withLock { $0[place].begin() }
                let isLast = index.isMultiple(of: requestsBetweenEnds)
                if isLast { sessions.withLock { $0[place] = EndingSession(chance) } }
                let url = session.isMocked && chance.isOne(in: 2) ? MixedServers.mockedURL(chance) : servers.url(chance)
                let request = URLRequest(url: url, method: chance.element(of: [.get, .post]))
                let chance = chance.split()
                group.addTask {
                    await send(request, in: session, chance, report)
                    if isLast { try await session.end() }
                }
            }
            try await group.waitForAll()
        }
        for session in sessions.value { try await session.end() }
        servers.stop()
        return report.value
    }

    private func send(
        _ request: URLRequest, in session: EndingSession, _ chance: Chance, _ report: Monitor<Report>
    ) async {
        let count: @Sendable (Bool) -> Void = { isSuccess in
            report.withLock { report in
                report.calls += 1
                if isSuccess { report.successes += 1 }
            }
        }
        if chance.isOne(in: 2) {
            await withCheckedContinuation { continuation in
                let isOver = Monitor(false)
                let task = chance.element(of: Self.tasks)(session.session, request) { isSuccess in
                    count(isSuccess)
                    // A second call is counted, and shows in the sum.
                    if !isOver.exchange(true) { continuation.resume() }
                }
                session.hasBegun()
                if chance.isOne(in: 2) { task.delegate = MoodyDelegate(chance) }
                if chance.isOne(in: 2) {
                    Progress(totalUnitCount: 1).addChild(task.progress, withPendingUnitCount: 1)
                }
                task.resume()
                for _ in 0..<chance.number(below: 6) { touch(task, chance, report) }
            }
        } else {
            let method = chance.element(of: Self.methods)
            let delegate = MoodyDelegate(chance)
            let sending = Task { count(await method(session.session, request, delegate)) }
            if chance.isOne(in: 3) { later(chance) { sending.cancel() } }
            await sending.value
            session.hasBegun()
        }
    }

    // MARK: Forms

    private typealias Handler = @Sendable (_ isSuccess: Bool) -> Void

    private static let tasks: [@Sendable (URLSession, URLRequest, @escaping Handler) -> URLSessionTask] = [
        { session, request, handler in
            session.dataTask(with: request) { (result: DataResult) in handler(result.error == nil) }
        },
        { session, request, handler in
            session.dataTask(with: request, decoder: .string()) { handler($0.error == nil) }
        },
        { session, request, handler in
            session.uploadTask(with: request.asPUT, from: Data(count: 50_000)) { (result: DataResult) in
                handler(result.error == nil)
            }
        },
        { session, request, handler in
            session.downloadTask(with: request) { (result: Result<URL, NetworkError>) in handler(result.error == nil) }
        },
    ]

    private static let methods: [@Sendable (URLSession, URLRequest, MoodyDelegate) async -> Bool] = [
        { await $0.dataResult(for: $1, delegate: $2).error == nil },
        { await $0.dataResult(for: $1, delegate: $2) { _ in }.error == nil },
        { await $0.uploadResult(for: $1.asPUT, from: Data(count: 50_000), delegate: $2) { _ in }.error == nil },
        { await $0.downloadResult(for: $1, decoder: .data, delegate: $2).error == nil },
        { session, request, delegate in
            let result = await session.bytesResult(for: request, delegate: delegate).collected()
            return result.error == nil
        },
        { session, request, delegate in
            let result = await session.bytesResult(for: request, delegate: delegate)
            guard case .success(let response) = result else { return false }
            var lines = response.body.lines.makeAsyncIterator()
            return (try? await lines.next()) != nil
        },
    ]

    // MARK: Touches

    private typealias Touch = @Sendable (URLSessionTask, Chance) -> Void

    private func touch(_ task: URLSessionTask, _ chance: Chance, _ report: Monitor<Report>) {
        report.withLock { $0.touches += 1 }
        let touch = chance.element(of: Self.touches)
        let chanceOfTouch = chance.split()
        later(chance) { touch(task, chanceOfTouch) }
    }

    private static let touches = touchesAtAnyTime + touchesOfLinux

    // Elsewhere, a delegate that comes after `resume()` raises an exception.
    #if canImport(FoundationNetworking)
    private static let touchesOfLinux: [Touch] = [{ task, chance in task.delegate = MoodyDelegate(chance) }]
    #else
    private static let touchesOfLinux: [Touch] = []
    #endif

    private static let touchesAtAnyTime: [Touch] = [
        { task, chance in
            task.suspend()
            later(chance) { task.resume() }
        },
        { task, _ in task.cancel() },
        { task, _ in task.resume() },
        { task, _ in _ = task.progress.fractionCompleted },
        { task, _ in task.progress.cancel() },
        { task, _ in _ = (task.state, task.response, task.error, task.currentRequest) },
        { task, _ in _ = (task.countOfBytesReceived, task.countOfBytesSent) },
        { task, _ in task.priority = URLSessionTask.lowPriority },
    ]
}

extension URLRequest {
    fileprivate var asPUT: URLRequest {
        var request = self
        request.httpMethod = "PUT"
        return request
    }
}

/// Does something within 20 ms, or at once.
private func later(_ chance: Chance, _ work: @escaping @Sendable () -> Void) {
    guard !chance.isOne(in: 4) else { return work() }
    DispatchQueue.global().asyncAfter(deadline: .now() + chance.seconds(0..<0.02), execute: work)
}

/// A session whose requests are begun before it is ended. A session must not be used afterwards.
private final class EndingSession: Sendable {
    let session: URLSession
    let isMocked: Bool
    private let isInvalidated: Bool
    private let sessionEnd = SessionEnd()
    private let notBegun = Monitor(0)

    init(_ chance: Chance) {
        isMocked = chance.isOne(in: 3)
        isInvalidated = chance.isOne(in: 2)
        let configuration = isMocked ? URLSessionConfiguration.withMock : .forTests
        // Some servers never answer.
        configuration.timeoutIntervalForResource = chance.seconds(0.01..<0.5)
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1 + chance.number(below: 3)
        session = URLSession(configuration: configuration, delegate: sessionEnd, delegateQueue: queue)
    }

    func begin() -> EndingSession {
        notBegun.withLock { $0 += 1 }
        return self
    }

    func hasBegun() { notBegun.withLock { $0 -= 1 } }

    /// Ends the session in one of the two ways, and waits until it is over.
    func end() async throws {
        try await notBegun.value { $0 == 0 }
        if isInvalidated { session.invalidateAndCancel() }
        try await sessionEnd.follows(session)
    }
}

/// Answers at once, later, twice, or with a cancellation or a suspension of the task.
private final class MoodyDelegate: NSObject, URLSessionTaskDelegate, Sendable {
    private let chance: Chance

    init(_ chance: Chance) { self.chance = chance.split() }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let isStopped = chance.isOne(in: 8)
        answer(task) { completionHandler(isStopped ? nil : request) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let isRefused = challenge.previousFailureCount > 0
        answer(task) {
            completionHandler(isRefused ? .performDefaultHandling : .useCredential, ResponseChain.credential)
        }
    }

    private func answer(_ task: URLSessionTask, _ answer: @escaping @Sendable () -> Void) {
        switch chance.number(below: 8) {
        case 0: task.cancel()
        case 1:
            task.suspend()
            later(chance) { task.resume() }
        case 2: answer()
        default: break
        }
        later(chance, answer)
    }
}

/// Servers that do something right, and others that do something wrong.
private struct MixedServers: Sendable {
    private let correct: [LoopbackServer]
    private let faulty: [LoopbackServer]

    init(_ chance: Chance) throws {
        let long = String(repeating: "x", count: 100_000)
        let routes = ResponseChain.all.flatMap { chain in
            [.ok("abc"), .ok(long), .inPieces].map { chain.response(ending: $0) }
        }
        let others: [LoopbackServer.Response] = [
            .silent, .status(500, long), .redirect(to: "/target", then: .inPieces),
        ]
        correct = try (routes + others).map { try LoopbackServer(keepsRequests: false, $0.play) }
        // Each has a descriptor, and connections of several sessions.
        faulty = try chance.shuffled(Fault.survivable).prefix(20).map { try $0.server(keepsRequests: false) }
    }

    func url(_ chance: Chance) -> URL {
        let servers = chance.isOne(in: 4) ? faulty : correct
        return chance.element(of: servers).url("/0")
    }

    static func mockedURL(_ chance: Chance) -> URL {
        let kind = chance.element(of: MockProtocol.Kind.allCases)
        let answer = chance.element(of: ["hello", "failure", "redirect", "found", "twice"])
        return URL(string: "http://mock.test/\(kind.rawValue)/\(answer)") ?? URL(fileURLWithPath: "/")
    }

    func stop() {
        for server in correct + faulty { server.stop() }
    }
}

extension LoopbackServer.Response {
    /// A body of unknown length.
    fileprivate static let inPieces = Self { _, connection in
        try connection.sendHead(200, headers: ["Transfer-Encoding": "chunked"], contentLength: nil)
        for _ in 0..<300 { try connection.send("3e8\r\n\(String(repeating: "x", count: 1000))\r\n") }
        try connection.send("0\r\n\r\n")
    }
}
