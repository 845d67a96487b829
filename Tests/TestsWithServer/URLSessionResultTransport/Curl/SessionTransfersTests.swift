#if canImport(FoundationNetworking)

import Foundation
import Glibc
import Testing
import URLSessionResult

@testable import TestSupport

/// What transfers have from their session: connections, a delegate and an end, with `progress:` as without.
@Suite(.inTurn)
struct SessionTransfersTests {
    @Test("Transfers with progress that follow each other share a connection")
    func connectionIsReused() async throws {
        let connections = Connections()
        let server = try connections.server()
        let session = URLSession(configuration: .forTests)
        // On a busy machine, the connections could be idle for so long that they are closed.
        async let transferInFlight = session.dataResult(from: server.url(Connections.silentPath), progress: ignored)
        try await server.requests(atLeast: 1)
        for _ in 0..<3 {
            _ = try await session.dataResult(from: server.url(), progress: ignored).get()
        }
        #expect(connections.count == 1)
        session.invalidateAndCancel()
        #expect(await transferInFlight.error?.isCancelled == true)
    }

    @Test("Transfers with progress use as many connections as the configuration allows")
    func numberOfConnections() async throws {
        let connections = Connections()
        let server = try connections.server()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 2
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        let failures = await failures(of: 50, from: server.url(), in: session)
        #expect(failures.isEmpty)
        #expect((1...2).contains(connections.count), "\(connections.count) connections")
    }

    @Test("200 transfers with progress at once need fewer than 200 descriptors")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer(.ok("abc"))
            // The process has inherited those that other tests had open when it began.
            let inherited = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            let count = rlim_t(inherited + 200)
            var limit = rlimit(rlim_cur: count, rlim_max: count)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let session = URLSession(configuration: .ephemeral)
            let failures = await SessionTransfersTests().failures(of: 200, from: server.url(), in: session)
            #expect(failures.isEmpty, "\(failures)")
        }
    }

    #if compiler(>=6.3)  // An exit test captures a value.
    @Test(
        "250 sessions at once wait for nobody, keep two descriptors each, and end none but their own requests",
        arguments: [APIForm.dataTask, .uploadResultWithProgress, .bytesResult].map(\.testDescription))
    func sessionsAtOnce(name: String) async {
        await #expect(processExitsWith: .success) { [name] in
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = limit.rlim_max
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)

            let form = try #require(APIForm.named(name))
            let gate = Gate()
            let server = try LoopbackServer(.redirect(to: "/target", then: .ok("abc").once(gate)))
            let inherited = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            let sessions = (0..<250).map { _ in URLSession(configuration: .forTests) }
            try await withThrowingTaskGroup { group in
                for (number, session) in sessions.enumerated() {
                    let request = URLRequest(url: server.url(), method: form.uploads ? .put : .get)
                    group.addTask { (number, await form.run(session, request)) }
                }
                // All of them are there, redirected, before one is answered.
                try await server.requests(atLeast: 500)
                // Each session has two, its `Connections` as well, and each connection one, and another one of the server.
                let kept = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count - inherited
                #expect(kept < 250 * 6 + 50, "\(kept)")
                for session in sessions.prefix(50) { session.invalidateAndCancel() }
                for _ in 0..<50 {
                    let (number, result) = try #require(try await group.next())
                    #expect(number < 50 && result.error?.isCancelled == true, "\(number): \(result)")
                }
                gate.open()
                for try await (number, result) in group {
                    #expect((try? result.get()) == Data("abc".utf8), "\(number): \(result)")
                }
            }
        }
    }
    #endif

    @Test("A delegate is told about the tasks of its own session, each with a number of its own")
    func taskIdentifiers() async throws {
        let server = try LoopbackServer(.redirect(to: "/target", then: .ok()))
        let delegate = RedirectedTasks()
        let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        for progress in [ignored, nil, ignored, nil] {
            _ = try await session.dataResult(from: server.url(), progress: progress).get()
        }
        #expect(Set(delegate.identifiers.value).count == 4, "\(delegate.identifiers.value)")
    }

    @Test("A delegate may cancel a transfer with progress by the task it is told about")
    func cancelledByDelegate() async throws {
        let server = try LoopbackServer(.redirect(to: "/target", then: .silent))
        let session = URLSession(
            configuration: .ephemeral, delegate: CancellingDelegate(cancelsRedirects: true), delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let result = await session.dataResult(from: server.url(), progress: ignored)
        #expect(result.error?.isCancelled == true)
    }

    @Test("A session that is invalidated while its transfer is made sends nothing")
    func earlyInvalidation() async throws {
        let server = try LoopbackServer(.ok())
        let configuration = URLSessionConfiguration.forTests
        configuration.protocolClasses = [Hook.self] + (configuration.protocolClasses ?? [])
        // With a cache, the cancellation would wait for it.
        configuration.urlCache = nil
        let invalidation = Invalidation()
        let session = URLSession(configuration: configuration, delegate: invalidation, delegateQueue: nil)
        // It is asked once, before the task is made that sends the request.
        let invalidate = { @Sendable in
            session.invalidateAndCancel()
            invalidation.isOver.wait()
        }
        // Otherwise a test that fails would block the protocols of the others.
        defer { invalidation.isOver.signal() }
        Hook.actions.withLock { $0 = [invalidate] }
        let request = URLRequest(url: server.url(), method: .put)
        let result = await session.uploadResult(for: request, from: Data("abc".utf8), progress: ignored)
        #expect(result.error?.isCancelled == true)
        _ = await URLSession(configuration: .forTests).dataResult(from: server.url("/later"))
        #expect(server.requests.map(\.path) == ["/later"])
    }

    @Test("A download that is not by HTTP is a file, too", arguments: [nil, ignored])
    func otherProtocol(progress: ProgressHandler?) async throws {
        let url = try #require(URL(string: "data:,abc"))
        let session = URLSession(configuration: .forTests)
        let result = await session.downloadResult(from: url, decoder: .data, progress: progress)
        #expect(try result.get() == Data("abc".utf8))
    }

    private func failures(of count: Int, from url: URL, in session: URLSession) async -> [NetworkError] {
        await withTaskGroup { group in
            for _ in 0..<count {
                group.addTask { await session.dataResult(from: url, progress: ignored).error }
            }
            return await group.reduce(into: []) { failures, failure in
                if let failure { failures.append(failure) }
            }
        }
    }
}

