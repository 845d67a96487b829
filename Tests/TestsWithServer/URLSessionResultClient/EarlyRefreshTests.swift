import Foundation
import Testing
import URLSessionResultClient
import URLSessionResultTesting

@testable import TestSupport

/// The tasks of refreshes, whose end a test can await.
final class StartedTasks: Sendable {
    private let tasks = Monitor<[Task<Void, Never>]>([])

    var start: StartTask {
        { operation in
            let task = Task { await operation() }
            self.tasks.withLock { $0.append(task) }
        }
    }

    func end() async {
        for task in tasks.value { await task.value }
    }
}

/// A refresh ahead of time.
@Suite(.inTurn)
struct EarlyRefreshTests {
    private let session = URLSession(configuration: .forTests)
    private let now = Monitor(Date(timeIntervalSince1970: 1_000))
    private let refreshes = Monitor<[String?]>([])
    private let started = StartedTasks()

    private func token(
        _ first: AccessToken, for server: LoopbackServer,
        refresh: @escaping @Sendable (Int) async -> Result<AccessToken, NetworkError>
    ) -> TokenAuthentication {
        TokenAuthentication(
            first, for: [server.url()],
            refresh: { [refreshes] refused in
                let count = refreshes.withLock { refreshes in
                    refreshes.append(refused?.value)
                    return refreshes.count
                }
                return await refresh(count)
            }, now: { [now] in now.value }, start: started.start)
    }

    private func text(_ server: LoopbackServer, _ token: TokenAuthentication) async -> Result<String, NetworkError> {
        let client = APIClient(baseURL: server.url(), session: session, middleware: [token])
        return await client.result(for: Endpoint(.get, "a", decoder: .string()))
    }

    private func pass(_ seconds: TimeInterval) { now.withLock { $0 += seconds } }

    private func tokens(sentTo server: LoopbackServer) -> [String?] {
        server.requests.map { request in request.header("Authorization").map { String($0.dropFirst("Bearer ".count)) } }
    }

    @Test("A token is replaced before its expiry, and not before each request if it is short or over by this clock")
    func moments() async throws {
        let server = try LoopbackServer(.ok("done"))
        let lifetimes = Monitor<[TimeInterval]>([3_600, 30, -10])
        let token = token(AccessToken("0", expiry: now.value + 100), for: server) { [now] count in
            let lifetime = lifetimes.withLock { $0.removeFirst() }
            return .success(AccessToken("\(count)", expiry: now.value + lifetime))
        }
        // Seconds that pass before each request. The one that finds a token due is sent with it.
        for seconds in [0, 39, 2, 0, 3_500, 39, 2, 0, 10, 6, 0, 1_000] {
            pass(TimeInterval(seconds))
            #expect(try await text(server, token).get() == "done")
            await started.end()
        }
        #expect(tokens(sentTo: server) == ["0", "0", "0", "1", "1", "1", "1", "2", "2", "2", "3", "3"])
        #expect(refreshes.value == ["0", "1", "2"])
    }

