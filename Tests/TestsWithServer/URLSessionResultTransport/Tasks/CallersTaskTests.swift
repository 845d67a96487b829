#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// What the task that a caller gets shows and does, as on Apple's platforms. FoundationNetworking's own task shows the first request,
/// counts nothing, and crashes when it is suspended or given a delegate while it runs.
@Suite(.inTurn)
struct CallersTaskTests {
    /// The kinds of tasks, each with a body of nine bytes to send if it is an upload.
    enum Kind: CaseIterable, Sendable {
        case data, upload, download

        static let sent = Data("sent body".utf8)

        func task(
            _ url: URL, in session: URLSession, _ handler: @escaping @Sendable (NetworkError?) -> Void = { _ in }
        ) -> URLSessionTask {
            var request = URLRequest(url: url)
            switch self {
            case .data:
                return session.dataTask(with: request) { (result: DataResult) in handler(result.error) }
            case .upload:
                request.httpMethod = "PUT"
                return session.uploadTask(with: request, from: Self.sent) { (result: DataResult) in
                    handler(result.error)
                }
            case .download:
                return session.downloadTask(with: request) { (result: Result<URL, NetworkError>) in
                    handler(result.takeContents().error)
                }
            }
        }
    }

    enum DelegateRelease: CaseIterable, Sendable {
        case replaced, removed, over
    }

    @Test("A delegate may look at its task while it is released", arguments: DelegateRelease.allCases)
    func releasedDelegate(_ release: DelegateRelease) async throws {
        let server = try LoopbackServer(.ok("abc"))
        let box = Monitor<URLSessionTask?>(nil)
        let isReleased = Gate()
        let task = Kind.data.task(server.url(), in: URLSession(configuration: .forTests))
        box.withLock { $0 = task }
        task.delegate = DelegateWithCanary {
            _ = box.value?.delegate
            isReleased.open()
        }
        // The lock that it would wait for stays locked.
        Thread.detachNewThread {
            switch release {
            case .replaced: task.delegate = SessionDelegate()
            case .removed: task.delegate = nil
            case .over: task.resume()
            }
        }
        try await isReleased.opened()
        task.cancel()
    }

    // MARK: What it shows

    @Test("While it runs, and at its end", arguments: Kind.allCases)
    func shownState(_ kind: Kind) async throws {
        let gate = Gate()
        let server = try LoopbackServer { _, connection in
            try connection.sendHead(200, headers: [:], contentLength: 6)
            try connection.send("abc")
            gate.wait()
            try connection.send("def")
        }
        let ending = Ending()
        let task = kind.task(server.url(), in: URLSession(configuration: .forTests), ending.take)
        #expect(task.state == .suspended)
        #expect(task.originalRequest?.url == server.url())
        #expect(task.currentRequest?.url == server.url())
        #expect(task.response == nil)
        #expect(task.error == nil)
        #expect(task.countOfBytesReceived == 0)
        task.priority = URLSessionTask.highPriority
        task.taskDescription = "first"
        task.resume()
        #expect(task.state == .running)
        while task.countOfBytesReceived < 3 { try await letOthersRun() }
        #expect((task.response as? HTTPURLResponse)?.statusCode == 200)
        #expect(task.countOfBytesExpectedToReceive == 6)
        #expect(task.error == nil)
        gate.open()
        #expect(try await ending.error() == nil)
        #expect(task.state == .completed)
        #expect((task.response as? HTTPURLResponse)?.statusCode == 200)
        #expect(task.error == nil)
        #expect(task.countOfBytesReceived == 6)
        #expect(task.countOfBytesSent == (kind == .upload ? 9 : 0))
        #expect(task.countOfBytesExpectedToSend == (kind == .upload ? 9 : 0))
        #expect(task.priority == URLSessionTask.highPriority)
        #expect(task.taskDescription == "first")
    }

