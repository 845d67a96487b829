import Foundation
import Testing

@testable import URLSessionResultClient
@testable import TestSupport

@Suite(.inTurn)
struct DeduplicationTests {
    private let session = URLSession(configuration: .forTests)
    private let deduplication = Deduplication(methods: [.get, .put])

    private func client(_ server: LoopbackServer, _ middleware: [any RequestMiddleware]? = nil) -> APIClient {
        APIClient(baseURL: server.url(), session: session, middleware: middleware ?? [deduplication])
    }

    /// A server that answers each request when the gate is open.
    private func server(_ gate: Gate, _ response: LoopbackServer.Response = .done) throws -> LoopbackServer {
        try LoopbackServer { request, connection in
            gate.wait()
            try response.play(request, connection)
        }
    }

    private func waiters(_ count: Int) async throws {
        while deduplication.calls.waiterCount < count { try await letOthersRun() }
    }

    @Test(
        "Calls whose response is read into memory are sent once, and each gets the response",
        arguments: RequestKind.allCases.filter { ![.file, .form].contains($0) && $0.isReadIntoMemory }, [nil, 1 << 20])
    func joined(_ kind: RequestKind, maximum: Int?) async throws {
        let gate = Gate()
        let server = try server(gate)
        var client = client(server)
        client.maximumBodySize = maximum
        try await withThrowingTaskGroup { group in
            for _ in 1...8 { group.addTask { [client] in try await kind.text(client).get() } }
            try await waiters(8)
            gate.open()
            for try await text in group { #expect(text == RequestKind.body) }
        }
        #expect(server.requests.count == 1)
        // Afterwards, it is another request.
        #expect(try await kind.text(client).get() == RequestKind.body)
        #expect(server.requests.count == 2)
    }

    @Test(
        "Files, forms and streams are never joined",
        arguments: RequestKind.allCases.filter { [.file, .form].contains($0) || !$0.isReadIntoMemory })
    func neverJoined(_ kind: RequestKind) async throws {
        try await expectTwoRequests { client in await kind.text(client).error }
    }

    private enum Difference: CaseIterable {
        case path, field, method, statusCodes, maximum, session, body, ownFunction, timeout
    }

    @Test("What differs in anything is sent by itself", arguments: Difference.allCases)
    private func different(_ difference: Difference) async throws {
        let isSecond = Monitor(false)
        try await expectTwoRequests { client in
            let isSecond = isSecond.withLock { isSecond in
                defer { isSecond = true }
                return isSecond
            }
            return await send(difference, isSecond, client)
        }
    }

    private func send(_ difference: Difference, _ isSecond: Bool, _ client: APIClient) async -> NetworkError? {
        var client = client
        var path: EndpointPath = "a"
        var codes = 200..<300
        var body: RequestBody?
        switch difference {
        case .path: path = isSecond ? "b" : "a"
        case .field: client.headers = ["Accept-Language": isSecond ? "fr" : "en"]
        case .method:
            let post = Endpoint(.post, "a", decoder: .data)
            return await client.result(for: post).error
        case .statusCodes: codes = isSecond ? 200..<299 : codes
        case .maximum: client.maximumBodySize = isSecond ? 100 : nil
        case .session: client.session = isSecond ? URLSession(configuration: .forTests) : client.session
        case .body: body = .json([isSecond])
        case .ownFunction:
            return await client.send(Endpoint(.get, "a", decoder: .data)) { [session] in
                await session.dataResult(for: $0, decoder: .response(.data))
            }.error
        case .timeout:
            return await client.result(
                for: Endpoint(.get, "a", decoder: .data).configured { $0.timeoutInterval = isSecond ? 30 : 40 }
            ).error
        }
        let endpoint = Endpoint(body == nil ? .get : .put, path, body: body, decoder: .data, accepting: codes)
        return await client.result(for: endpoint).error
    }

    /// Sends twice, to a server that answers when both requests are there.
    private func expectTwoRequests(_ send: @escaping @Sendable (APIClient) async -> NetworkError?) async throws {
        let gate = Gate()
        let server = try server(gate)
        let client = client(server)
        try await withThrowingTaskGroup { group in
            for _ in 1...2 { group.addTask { await send(client) } }
            try await server.requests(atLeast: 2)
            gate.open()
            for try await error in group { #expect(error == nil) }
        }
    }

    @Test("Without a client, requests of the same value are joined")
    func withoutClient() async throws {
        let gate = Gate()
        let server = try server(gate)
        try await withThrowingTaskGroup { group in
            for _ in 1...3 {
                group.addTask { [deduplication, session] in
                    await deduplication.response(for: URLRequest(url: server.url())) {
                        await session.dataResult(for: $0, decoder: .response(.data))
                    }.map(\.body)
                }
            }
            try await waiters(3)
            gate.open()
            for try await result in group { #expect(try result.get() == Data(RequestKind.body.utf8)) }
        }
        #expect(server.requests.count == 1)
    }

    @Test("Progress reaches each call, also one that joins a call without it", arguments: [nil, 1 << 24])
    func progress(maximum: Int?) async throws {
        let gate = Gate()
        let size = 4_000_000
        let server = try server(gate, .ok(Data(count: size)))
        var client = client(server)
        client.maximumBodySize = maximum
        let endpoint = Endpoint(.get, "a", decoder: .data)
        let reports = (1...3).map { _ in Monitor<[TransferProgress]>([]) }
        try await withThrowingTaskGroup { group in
            group.addTask { [client] in await client.result(for: endpoint) }
            for monitor in reports {
                group.addTask { [client] in
                    await client.result(for: endpoint) { report in monitor.withLock { $0.append(report) } }
                }
            }
            try await waiters(4)
            gate.open()
            for try await result in group { #expect(try result.get().count == size) }
        }
        #expect(server.requests.count == 1)
        for all in reports.map(\.value) {
            // With a maximum, each chunk that is read is a report, and one may be the whole body.
            #expect(all.count > (maximum == nil ? 10 : 0))
            #expect(zip(all, all.dropFirst()).allSatisfy { $0.completedBytes < $1.completedBytes })
            #expect(all.last == TransferProgress(completedBytes: Int64(size), totalBytes: Int64(size)))
        }
    }

    @Test("A call that is cancelled ends at once, and the request with the last of them", arguments: [false, true])
    func cancellation(isLast: Bool) async throws {
        let gate = Gate()
        let server = try server(gate)
        let client = client(server)
        let calls = (0..<2).map { _ in
            Task { await client.result(for: Endpoint(.get, "a", decoder: .data)) { _ in } }
        }
        try await waiters(2)
        try await server.requests(atLeast: 1)
        calls[0].cancel()
        #expect(await calls[0].value.error?.isCancelled == true)
        #expect(deduplication.calls.waiterCount == 1)
        if isLast {
            calls[1].cancel()
            #expect(await calls[1].value.error?.isCancelled == true)
            #expect(deduplication.calls.waiterCount == 0)
            // A new call does not join the one that is ending.
            async let next = client.result(for: Endpoint(.get, "a", decoder: .data))
            try await server.requests(atLeast: 2)
            gate.open()
            #expect(try await next.get() == Data(RequestKind.body.utf8))
        } else {
            gate.open()
            #expect(try await calls[1].value.get() == Data(RequestKind.body.utf8))
            #expect(server.requests.count == 1)
        }
    }

    @Test("After a sign-out, nobody gets the response of the user before")
    func nextUser() async throws {
        let gate = Gate()
        let server = try server(gate)
        let token = TokenAuthentication("first", for: server.url())
        let client = client(server, [token, deduplication])
        let endpoint = Endpoint(.get, "a", decoder: .data)
        async let first = client.result(for: endpoint)
        try await server.requests(atLeast: 1)
        token.signOut()
        token.signIn("second")
        async let second = client.result(for: endpoint)
        try await server.requests(atLeast: 2)
        gate.open()
        _ = try await (first.get(), second.get())
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer first", "Bearer second"])
    }

    @Test("A refused token is refreshed once, and a retry within is one for all", arguments: [401, 503])
    func repeated(status: Int) async throws {
        let gate = Gate()
        let count = Monitor(0)
        let server = try LoopbackServer { request, connection in
            gate.wait()
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            try (isFirst ? .status(status) : LoopbackServer.Response.done).play(request, connection)
        }
        let token = TokenAuthentication("bad", for: server.url()) { _ in .success("good") }
        var retry = Retry()
        retry.sleep = { _ in }
        let client = client(server, [Deadline(seconds: 300), token, deduplication, retry])
        try await withThrowingTaskGroup { group in
            for _ in 1...4 { group.addTask { try await RequestKind.result.text(client).get() } }
            try await waiters(4)
            gate.open()
            for try await text in group { #expect(text == RequestKind.body) }
        }
        let tokens = server.requests.map { $0.header("Authorization") }
        #expect(tokens.first == "Bearer bad")
        #expect(
            status == 503
                ? tokens == ["Bearer bad", "Bearer bad"] : tokens.dropFirst().allSatisfy { $0 == "Bearer good" })
        #expect(deduplication.calls.waiterCount == 0)
    }

    @Test("A deadline ends the wait of its call alone")
    func deadline() async throws {
        let gate = Gate()
        let server = try server(gate)
        let patient = client(server)
        var deadline = Deadline(seconds: 9)
        deadline.sleep = { [deduplication] _ in
            while deduplication.calls.waiterCount < 2 { try await letOthersRun() }
        }
        let hasty = client(server, [deadline, deduplication])
        let endpoint = Endpoint(.get, "a", decoder: .data)
        async let first = patient.result(for: endpoint)
        try await waiters(1)
        #expect(await hasty.result(for: endpoint).error?.urlError?.code == .timedOut)
        gate.open()
        #expect(try await first.get() == Data(RequestKind.body.utf8))
        #expect(server.requests.count == 1)
    }

    @Test("A call of a task that is cancelled is not sent")
    func cancelledBefore() async throws {
        let starts = Monitor(0)
        let deduplication = Deduplication(methods: [.post]) { operation in
            starts.withLock { $0 += 1 }
            return Task { await operation() }
        }
        var request = URLRequest(url: try #require(URL(string: "https://api.test")))
        request.httpMethod = "POST"
        let result = await Task { [request] in
            withUnsafeCurrentTask { $0?.cancel() }
            return await deduplication.response(for: request) { _ -> Result<NetworkResponse<Data>, NetworkError> in
                .failure(.noData)
            }
        }.value
        #expect(result.error?.isCancelled == true)
        #expect(starts.value == 0)
        #expect(deduplication.calls.waiterCount == 0)
    }

    @Test("The next attempt for a user joins no call that has no user yet, and those of one user join")
    func attemptsOfUsers() throws {
        let request = URLRequest(url: try #require(URL(string: "https://api.test")))
        let store = TokenStore("0", margin: 60, refresh: nil, now: { Date() }, start: startTask)
        let calls = (0..<3).map { _ in ClientCall.withoutClient }
        let isFirst = calls[0].user.isFirst(after: 0, of: store)
        calls[1].user.adopt(calls[0].user)
        let keys = calls.map { CallKey(request, of: $0) }
        #expect(isFirst && keys[0] == keys[1] && keys[0] != keys[2])
    }

    @Test("A joined call is not sent again for the next user", arguments: [true, false])
    func nextUserAfterJoining(hasTimedOut: Bool) async throws {
        let gate = Gate()
        let count = Monitor(0)
        let server = try LoopbackServer { request, connection in
            let isFirst = count.withLock { count in
                defer { count += 1 }
                return count == 0
            }
            if isFirst { gate.wait() }
            try (isFirst ? .status(503) : LoopbackServer.Response.done).play(request, connection)
        }
        let token = TokenAuthentication("first", for: server.url())
        let isNextUser = Monitor(false)
        let waits = Monitor(0)
        var retry = Retry()
        retry.sleep = { _ in
            waits.withLock { $0 += 1 }
            try await isNextUser.value { $0 }
        }
        var deadline = Deadline(seconds: 9)
        deadline.sleep = { [deduplication] _ in
            // The first attempt of the call that joins.
            if waits.value > 0 { try await Task.sleep(nanoseconds: 600_000_000_000) }
            while deduplication.calls.waiterCount < 2 { try await letOthersRun() }
        }
        let endpoint = Endpoint(.get, "a", decoder: .data)
        let starter = Task { [client = client(server, [deduplication, token])] in await client.result(for: endpoint) }
        try await server.requests(atLeast: 1)
        let joining = client(
            server, hasTimedOut ? [retry, deadline, deduplication, token] : [retry, deduplication, token])
        let joined = Task { await joining.result(for: endpoint) }
        if !hasTimedOut {
            try await waiters(2)
            gate.open()
        }
        try await waits.value { $0 == 1 }
        token.signOut()
        token.signIn("second")
        isNextUser.withLock { $0 = true }
        #expect(await joined.value.error?.requiresSignIn == true)
        gate.open()
        #expect(await starter.value.error?.statusCode == 503)
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer first"])
    }
}