    @Test("No request waits for it while its token is good, and all share it")
    func background() async throws {
        let server = try LoopbackServer(.ok("done"))
        let gate = SessionStub.Gate()
        let token = token(AccessToken("0", expiry: now.value + 60), for: server) { _ in
            try? await gate.opened()
            return .success("1")
        }
        for _ in 0..<10 { #expect(try await text(server, token).get() == "done") }
        try await refreshes.value { $0 == ["0"] }
        gate.open()
        await started.end()
        #expect(try await text(server, token).get() == "done")
        #expect(tokens(sentTo: server) == Array(repeating: "0", count: 10) + ["1"])
    }

    @Test("After a failure it pauses for ten seconds, and no longer than the token is good")
    func pause() async throws {
        let server = try LoopbackServer(.ok("done"))
        let token = token(AccessToken("0", expiry: now.value + 55), for: server) { _ in
            .failure(.transportError(URLError(.notConnectedToInternet)))
        }
        var counts: [Int] = []
        for seconds in [0, 9.9, 0.2, 9.8, 0.2, 29] {
            pass(seconds)
            for _ in 0..<10 {
                #expect(try await text(server, token).get() == "done")
                await started.end()
            }
            counts.append(refreshes.value.count)
        }
        #expect(counts == [1, 1, 2, 2, 3, 4])
        // The last pause would be longer than the token is good.
        pass(5.9)
        for count in 5...6 {
            #expect(await text(server, token).error?.urlError?.code == .notConnectedToInternet)
            #expect(refreshes.value.count == count)
        }
    }

    @Test("A request whose token is over waits for it, also if it has begun ahead of time")
    func over() async throws {
        let server = try LoopbackServer(.ok("done"))
        let gate = SessionStub.Gate()
        let token = token(AccessToken("0", expiry: now.value + 60), for: server) { _ in
            try? await gate.opened()
            return .success("1")
        }
        #expect(try await text(server, token).get() == "done")
        try await refreshes.value { $0.count == 1 }
        pass(60)
        async let waiting = text(server, token)
        gate.open()
        #expect(try await waiting.get() == "done")
        #expect(tokens(sentTo: server) == ["0", "1"])
        #expect(refreshes.value.count == 1)
    }

    @Test("A request whose token is rejected waits for it, also in the pause after a failure")
    func rejectedInPause() async throws {
        let server = try LoopbackServer.inTurn(.ok("done"), .status(401), .ok("done"))
        let token = token(AccessToken("0", expiry: now.value + 60), for: server) { count in
            count == 1 ? .failure(.noData) : .success("1")
        }
        #expect(try await text(server, token).get() == "done")
        await started.end()
        #expect(try await text(server, token).get() == "done")
        #expect(tokens(sentTo: server) == ["0", "0", "1"])
    }

    @Test("A refresh after a rejection that fails makes the one ahead of time no earlier")
    func failureLongBefore() async throws {
        let server = try LoopbackServer.inTurn(.status(401), .ok("done"))
        let token = token(AccessToken("0", expiry: now.value + 3_600), for: server) { _ in .failure(.noData) }
        #expect(await text(server, token).error != nil)
        for seconds in [0, 11, 3_000] {
            pass(TimeInterval(seconds))
            #expect(try await text(server, token).get() == "done")
            await started.end()
        }
        #expect(refreshes.value.count == 1)
    }

    @Test("A function that cancels its refresh leaves the token, and a cancelled request is not sent")
    func cancelled() async throws {
        let server = try LoopbackServer(.ok("done"))
        let token = token(AccessToken("0", expiry: now.value + 30), for: server) { _ in
            .failure(.transportError(URLError(.cancelled)))
        }
        #expect(try await text(server, token).get() == "done")
        let task = Task { [self] in
            withUnsafeCurrentTask { $0?.cancel() }
            return await text(server, token)
        }
        #expect(await task.value.error?.isCancelled == true)
        #expect(server.requests.count == 1)
    }

    @Test("One that ends after a sign-out brings no token")
    func signedOut() async throws {
        let server = try LoopbackServer(.ok("done"))
        let gate = SessionStub.Gate()
        let token = token(AccessToken("0", expiry: now.value + 60), for: server) { _ in
            try? await gate.opened()
            return .success("1")
        }
        #expect(try await text(server, token).get() == "done")
        token.signOut()
        gate.open()
        await started.end()
        #expect(try await text(server, token).get() == "done")
        #expect(tokens(sentTo: server) == ["0", nil])
    }

    @Test("Without a function, a token that is due is sent")
    func noFunction() async throws {
        let server = try LoopbackServer(.ok("done"))
        let token = TokenAuthentication(
            AccessToken("0", expiry: now.value - 1), for: [server.url()], refresh: nil, now: { [now] in now.value },
            start: started.start)
        #expect(try await text(server, token).get() == "done")
        #expect(tokens(sentTo: server) == ["0"])
    }
}