    @Test(
        "After redirects and challenges it shows the last request and the last response", arguments: ResponseChain.all)
    func lastResponse(_ chain: ResponseChain) async throws {
        for transport in LoopbackServer.Transport.trusted {
            for kind in Kind.allCases {
                let server = try LoopbackServer(chain.response(ending: .ok("abc")), over: transport)
                let session = SessionDelegate(challenge: (.useCredential, ResponseChain.credential)).session()
                defer { session.finishTasksAndInvalidate() }
                let ending = Ending()
                let task = kind.task(server.url("/0"), in: session, ending.take)
                task.resume()
                #expect(try await ending.error() == nil)
                #expect((task.response as? HTTPURLResponse)?.statusCode == 200, "\(transport.scheme) \(kind)")
                #expect(task.currentRequest?.url?.path == server.requests.last?.path, "\(transport.scheme) \(kind)")
                #expect(task.originalRequest?.url == server.url("/0"))
                #expect(task.error == nil)
                #expect(task.countOfBytesReceived == 3)
            }
        }
    }

    @Test("Its error is that of the request, and its response the one that came", arguments: Kind.allCases)
    func shownError(_ kind: Kind) async throws {
        let server = try LoopbackServer(.truncated("abc", of: 9))
        let ending = Ending()
        let task = kind.task(server.url(), in: URLSession(configuration: .forTests), ending.take)
        task.resume()
        #expect(try await ending.error()?.urlError?.code == .networkConnectionLost)
        #expect(task.error is URLError)
        #expect((task.response as? HTTPURLResponse)?.statusCode == 200)
        #expect(task.state == .completed)
    }

    /// How an upload ends after its body was sent, without an answer that counts.
    enum EndAfterSending: CaseIterable, Sendable {
        case cancelled, challenged, redirected, cut

        var response: LoopbackServer.Response {
            switch self {
            case .cancelled: .silent
            case .challenged: .challenge(#"Basic realm="x""#)
            case .redirected: .redirect(to: "/there")
            case .cut: .closed
            }
        }
    }

    @Test("An upload that fails still shows what it has sent", arguments: EndAfterSending.allCases, [9, 3 << 20])
    func sentCount(_ end: EndAfterSending, size: Int) async throws {
        let server = try LoopbackServer(end.response)
        let session = SessionDelegate(redirect: { _ in nil }).session()
        let ending = Ending()
        let request = URLRequest(url: server.url(), method: .post)
        let task = session.uploadTask(with: request, from: Data(count: size)) { (result: DataResult) in
            ending.take(result.error)
        }
        task.resume()
        if end == .cancelled {
            while task.countOfBytesSent < size { try await letOthersRun() }
            task.cancel()
        }
        #expect(try await ending.error() != nil)
        #expect(task.countOfBytesSent == size)
        #expect(task.countOfBytesExpectedToSend == size)
        #expect(task.progress.completedUnitCount >= size)
        session.finishTasksAndInvalidate()
    }

    @Test("Its progress moves, ends whole, and moves a parent", arguments: Kind.allCases)
    func progress(_ kind: Kind) async throws {
        let gate = Gate()
        let server = try LoopbackServer { _, connection in
            try connection.sendHead(200, headers: [:], contentLength: 6)
            try connection.send("abc")
            gate.wait()
            try connection.send("def")
        }
        let ending = Ending()
        let task = kind.task(server.url(), in: URLSession(configuration: .forTests), ending.take)
        let parent = Progress(totalUnitCount: 10)
        parent.addChild(task.progress, withPendingUnitCount: 10)
        task.resume()
        while task.countOfBytesReceived < 3 { try await letOthersRun() }
        #expect((0.1..<1).contains(task.progress.fractionCompleted))
        #expect(!parent.isFinished)
        gate.open()
        #expect(try await ending.error() == nil)
        #expect(task.progress.fractionCompleted == 1)
        #expect(parent.fractionCompleted == 1)
    }

