import Foundation
import Testing

@testable import URLSessionResultClient
@testable import TestSupport

/// Calls that are sent from within a call, a refresh or a place.
@Suite(.inTurn)
struct NestedCallsTests {
    private let session = URLSession(configuration: .forTests)
    private let deduplication = Deduplication()
    private let limit = RequestLimit(atOnce: 1)

    private func client(_ server: LoopbackServer, _ middleware: [any RequestMiddleware]) -> APIClient {
        // A call that waits for itself ends by this.
        APIClient(baseURL: server.url(), session: session, middleware: [Deadline(seconds: 240)] + middleware)
    }

    private func text(_ client: APIClient, _ path: EndpointPath) async -> Result<String, NetworkError> {
        await client.result(for: Endpoint(.get, path, decoder: .string()))
    }

    /// Middleware that gets a key by the client for each request to `/a`.
    private func keys(
        _ client: Monitor<APIClient?>, when isReady: @escaping @Sendable () async throws -> Void
    ) -> RequestAdapter {
        RequestAdapter { request in
            guard request.url?.path == "/a", let client = client.value else { return }
            try await isReady()
            let key = try await client.result(for: Endpoint(.get, "key", decoder: .string())).get()
            request.setValue("\(key.count)", forHTTPHeaderField: "X-Key")
        }
    }

    @Test("Within a place, it does not join a call that waits for that place")
    func withinPlace() async throws {
        let server = try LoopbackServer(.done)
        let isWithin = Monitor(false)
        let own = Monitor<APIClient?>(nil)
        let keys = keys(own) { [limit] in
            isWithin.withLock { $0 = true }
            while limit.places.waiterCount < 1 { try await letOthersRun() }
        }
        let client = client(server, [deduplication, limit, keys])
        own.withLock { $0 = client }
        async let call = text(client, "a")
        try await isWithin.value { $0 }
        async let key = text(client, "key")
        #expect(try await call.get() == RequestKind.body)
        #expect(try await key.get() == RequestKind.body)
        #expect(server.requests.map(\.path).sorted() == ["/a", "/key", "/key"])
    }

    @Test("Within a refresh, it does not join a call that waits for that refresh", arguments: [true, false])
    func withinRefresh(isLimited: Bool) async throws {
        let server = try LoopbackServer(.done)
        let own = Monitor<APIClient?>(nil)
        let token = TokenAuthentication(for: server.url()) { [deduplication] _ in
            guard let client = own.value else { return .failure(.noData) }
            while deduplication.calls.waiterCount < 2 { await Task.yield() }
            return await client.result(for: Endpoint(.get, "key", decoder: .string())).map { _ in "good" }
        }
        let client = client(server, isLimited ? [deduplication, limit, token] : [deduplication, token])
        own.withLock { $0 = client }
        async let call = text(client, "a")
        async let key = text(client, "key")
        #expect(try await call.get() == RequestKind.body)
        #expect(try await key.get() == RequestKind.body)
        #expect(server.requests.map { $0.header("Authorization") == nil } == [true, false, false])
    }

    @Test("Within a refresh that began elsewhere, it needs no place while one with a place waits for the refresh")
    func withinAwaitedRefresh() async throws {
        let server = try LoopbackServer(.done)
        let own = Monitor<APIClient?>(nil)
        let hasPlace = Monitor(false)
        let isRefreshing = Monitor(false)
        let token = TokenAuthentication(for: server.url()) { _ in
            guard let client = own.value else { return .failure(.noData) }
            isRefreshing.withLock { $0 = true }
            guard (try? await hasPlace.value { $0 }) != nil else { return .failure(.noData) }
            return await client.result(for: Endpoint(.get, "key", decoder: .string())).map { _ in "good" }
        }
        let flag = RequestAdapter { request in
            if request.url?.path == "/a" { hasPlace.withLock { $0 = true } }
        }
        let limited = client(server, [limit, flag, token])
        own.withLock { $0 = limited }
        async let unlimited = text(client(server, [token]), "b")
        try await isRefreshing.value { $0 }
        async let call = text(limited, "a")
        #expect(try await call.get() == RequestKind.body)
        #expect(try await unlimited.get() == RequestKind.body)
    }

