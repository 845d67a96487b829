import Foundation
import Testing
import URLSessionResultClient
import URLSessionResultTesting

@testable import TestSupport

@Suite(.inTurn)
struct DeadlineTests {
    private let session = URLSession(configuration: .forTests)

    private func client(_ server: LoopbackServer, _ middleware: any RequestMiddleware...) -> APIClient {
        APIClient(baseURL: server.url(), session: session, middleware: middleware)
    }

    @Test("A deadline counts the waits of a retry, and a refresh", arguments: [true, false])
    func deadlineAroundWaits(isRefresh: Bool) async throws {
        let server = try LoopbackServer(isRefresh ? .status(401) : .status(503, headers: ["Retry-After": "60"]))
        let isWaiting = Monitor(false)
        var retry = Retry()
        retry.sleep = { seconds in
            isWaiting.withLock { $0 = true }
            try await Task.sleep(nanoseconds: UInt64(seconds * 1e9))
        }
        let gate = SessionStub.Gate()
        let token = TokenAuthentication("0", for: server.url()) { _ in
            isWaiting.withLock { $0 = true }
            try? await gate.opened()
            return .success("1")
        }
        var deadline = Deadline(seconds: 1)
        deadline.sleep = { _ in try await isWaiting.value { $0 } }
        let result = await client(server, deadline, retry, token).result(for: Endpoint(.get, "a"))
        #expect(result.error?.urlError?.code == .timedOut)
        gate.open()
    }

    @Test("A deadline inside of a retry is one for each attempt")
    func deadlineOfAttempt() async throws {
        let server = try LoopbackServer.inTurn(.silent, .ok("done"))
        let count = Monitor(0)
        var deadline = Deadline(seconds: 1)
        deadline.sleep = { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            try await server.requests(atLeast: number == 1 ? 1 : 99)
        }
        var retry = Retry()
        retry.sleep = { _ in }
        let result = await client(server, retry, deadline).result(for: Endpoint(.get, "a", decoder: .string()))
        #expect(try result.get() == "done")
    }

    @Test("A deadline is over when the head of a stream is there")
    func deadlineOfStream() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _, connection in
            try connection.sendHead(200, contentLength: 8)
            try connection.send("half")
            gate.wait()
            try connection.send("half")
        }
        let slept = Monitor(false)
        var deadline = Deadline(seconds: 1)
        deadline.sleep = { _ in
            do { try await Task.sleep(nanoseconds: 600_000_000_000) } catch { slept.withLock { $0 = true } }
        }
        let response = try await client(server, deadline).bytesResult(for: Endpoint(.get, "a")).get()
        #expect(slept.value)
        gate.open()
        #expect(try await response.body.collect(upTo: 100) == Data("halfhalf".utf8))
    }

    @Test("A stream whose head arrives at the deadline is timed out, as its body is cancelled")
    func streamAtDeadline() async throws {
        let server = try LoopbackServer { _, connection in try connection.sendHead(200, contentLength: 8) }
        let isThere = Monitor(false)
        var deadline = Deadline(seconds: 1)
        deadline.sleep = { _ in try await isThere.value { $0 } }
        let result = await deadline.response(for: URLRequest(url: server.url())) { [session] request in
            let result = await session.bytesResult(for: request)
            isThere.withLock { $0 = true }
            while !Task.isCancelled { await Task.yield() }
            return result
        }
        #expect(result.error?.urlError?.code == .timedOut)
    }

    @Test(
        "A time that is no time is over at once, and one that is too long for a clock is not",
        arguments: [-1, 0, .nan, .infinity, 1e300] as [TimeInterval])
    func oddDeadline(_ seconds: TimeInterval) async throws {
        let server = try LoopbackServer(seconds > 1 ? .ok() : .silent)
        let result = await client(server, Deadline(seconds: seconds)).result(for: Endpoint(.get, "a"))
        #expect(result.error?.urlError?.code == (seconds > 1 ? nil : .timedOut))
    }
}