    /// `Progress` has no lock. Without one in the library, some stay unfinished, or crash.
    @Test("Its progress ends whole although it is read meanwhile, and so does that of a parent")
    func progressOfCrowd() async throws {
        let server = try LoopbackServer(.ok("abc"))
        let session = URLSession(configuration: .forTests)
        for _ in 0..<60 {
            let parent = Progress(totalUnitCount: 8)
            let endings = (0..<8).map { _ in Ending() }
            let tasks = endings.map { Kind.data.task(server.url(), in: session, $0.take) }
            // Before any of them runs, because then the library changes the parent.
            for task in tasks { parent.addChild(task.progress, withPendingUnitCount: 1) }
            try await withThrowingTaskGroup { group in
                for (task, ending) in zip(tasks, endings) {
                    let isOver = Monitor(false)
                    group.addTask {
                        while !isOver.value {
                            _ = task.progress
                            await Task.yield()
                        }
                    }
                    group.addTask {
                        task.resume()
                        let error = try await ending.error()
                        #expect(error == nil)
                        isOver.withLock { $0 = true }
                        #expect(task.progress.isFinished)
                    }
                }
                try await group.waitForAll()
            }
            #expect(parent.fractionCompleted == 1)
        }
    }

    #if compiler(>=6.3)  // An exit test captures a value.
    /// `Progress` multiplies the totals it has had, and crashes if more than all is completed.
    @Test("Its progress ends whole after a long answer of unknown length that asks for a credential", arguments: 1...40)
    func progressOfAttempts(pieceCount: Int) async {
        await #expect(processExitsWith: .success) { [pieceCount] in
            let configuration = URLSessionConfiguration.forTests
            configuration.protocolClasses = [ReluctantProtocol.self]
            let session = SessionDelegate(challenge: (.useCredential, ResponseChain.credential)).session(
                with: configuration)
            for kind in Kind.allCases {
                let ending = Ending()
                let url = try #require(URL(string: "http://reluctant.test/\(pieceCount)"))
                let task = kind.task(url, in: session, ending.take)
                let parent = Progress(totalUnitCount: 10)
                parent.addChild(task.progress, withPendingUnitCount: 10)
                task.resume()
                #expect(try await ending.error() == nil)
                #expect(task.progress.isFinished)
                #expect(parent.fractionCompleted == 1)
            }
        }
    }
    #endif

    @Test("Its progress bears every length that a server announces", arguments: [1 << 62, .max - 1024] as [Int64])
    func progressOfLength(_ length: Int64) async throws {
        let server = try LoopbackServer(.raw("Content-Length: \(length)", body: "abc"))
        let ending = Ending()
        let session = URLSession(configuration: .forTests)
        let request = URLRequest(url: server.url(), method: .put)
        let task = session.uploadTask(with: request, from: Data(count: 5000)) { (result: DataResult) in
            ending.take(result.error)
        }
        let parent = Progress(totalUnitCount: 10)
        parent.addChild(task.progress, withPendingUnitCount: 10)
        task.resume()
        #expect(try await ending.error()?.urlError?.code == .networkConnectionLost)
        #expect(task.progress.isFinished)
    }

    @Test("Cancelling its progress cancels it", arguments: Kind.allCases)
    func cancelledProgress(_ kind: Kind) async throws {
        let server = try LoopbackServer(.silent)
        let ending = Ending()
        let task = kind.task(server.url(), in: URLSession(configuration: .forTests), ending.take)
        task.resume()
        task.progress.cancel()
        #expect(try await ending.error()?.isCancelled == true)
    }

    @Test(
        "Its delegate is asked first, set before it is resumed or while it runs", arguments: Kind.allCases,
        [false, true])
    func delegate(_ kind: Kind, isResumed: Bool) async throws {
        let gate = Gate()
        let server = try LoopbackServer([
            "/": LoopbackServer.Response.redirect(to: "/there").once(gate), "/there": .ok(),
        ])
        let (own, ofSession) = (SessionDelegate(redirect: { _ in nil }), SessionDelegate())
        let ending = Ending()
        let task = kind.task(server.url(), in: ofSession.session(), ending.take)
        #expect(task.delegate == nil)
        if isResumed { task.resume() }
        task.delegate = own
        #expect(task.delegate === own)
        if !isResumed { task.resume() }
        gate.open()
        #expect(try await ending.error()?.statusCode == 302)
        #expect(own.redirects.value == 1)
        #expect(ofSession.redirects.value == 0)
    }

