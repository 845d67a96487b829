import Foundation
import URLSessionResult

/// Requests of every kind to servers and mocks that do anything, whose tasks are touched at any moment, in sessions that come and go.
///
/// What comes out is left to chance. But every request ends once, every session ends, and the process survives.
struct Mixture: Sendable {
    let requests: Int
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
        let servers = try MixedServers()
        let report = Monitor(Report())
        let sessions = Monitor((0..<sessionCount).map { _ in EndingSession() })
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<requests {
                if index >= concurrency { try await group.next() }
                let place = Int.random(in: 0..<sessionCount)
                let session = sessions.withLock { $0[place].begin() }
                let isLast = index.isMultiple(of: requestsBetweenEnds)
                if isLast { sessions.withLock { $0[place] = EndingSession() } }
                let url = session.isMocked && Bool.random() ? MixedServers.mockedURL() : servers.url()
                let request = URLRequest(url: url, method: Bool.random() ? .get : .post)
                group.addTask {
                    await send(request, in: session, report)
                    if isLast { try await session.end() }
                }
            }
            try await group.waitForAll()
        }
        for session in sessions.value { try await session.end() }
        servers.stop()
        return report.value
    }

    private func send(_ request: URLRequest, in session: EndingSession, _ report: Monitor<Report>) async {
        let count: @Sendable (Bool) -> Void = { isSuccess in
            report.withLock { report in
                report.calls += 1
                if isSuccess { report.successes += 1 }
            }
        }
        if Bool.random() {
            await withCheckedContinuation { continuation in
                let isOver = Monitor(false)
                let task = Self.tasks[.random(in: 0..<Self.tasks.count)](session.session, request) { isSuccess in
                    count(isSuccess)
                    // A second call is counted, and shows in the sum.
                    if !isOver.exchange(true) { continuation.resume() }
                }
                session.hasBegun()
                if Bool.random() { task.delegate = MoodyDelegate() }
                if Bool.random() {
                    Progress(totalUnitCount: 1).addChild(task.progress, withPendingUnitCount: 1)
                }
                task.resume()
                for _ in 0..<Int.random(in: 0..<6) { touch(task, report) }
            }
        } else {
            let method = Self.methods[.random(in: 0..<Self.methods.count)]
            let sending = Task { count(await method(session.session, request, MoodyDelegate())) }
            if Int.random(in: 0..<3) == 0 { later { sending.cancel() } }
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

    private func touch(_ task: URLSessionTask, _ report: Monitor<Report>) {
        report.withLock { $0.touches += 1 }
        let touch = Self.touches[.random(in: 0..<Self.touches.count)]
        later { touch(task) }
    }

    private static let touches: [@Sendable (URLSessionTask) -> Void] = [
        { task in
            task.suspend()
            later { task.resume() }
        },
        { $0.cancel() },
        { $0.resume() },
        { _ = $0.progress.fractionCompleted },
        { $0.progress.cancel() },
        { _ = ($0.state, $0.response, $0.error, $0.currentRequest, $0.countOfBytesReceived, $0.countOfBytesSent) },
        { $0.priority = URLSessionTask.lowPriority },
        { $0.delegate = MoodyDelegate() },
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
private func later(_ work: @escaping @Sendable () -> Void) {
    guard Int.random(in: 0..<4) > 0 else { return work() }
    DispatchQueue.global().asyncAfter(deadline: .now() + .random(in: 0..<0.02), execute: work)
}

/// A session whose requests are begun before it is ended. A session must not be used afterwards.
private final class EndingSession: Sendable {
    let session: URLSession
    let isMocked = Int.random(in: 0..<3) == 0
    private let sessionEnd = SessionEnd()
    private let notBegun = Monitor(0)

    init() {
        let configuration = isMocked ? URLSessionConfiguration.withMock : .forTests
        // Some servers never answer.
        configuration.timeoutIntervalForResource = .random(in: 0.01..<0.5)
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = .random(in: 1...3)
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
        if Bool.random() { session.invalidateAndCancel() }
        try await sessionEnd.follows(session)
    }
}

/// Answers at once, later, twice, or with a cancellation or a suspension of the task.
private final class MoodyDelegate: NSObject, URLSessionTaskDelegate, Sendable {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        answer(task) { completionHandler(Int.random(in: 0..<8) == 0 ? nil : request) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let isRefused = challenge.previousFailureCount > 0
        answer(task) { completionHandler(isRefused ? .performDefaultHandling : .useCredential, HopRoute.credential) }
    }

    private func answer(_ task: URLSessionTask, _ answer: @escaping @Sendable () -> Void) {
        switch Int.random(in: 0..<8) {
        case 0: task.cancel()
        case 1:
            task.suspend()
            later { task.resume() }
        case 2: answer()
        default: break
        }
        later(answer)
    }
}

/// Servers that do something right, and others that do something wrong.
private struct MixedServers: Sendable {
    private let correct: [LoopbackServer]
    private let faulty: [LoopbackServer]

    init() throws {
        let long = String(repeating: "x", count: 100_000)
        let routes = HopRoute.all.flatMap { route in
            [.ok("abc"), .ok(long), .inPieces].map { route.response(ending: $0) }
        }
        let others: [LoopbackServer.Response] = [
            .silent, .status(500, long), .redirect(to: "/target", then: .inPieces),
        ]
        correct = try (routes + others).map { try LoopbackServer(keepsRequests: false, $0.play) }
        // Each has a descriptor, and connections of several sessions.
        faulty = try Fault.survivable.shuffled().prefix(20).map { try $0.server(keepsRequests: false) }
    }

    func url() -> URL {
        let servers = Int.random(in: 0..<4) == 0 ? faulty : correct
        return servers[.random(in: 0..<servers.count)].url("/0")
    }

    static func mockedURL() -> URL {
        let kind = MockProtocol.Kind.allCases.randomElement() ?? .task
        let answer = ["hello", "failure", "redirect", "found", "twice"].randomElement() ?? ""
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