    @Test("What joined calls wait for needs no place that one of them has")
    func withinJoinedCall() async throws {
        let server = try LoopbackServer(.done)
        let own = Monitor<APIClient?>(nil)
        let limit = RequestLimit(atOnce: 2)
        let isOver = Monitor(false)
        let keys = keys(own) { try await isOver.value { $0 } }
        let client = client(server, [limit, deduplication, keys])
        own.withLock { $0 = client }
        let first = Task { await text(client, "a") }
        while deduplication.calls.waiterCount < 1 { try await letOthersRun() }
        let others = (0..<2).map { _ in Task { await text(client, "a") } }
        while limit.places.waiterCount < 1 { try await letOthersRun() }
        // The one that began the call leaves, and another one takes its place.
        first.cancel()
        #expect(await first.value.error?.isCancelled == true)
        while deduplication.calls.waiterCount < 2 { try await letOthersRun() }
        isOver.withLock { $0 = true }
        for other in others { #expect(try await other.value.get() == RequestKind.body) }
    }

    @Test("What was started within a place is limited when that place is given back")
    func afterPlace() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request, connection in
            if request.path == "/later" { gate.wait() }
            try LoopbackServer.Response.done.play(request, connection)
        }
        let own = Monitor<APIClient?>(nil)
        let isOver = Monitor(false)
        let later = Monitor<[Task<String?, Never>]>([])
        let background = RequestAdapter { request in
            guard request.url?.path == "/a" else { return }
            for _ in 1...5 {
                let task = Task {
                    _ = try? await isOver.value { $0 }
                    return try? await own.value?.result(for: Endpoint(.get, "later", decoder: .string())).get()
                }
                later.withLock { $0.append(task) }
            }
        }
        let client = client(server, [limit, background])
        own.withLock { $0 = client }
        #expect(try await text(client, "a").get() == RequestKind.body)
        isOver.withLock { $0 = true }
        while limit.places.waiterCount < 4, server.requests.count < 6 { try await letOthersRun() }
        #expect(server.requests.count(where: { $0.path == "/later" }) <= 1)
        gate.open()
        for task in later.value { #expect(await task.value == RequestKind.body) }
    }

    @Test("Calls within one call are joined with each other")
    func siblings() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request, connection in
            if request.path == "/key" { gate.wait() }
            try LoopbackServer.Response.done.play(request, connection)
        }
        let own = Monitor<APIClient?>(nil)
        let keys = RequestAdapter { request in
            guard request.url?.path == "/a", let client = own.value else { return }
            try await withThrowingTaskGroup { group in
                for _ in 1...3 {
                    group.addTask {
                        try await client.result(for: Endpoint(.get, "key", decoder: .string())).get()
                    }
                }
                try await group.waitForAll()
            }
        }
        let client = client(server, [deduplication, keys])
        own.withLock { $0 = client }
        async let call = text(client, "a")
        while deduplication.calls.waiterCount < 4 { try await letOthersRun() }
        gate.open()
        #expect(try await call.get() == RequestKind.body)
        #expect(server.requests.map(\.path) == ["/key", "/a"])
    }

    enum Sender: CaseIterable, Sendable { case refresh, middleware }

    /// Sends a request of its own, and then the request.
    private struct OwnRequests: RequestMiddleware {
        let send: @Sendable () async -> NetworkError?

        func response<Body: Sendable>(
            for request: URLRequest, next: @escaping SendRequest<Body>
        ) async -> Result<NetworkResponse<Body>, NetworkError> {
            if let error = await send() { return .failure(error) }
            return await next(request)
        }
    }

    /// A client with middleware or a refresh that sends requests of its own.
    private func client(
        _ server: LoopbackServer, _ sender: Sender, _ send: @escaping @Sendable () async -> NetworkError?
    ) -> APIClient {
        switch sender {
        case .middleware: client(server, [Retry.patient(attempts: 2), OwnRequests(send: send)])
        case .refresh:
            client(
                server,
                [
                    Retry.patient(attempts: 2),
                    TokenAuthentication(for: server.url()) { _ in
                        await send().map { .failure($0) } ?? .success("good")
                    },
                ])
        }
    }

    @Test("The progress of a download of its own does not count for the call", arguments: Sender.allCases)
    func ownProgress(_ sender: Sender) async throws {
        let server = try LoopbackServer(.done)
        let folder = TemporaryFolder()
        let count = Monitor(0)
        let client = client(server, sender) { [session] in
            let number = count.withLock { count in
                count += 1
                return count
            }
            let file = folder.file("\(number)")
            let own = await session.resumableDownloadResult(for: URLRequest(url: server.url("/own")), to: file)
            // A call that counts it would be sent for ever.
            return own.error ?? (number < 6 ? .transportError(URLError(.networkConnectionLost)) : nil)
        }
        #expect(await text(client, "a").error?.urlError?.code == .networkConnectionLost)
        #expect(count.value == 2)
    }

    @Test("Requests of its own that are joined report nothing to the call", arguments: Sender.allCases)
    func ownReports(_ sender: Sender) async throws {
        let server = try LoopbackServer(.done)
        let reports = Monitor<[TransferProgress]>([])
        let counts = Monitor<[Int]>([])
        let client = client(server, sender) { [session, deduplication] in
            let own = await deduplication.response(for: URLRequest(url: server.url("/own"))) {
                await session.dataResult(for: $0, decoder: .response(.data))
            }
            counts.withLock { $0.append(reports.value.count) }
            return own.error
        }
        let result = await client.result(for: Endpoint(.get, "a", decoder: .string())) { report in
            reports.withLock { $0.append(report) }
        }
        #expect(try result.get() == RequestKind.body)
        #expect(counts.value == [0])
        #expect(reports.value.last?.fractionCompleted == 1)
    }
}

extension Retry {
    /// Sends a request again at once.
    fileprivate static func patient(attempts: Int) -> Retry {
        var retry = Retry(attempts: attempts)
        retry.sleep = { _ in }
        return retry
    }
}