    // MARK: Cancelling

    @Test("Cancelled before it is resumed, after, and twice", arguments: Kind.allCases, [0, 1, 2])
    func cancellation(_ kind: Kind, resumptions: Int) async throws {
        let server = try LoopbackServer(.silent)
        let ending = Ending()
        let task = kind.task(server.url(), in: URLSession(configuration: .forTests), ending.take)
        for _ in 0..<resumptions { task.resume() }
        task.cancel()
        #expect(task.state == .canceling || task.state == .completed)
        task.cancel()
        task.resume()
        #expect(try await ending.error()?.isCancelled == true)
        #expect((task.error as? URLError)?.code == .cancelled)
        #expect(task.state == .completed)
        #expect(ending.calls.value.count == 1)
        #expect(resumptions > 0 || server.requests.isEmpty)
    }

    @Test("Cancelled from within a delegate's decision", arguments: Kind.allCases, [false, true])
    func cancellationWithinDelegate(_ kind: Kind, answers: Bool) async throws {
        let server = try LoopbackServer(["/": .redirect(to: "/there"), "/there": .ok()])
        let session = URLSession(configuration: .forTests, delegate: Cancelling(answers: answers), delegateQueue: nil)
        let ending = Ending()
        kind.task(server.url(), in: session, ending.take).resume()
        #expect(try await ending.error()?.isCancelled == true)
        #expect(server.requests.map(\.path) == ["/"])
        session.invalidateAndCancel()
    }

    // MARK: Suspending

    @Test(
        "Suspended in the instant in which it is resumed, it ends when it is resumed again", arguments: Kind.allCases,
        [1, 2])
    func suspension(_ kind: Kind, times: Int) async throws {
        let gate = Gate()
        let server = try LoopbackServer(.ok("abc").once(gate))
        let ending = Ending()
        let task = kind.task(server.url(), in: URLSession(configuration: .forTests), ending.take)
        task.resume()
        for _ in 0..<times { task.suspend() }
        #expect(task.state == .suspended)
        gate.open()
        try await server.requests(atLeast: 1)
        while task.countOfBytesReceived < 3 { try await letOthersRun() }
        // What has arrived is held back.
        #expect(task.state == .suspended)
        #expect(ending.calls.value.isEmpty)
        for _ in 0..<times { task.resume() }
        #expect(try await ending.error() == nil)
        #expect(task.state == .completed)
        #expect(server.requests.count == 1)
    }

    @Test("Suspended later, and cancelled", arguments: Kind.allCases)
    func suspensionAndCancellation(_ kind: Kind) async throws {
        let gate = Gate()
        let server = try LoopbackServer(.ok("abc").once(gate))
        let ending = Ending()
        let task = kind.task(server.url(), in: URLSession(configuration: .forTests), ending.take)
        task.resume()
        try await server.requests(atLeast: 1)
        task.suspend()
        gate.open()
        while task.countOfBytesReceived < 3 { try await letOthersRun() }
        task.cancel()
        #expect(try await ending.error()?.isCancelled == true)
        #expect(server.requests.count == 1)
    }