/// The connections that a server has answered requests on. They are kept, so that no two have the same identity.
private final class Connections: Sendable {
    private struct Kept: @unchecked Sendable {  // Only its identity is used.
        let connection: LoopbackServer.Connection
    }

    /// A request for this path is never answered.
    static let silentPath = "/silent"

    private let kept = Monitor<[Kept]>([])

    func server() throws -> LoopbackServer {
        try LoopbackServer { [kept] request, connection in
            guard request.path != Self.silentPath else { return connection.waitForClientToClose() }
            let connection = Kept(connection: connection)
            kept.withLock { kept in
                if !kept.contains(where: { $0.connection === connection.connection }) { kept.append(connection) }
            }
            try connection.connection.respond(body: "abc")
        }
    }

    var count: Int { kept.value.count }
}

private final class RedirectedTasks: NSObject, URLSessionTaskDelegate {
    let identifiers = Monitor<[Int]>([])

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        identifiers.withLock { $0.append(task.taskIdentifier) }
        completionHandler(newRequest)
    }
}

/// Does something once, when it is asked whether it handles a request, which it never does.
private final class Hook: URLProtocol {
    static let actions = Monitor<[@Sendable () -> Void]>([])

    override class func canInit(with request: URLRequest) -> Bool {
        let action = actions.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        action?()
        return false
    }
}

private final class Invalidation: NSObject, URLSessionDelegate {
    let isOver = DispatchSemaphore(value: 0)

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        isOver.signal()
    }
}

#endif
