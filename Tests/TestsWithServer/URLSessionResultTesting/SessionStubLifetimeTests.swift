import Foundation
import Testing
import URLSessionResult

@testable import URLSessionResultTesting
@testable import TestSupport

/// How long a stub answers, and what it keeps.
@Suite(.inTurn)
struct SessionStubLifetimeTests {
    private let url = URL(string: "https://albums.test/") ?? URL(fileURLWithPath: "/")

    #if canImport(FoundationNetworking)  // Elsewhere, a session may live until it is invalidated.
    @Test("A stub that is let go keeps neither its session nor what answers", arguments: APIForm.some)
    func release(_ form: APIForm) async throws {
        let isReleased = Gate()
        let session = Released(await use(form, holding: Canary(isReleased)))
        try await session.isReleased()
        try await isReleased.opened()
    }

    /// - Returns: The session, which the stub does not outlive.
    private func use(_ form: APIForm, holding canary: Canary) async -> URLSession {
        let stub = SessionStub { _ in withExtendedLifetime(canary) { .text("hello") } }
        _ = await form.run(stub.session, URLRequest(url: url, method: form.uploads ? .put : .get))
        return stub.session
    }
    #endif

    @Test("A session that is invalidated finishes its request, and keeps nothing then", arguments: APIForm.asynchronous)
    func invalidation(_ form: APIForm) async throws {
        let isReleased = Gate()
        let session = Released(try await invalidate(whileRunning: form, holding: Canary(isReleased)))
        try await session.isReleased()
        try await isReleased.opened()
    }

    private func invalidate(whileRunning form: APIForm, holding canary: Canary) async throws -> URLSession {
        let gate = SessionStub.Gate()
        let stub = SessionStub { _ in
            try await gate.opened()
            return withExtendedLifetime(canary) { .text("hello") }
        }
        let request = URLRequest(url: url, method: form.uploads ? .put : .get)
        let session = stub.session
        async let result = form.run(session, request)
        try await stub.requests(atLeast: 1)
        session.finishTasksAndInvalidate()
        gate.open()
        #expect("\(await result)" == (form.givesBody ? "success(5 bytes)" : "success(0 bytes)"))
        return session
    }

    @Test("Another session of a stub that is gone fails with the reason")
    func gone() async throws {
        let (configuration, session) = endedStub()
        try await session.isReleased()
        let error = await URLSession(configuration: configuration).dataResult(from: url).error?.urlError
        #expect(error?.code == .cannotConnectToHost)
        let reason = "The SessionStub is gone. Keep it, or its session, until the test is over."
        #expect(error?.userInfo[NSLocalizedDescriptionKey] as? String == reason)
    }

    /// - Returns: The configuration of a session that is over, and the session.
    private func endedStub() -> (URLSessionConfiguration, Released) {
        let session = SessionStub(.json("[]")).session
        session.finishTasksAndInvalidate()
        return (session.configuration, Released(session))
    }

    @Test("A stub may be used while what answered before is released")
    func formerAnswers() async throws {
        let stub = SessionStub(.text("last"))
        let isReleased = Gate()
        answer(
            by: stub,
            holding: Canary { [weak stub] in
                _ = stub?.requests
                isReleased.open()
            })
        // The lock that it would wait for stays locked.
        Thread.detachNewThread { stub.answer(.text("last")) }
        try await isReleased.opened()
    }

    private func answer(by stub: SessionStub, holding canary: Canary) {
        stub.answer { _ in withExtendedLifetime(canary) { .text("first") } }
    }

    // MARK: Requests that do not show which stub they are for

    private let servers = StubbedServers()

    /// The answer to a request where the fields of the configuration cannot be seen.
    private func server(seeingFields isShown: Bool = false, of id: String? = nil) throws -> StubbedServer {
        var request = URLRequest(url: url)
        request.setValue(id, forHTTPHeaderField: StubbedServer.field)
        return try servers.server(of: request, showingFields: isShown)
    }

    private func begin(_ stub: SessionStub) -> StubbedServer {
        let server = StubbedServer(answers: .inTurn([]), configuration: .ephemeral)
        servers.begin(server, of: stub)
        return server
    }

    @Test("A request that names no stub is for the only one that lives, if fields cannot be seen")
    func unnamed() throws {
        #expect(codeOfFailure { try server() } == .unsupportedURL)
        let stub = SessionStub(.json("[]"))
        let first = begin(stub)
        #expect(try server() === first)
        #expect(codeOfFailure { try server(seeingFields: true) } == .unsupportedURL)
        // A session that is kept does not make the stub a living one.
        let session = try withAnotherStub { second in
            #expect(codeOfFailure { try server() } == .unsupportedURL)
            let named = try server(of: second.id)
            #expect(named === second)
        }
        #expect(try server() === first)
        withExtendedLifetime((stub, session)) {}
    }

    private func withAnotherStub(_ body: (StubbedServer) throws -> Void) throws -> URLSession {
        let stub = SessionStub(.json("[]"))
        try body(begin(stub))
        return stub.session
    }

    private func codeOfFailure(_ find: () throws -> StubbedServer) -> URLError.Code? {
        do {
            _ = try find()
            return nil
        } catch {
            return (error as? URLError)?.code
        }
    }

    @Test("A request that names a stub is for no other", arguments: [true, false])
    func named(isShown: Bool) throws {
        let stub = SessionStub(.json("[]"))
        let server = begin(stub)
        #expect(try self.server(seeingFields: isShown, of: server.id) === server)
        #expect(codeOfFailure { try self.server(seeingFields: isShown, of: "gone") } == .cannotConnectToHost)
        withExtendedLifetime(stub) {}
    }

    // MARK: Many stubs

    @Test("Four times as many stubs take about four times as long to make and to release")
    func cost() {
        func seconds(for count: Int) -> TimeInterval {
            let servers = StubbedServers()
            let stub = SessionStub(.json("[]"))
            let all = (0..<count).map { _ in StubbedServer(answers: .inTurn([]), configuration: .ephemeral) }
            let start = processorTime()
            for server in all { servers.begin(server, of: stub) }
            for server in all { servers.end(server.id) }
            return processorTime() - start
        }
        // It was quadratic: sixteen times as long.
        #expect(seconds(for: 4_000) < 12 * seconds(for: 1_000) + 0.05)
    }

    /// In seconds, of this thread. Other threads of a busy machine do not count.
    private func processorTime() -> TimeInterval {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1_000_000_000
    }
}

/// Waits for the end of a session without keeping it.
private struct Released: Sendable {
    weak var session: URLSession?
    let server: String

    init(_ session: URLSession) {
        self.session = session
        server = session.configuration.httpAdditionalHeaders?[StubbedServer.field] as? String ?? ""
    }

    func isReleased() async throws {
        while session != nil {
            try Task.checkCancellation()
            await Task.yield()
        }
        StubbedServers.all.end(server)
    }
}