    @Test("Suspended and resumed a hundred times, sixteen at once, each request is sent once", arguments: Kind.allCases)
    func suspendedCrowd(_ kind: Kind) async throws {
        let server = try LoopbackServer(.redirect(to: "/target", then: .ok("abc")))
        let session = URLSession(configuration: .forTests)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    let ending = Ending()
                    let task = kind.task(server.url(), in: session, ending.take)
                    task.resume()
                    for _ in 0..<100 {
                        task.suspend()
                        task.resume()
                    }
                    let error = try await ending.error()
                    #expect(error == nil)
                }
            }
            try await group.waitForAll()
        }
        #expect(server.requests.count == 32)
    }

    // MARK: Its session

    @Test("Its session lists it while it runs, and what it lists can be cancelled", arguments: Kind.allCases)
    func listed(_ kind: Kind) async throws {
        let server = try LoopbackServer(.silent)
        let session = URLSession(configuration: .forTests)
        let ending = Ending()
        let task = kind.task(server.url(), in: session, ending.take)
        task.resume()
        let all = await withCheckedContinuation { continuation in
            session.getAllTasks { continuation.resume(returning: $0) }
        }
        #expect(all.map(\.taskIdentifier) == [task.taskIdentifier])
        let counts = await withCheckedContinuation { continuation in
            session.getTasksWithCompletionHandler { continuation.resume(returning: [$0.count, $1.count, $2.count]) }
        }
        #expect(counts == [kind == .data ? 1 : 0, kind == .upload ? 1 : 0, kind == .download ? 1 : 0])
        for listed in all { listed.cancel() }
        #expect(try await ending.error()?.isCancelled == true)
        #expect((task.error as? URLError)?.code == .cancelled)
    }

    @Test(
        "A session with a hundred requests, half of them redirected, ends after their handlers",
        arguments: [false, true])
    func invalidation(cancels: Bool) async throws {
        let gate = Gate()
        let server = try LoopbackServer([
            "/": .redirect(to: "/there"), "/there": LoopbackServer.Response.ok("abc").once(gate),
        ])
        let configuration = URLSessionConfiguration.forTests
        configuration.httpMaximumConnectionsPerHost = 100
        let order = Monitor<[String]>([])
        let session = URLSession(configuration: configuration, delegate: NotedEnd(order), delegateQueue: nil)
        for index in 0..<100 {
            let url = server.url(index.isMultiple(of: 2) ? "/" : "/there")
            Kind.allCases[index % 3].task(url, in: session) { error in
                order.withLock {
                    $0.append(error == nil ? "whole" : error?.isCancelled == true ? "cancelled" : "other")
                }
            }.resume()
        }
        if cancels {
            session.invalidateAndCancel()
            gate.open()
        } else {
            session.finishTasksAndInvalidate()
            gate.open()
        }
        let endings = try await order.value { $0.count == 101 }
        #expect(endings.last == "invalid")
        #expect(endings.dropLast().allSatisfy { $0 == "whole" || cancels && $0 == "cancelled" })
    }

    @Test(
        "A cancelled session with a mock ends after its handlers, too, however busy its queue was",
        arguments: Kind.allCases, [1, 16])
    func invalidationWithMock(_ kind: Kind, count: Int) async throws {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let order = Monitor<[String]>([])
        let session = URLSession(configuration: .withMock, delegate: NotedEnd(order), delegateQueue: queue)
        queue.isSuspended = true
        let url = try #require(URL(string: "http://mock.test/never"))
        for _ in 0..<count {
            kind.task(url, in: session) { error in
                order.withLock { $0.append(error?.isCancelled == true ? "cancelled" : "whole") }
            }.resume()
        }
        session.invalidateAndCancel()
        while queue.operationCount <= count { try await letOthersRun() }
        queue.isSuspended = false
        let endings = try await order.value { $0.count == count + 1 }
        #expect(endings == Array(repeating: "cancelled", count: count) + ["invalid"])
    }

    /// There, FoundationNetworking looks for cached responses.
    @Test("A cancelled session ends after its handlers, however busy the background is", arguments: Kind.allCases)
    func invalidationInBusyBackground(_ kind: Kind) async throws {
        let isOver = Monitor(false)
        defer { isOver.withLock { $0 = true } }
        for _ in 0..<64 {
            DispatchQueue.global(qos: .background).async { while !isOver.value { _ = sched_yield() } }
        }
        let gate = Gate()
        let server = try LoopbackServer(LoopbackServer.Response.ok("abc").once(gate))
        let order = Monitor<[String]>([])
        let session = URLSession(configuration: .forTests, delegate: NotedEnd(order), delegateQueue: nil)
        kind.task(server.url(), in: session) { _ in order.withLock { $0.append("handler") } }.resume()
        session.invalidateAndCancel()
        gate.open()
        #expect(try await order.value { $0.count == 2 } == ["handler", "invalid"])
    }

    @Test("A session ends after the handler of a task whose end is held back", arguments: Kind.allCases)
    func invalidationOfSuspended(_ kind: Kind) async throws {
        let gate = Gate()
        let server = try LoopbackServer(["/": LoopbackServer.Response.ok("abc").once(gate), "/other": .ok("other")])
        let order = Monitor<[String]>([])
        let session = URLSession(configuration: .forTests, delegate: NotedEnd(order), delegateQueue: nil)
        let task = kind.task(server.url(), in: session) { _ in order.withLock { $0.append("handler") } }
        task.resume()
        session.finishTasksAndInvalidate()
        task.suspend()
        gate.open()
        while task.countOfBytesReceived < 3 { try await letOthersRun() }
        // A request of another session takes longer than the end of the first one.
        _ = try await URLSession(configuration: .forTests).dataResult(from: server.url("/other")).get()
        task.resume()
        #expect(try await order.value { $0.count == 2 } == ["handler", "invalid"])
    }

    @Test("Its handler is called on the delegate queue", arguments: Kind.allCases)
    func queue(_ kind: Kind) async throws {
        let server = try LoopbackServer(.redirect(to: "/target", then: .ok("abc")))
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let session = URLSession(configuration: .forTests, delegate: nil, delegateQueue: queue)
        let isOnQueue = Monitor<Bool?>(nil)
        kind.task(server.url(), in: session) { _ in
            let isCurrent = OperationQueue.current === queue
            isOnQueue.withLock { $0 = isCurrent }
        }.resume()
        #expect(try await isOnQueue.value { $0 != nil } == true)
    }

    @Test(
        "A task that is dropped runs on, and one that is never resumed ends with its session", arguments: Kind.allCases)
    func dropped(_ kind: Kind) async throws {
        let server = try LoopbackServer(.ok("abc"))
        let session = URLSession(configuration: .forTests)
        let (running, waiting) = (Ending(), Ending())
        kind.task(server.url(), in: session, running.take).resume()
        #expect(try await running.error() == nil)
        _ = kind.task(server.url(), in: session, waiting.take)
        session.invalidateAndCancel()
        #expect(try await waiting.error()?.isCancelled == true)
        #expect(server.requests.count == 1)
    }
}

