#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResult
@testable import TestSupport

/// What is cancelled, or takes too long, stops there and then, whatever the delegate queue does, and is not sent afterwards.
@Suite(.inTurn)
struct PromptEndTests {
    private static let crowds = [1, 16, 100]

    /// How requests are ended, while the delegate queue is suspended.
    enum Way: CaseIterable {
        case handler, await, stream, invalidation, invalidationOfStream, timeout, suspendedTimeout

        var isTimeout: Bool { self == .timeout || self == .suspendedTimeout }
    }

    @Test(
        "The server sees the end while the delegate queue is suspended, and handlers are called afterwards",
        .serialized,
        arguments: Way.allCases, crowds)
    func suspendedQueue(_ way: Way, count: Int) async throws {
        let server = try LoopbackServer(.stalled(after: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"))
        let configuration = URLSessionConfiguration.forTests
        configuration.httpMaximumConnectionsPerHost = count
        if way.isTimeout { configuration.timeoutIntervalForResource = 1 }
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.isSuspended = true
        let session = URLSession(configuration: configuration, delegate: nil, delegateQueue: queue)
        let results = Monitor<[DataResult]>([])
        var tasks: [URLSessionTask] = []
        var transfers: [Task<Void, Never>] = []
        for _ in 0..<count {
            switch way {
            case .handler, .invalidation, .timeout, .suspendedTimeout:
                let task = session.dataTask(with: server.url()) { result in results.withLock { $0.append(result) } }
                task.resume()
                tasks.append(task)
            case .await:
                transfers.append(
                    Task {
                        let result = await session.dataResult(from: server.url())
                        results.withLock { $0.append(result) }
                    })
            case .stream, .invalidationOfStream:
                transfers.append(
                    Task {
                        let result = await session.bytesResult(from: server.url()).collected()
                        results.withLock { $0.append(result) }
                    })
            }
        }
        // On a busy machine, a request may time out before it is sent.
        if !way.isTimeout { try await server.requests(atLeast: count) }
        switch way {
        case .handler: tasks.forEach { $0.cancel() }
        case .await, .stream: transfers.forEach { $0.cancel() }
        case .invalidation, .invalidationOfStream: session.invalidateAndCancel()
        case .suspendedTimeout: tasks.forEach { $0.suspend() }
        case .timeout: break
        }
        if way == .timeout { while queue.operationCount < count { try await letOthersRun() } }
        try await server.connectionsClosed()
        let isStream = way == .stream || way == .invalidationOfStream
        if !isStream { #expect(results.value.isEmpty) }
        queue.isSuspended = false
        if way == .suspendedTimeout { tasks.forEach { $0.resume() } }
        try await results.value { $0.count == count }
        let expected: URLError.Code = way.isTimeout ? .timedOut : .cancelled
        #expect(results.value.allSatisfy { $0.error?.urlError?.code == expected })
        session.finishTasksAndInvalidate()
    }

    @Test("A client that is the delegate of its streams, and whose deinit invalidates its session", arguments: crowds)
    func delegateWithSession(count: Int) async throws {
        let isLetGo = Gate()
        let server = try LoopbackServer { _, connection in
            try connection.sendHead(200, contentLength: 3)
            isLetGo.wait()
            try connection.send("abc")
        }
        var bodies: [ResponseBytes] = []
        for _ in 0..<count { bodies.append(try await Client().open(server.url()).get().body) }
        // Only the streams have the clients now.
        isLetGo.open()
        for body in bodies { #expect(try await body.collect(upTo: 3) == Data("abc".utf8)) }
        // Other sessions go on.
        #expect(try await URLSession(configuration: .forTests).dataResult(from: server.url()).get() == Data("abc".utf8))
    }

    @Test("An upload whose file comes from a pipe, cancelled before the pipe is filled, is not sent", arguments: crowds)
    func cancelledPipe(count: Int) async throws {
        let server = try LoopbackServer(.ok())
        let session = URLSession(configuration: .forTests)
        let folder = TemporaryFolder()
        for index in 0..<count {
            let pipe = folder.url.appendingPathComponent("pipe\(index)")
            try #require(mkfifo(pipe.path, 0o600) == 0)
            let request = URLRequest(url: server.url("/cancelled"), method: .put)
            let upload = Task { await session.uploadResult(for: request, fromFile: pipe) }
            // This waits until somebody reads.
            let writer = try await inBackground { try FileHandle(forWritingTo: pipe) }
            // A signal would say that nobody reads any more.
            let reader = try FileHandle(forReadingFrom: pipe)
            defer { withExtendedLifetime(reader) {} }
            upload.cancel()
            try writer.write(contentsOf: Data("body".utf8))
            try writer.close()
            #expect(await upload.value.error?.isCancelled == true)
        }
        _ = try await session.dataResult(from: server.url("/last")).get()
        #expect(server.requests.map(\.target) == ["/last"])
    }

    @Test("A request whose delegate cancels it when it is asked for a new body is not sent again", arguments: crowds)
    func cancelledWhileRenewed(count: Int) async throws {
        let server = try LoopbackServer(["/": .redirect(to: "/next", status: 307), "/last": .ok()])
        let session = URLSession(configuration: .forTests, delegate: CancellingWhenRenewing(), delegateQueue: nil)
        await withTaskGroup(of: DataResult.self) { group in
            for _ in 0..<count {
                group.addTask {
                    var request = URLRequest(url: server.url(), method: .put)
                    request.httpBodyStream = InputStream(data: Data("body".utf8))
                    return await session.dataResult(for: request)
                }
            }
            for await result in group { #expect(result.error?.isCancelled == true) }
        }
        _ = try await session.dataResult(from: server.url("/last")).get()
        #expect(Set(server.requests.map(\.target)) == ["/", "/last"])
        session.finishTasksAndInvalidate()
    }

    @Test("Whoever cancels all operations of the delegate queue keeps no request from its end", arguments: APIForm.some)
    func cancelledOperations(_ form: APIForm) async throws {
        let server = try LoopbackServer(.ok("abc"))
        let queue = OperationQueue()
        let session = URLSession(configuration: .forTests, delegate: nil, delegateQueue: queue)
        queue.isSuspended = true
        let transfer = Task { await form(server.url(), in: session) }
        while !form.isStream, queue.operationCount == 0 { try await letOthersRun() }
        queue.cancelAllOperations()
        queue.isSuspended = false
        // What is added later.
        while !form.isStream, queue.operationCount > 0 {
            queue.cancelAllOperations()
            await Task.yield()
        }
        #expect("\(await transfer.value)" == "success(3 bytes)")
    }
}

/// Runs a function that blocks, on a thread that no task needs.
private func inBackground<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
}

/// Owns a session, and decides about its requests.
private final class Client: NSObject, URLSessionTaskDelegate, Sendable {
    private let session = URLSession(configuration: .forTests)

    deinit { session.invalidateAndCancel() }

    func open(_ url: URL) async -> Result<NetworkResponse<ResponseBytes>, NetworkError> {
        await session.bytesResult(from: url, delegate: self)
    }
}

/// Cancels a task that asks for a new body, and gives it one.
private final class CancellingWhenRenewing: NSObject, URLSessionTaskDelegate, Sendable {
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        task.cancel()
        completionHandler(InputStream(data: Data("renewed".utf8)))
    }
}

#endif