/// How a task ends.
private final class Ending: Sendable {
    let calls = Monitor<[NetworkError?]>([])

    func take(_ error: NetworkError?) { calls.withLock { $0.append(error) } }

    func error() async throws -> NetworkError? { try await calls.value { !$0.isEmpty }[0] }
}

/// Cancels a task when it is asked about its redirect.
private final class Cancelling: NSObject, URLSessionTaskDelegate {
    private let answers: Bool

    init(answers: Bool) { self.answers = answers }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        task.cancel()
        if answers { completionHandler(request) }
    }
}

/// Notes when its session is invalid.
private final class NotedEnd: NSObject, URLSessionDelegate {
    private let order: Monitor<[String]>

    init(_ order: Monitor<[String]>) { self.order = order }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        order.withLock { $0.append("invalid") }
    }
}

/// Asks for a credential in many pieces, and says no length. Answers with one byte.
private final class ReluctantProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url else { return }
        let isFirst = request.value(forHTTPHeaderField: "Authorization") == nil
        let response = HTTPURLResponse(
            url: url, statusCode: isFirst ? 401 : 200, httpVersion: nil,
            headerFields: ["WWW-Authenticate": #"Basic realm="x""#])
        if let response { client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed) }
        let pieceCount = Int(url.lastPathComponent) ?? 0
        for number in 0..<(isFirst ? pieceCount : 1) {
            client?.urlProtocol(self, didLoad: Data(count: isFirst ? 1000 + 7 * number : 1))
        }
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}

/// A delegate that calls a function when it is released.
private final class DelegateWithCanary: NSObject, URLSessionTaskDelegate {
    private let canary: Canary

    init(_ call: @escaping @Sendable () -> Void) { canary = Canary(call) }
}

#endif
