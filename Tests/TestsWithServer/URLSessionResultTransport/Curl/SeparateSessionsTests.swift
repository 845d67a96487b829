#if canImport(FoundationNetworking)

import Foundation
import Glibc
import Testing
import URLSessionResult

@testable import URLSessionResultTransport
@testable import TestSupport

/// What one session of the caller has to do with another one: nothing. Its requests wait for no other's connections, and its
/// connections are used by no other, and go with it.
@Suite(.inTurn)
struct SeparateSessionsTests {
    private static let noConnectionToShare: URLSessionConfiguration = {
        let configuration = URLSessionConfiguration.forTests
        configuration.httpMaximumConnectionsPerHost = 1
        return configuration
    }()

    // Some take the connections of the first session by chance.
    @Test("What a server sends unasked answers no request of another session", arguments: APIForm.some)
    func unaskedResponse(_ form: APIForm) async throws {
        for _ in 0..<5 {
            let response = try UnaskedResponse()
            for path in ["/first", "/second"] {
                let request = URLRequest(url: response.url(path), method: form.uploads ? .put : .get)
                let session = URLSession(configuration: Self.noConnectionToShare)
                let result = await form.run(session, request)
                #expect(try result.get() == Data((form.givesBody ? path : "").utf8))
                try await response.send()
            }
        }
    }

    @Test(
        "Requests that hang in 130 sessions hold up no other session",
        arguments: APIForm.some.filter { !$0.uploads })
    func hangingSessions(_ form: APIForm) async throws {
        let server = try LoopbackServer(["/hanging": .silent, "/": .ok("abc")])
        let count = 130
        let sessions = (0..<count).map { _ in URLSession(configuration: Self.noConnectionToShare) }
        await withTaskGroup { group in
            for session in sessions {
                group.addTask { _ = await form.run(session, URLRequest(url: server.url("/hanging"))) }
            }
            let other = URLSession(configuration: Self.noConnectionToShare)
            await #expect(throws: Never.self) {
                try await server.requests(atLeast: count)
                _ = try await form.run(other, URLRequest(url: server.url())).get()
            }
            sessions.forEach { $0.invalidateAndCancel() }
        }
    }

    /// How a session ends.
    enum End: CaseIterable, Sendable {
        case dropped, finished, cancelled

        func callAsFunction(_ session: URLSession) {
            switch self {
            case .dropped: break
            case .finished: session.finishTasksAndInvalidate()
            case .cancelled: session.invalidateAndCancel()
            }
        }
    }

    @Test(
        "The connections of a session close soon after its end", arguments: LoopbackServer.Transport.trusted,
        End.allCases)
    func closedConnections(_ transport: LoopbackServer.Transport, _ end: End) async throws {
        let servers = try (0..<3).map { _ in try LoopbackServer(.ok("abc"), over: transport) }
        for form in APIForm.some {
            for _ in 0..<5 {
                let session = URLSession(configuration: .forTests)
                for server in servers {
                    let request = URLRequest(url: server.url(), method: form.uploads ? .put : .get)
                    _ = try await form.run(session, request).get()
                }
                end(session)
            }
        }
        try await soon { for server in servers { try await server.connectionsClosed() } }
    }

    @Test("A session that ends while its requests wait, or arrive, is not kept by them", arguments: End.allCases)
    func endedWhileWaiting(_ end: End) async throws {
        for form in APIForm.some where !form.uploads {
            let gate = Gate()
            let server = try LoopbackServer(.ok("abc").once(gate))
            weak var ended: URLSession?
            let transfer = {
                let session = URLSession(configuration: .forTests)
                ended = session
                return Task { await form.run(session, URLRequest(url: server.url())) }
            }()
            try await server.requests(atLeast: 1)
            if let session = ended { end(session) }
            if end != .cancelled { gate.open() }
            let isCancelled = await transfer.value.error?.isCancelled == true
            #expect(isCancelled == (end == .cancelled))
            gate.open()
            try await soon { try await server.connectionsClosed() }
        }
    }

    // A new session has the identity of one that is gone, over and over.
    @Test("The connections of hundreds of sessions in turn are closed once each")
    func sessionsInTurn() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer(.ok("abc"))
            for _ in 0..<300 {
                let session = URLSession(configuration: .forTests)
                _ = try await session.dataResult(from: server.url()).get()
                _ = try await session.bytesResult(from: server.url()).get().body.collect(upTo: 10)
            }
            try await soon { try await server.connectionsClosed() }
        }
    }

    #if compiler(>=6.3)  // An exit test captures a value.
    @Test(
        "30 sessions to 60 hosts leave no descriptor",
        arguments: LoopbackServer.Transport.trusted.map { $0.scheme == "https" })
    func descriptors(isSecure: Bool) async {
        await #expect(processExitsWith: .success) { [isSecure] in
            let countOfSessions = 30
            let servers = try (0..<60).map { _ in
                try LoopbackServer(.ok("abc"), over: isSecure ? .tls(.valid) : .tcp)
            }
            func use(_ count: Int) async throws {
                for index in 0..<count {
                    let session = URLSession(configuration: .ephemeral)
                    for server in servers {
                        let form = index.isMultiple(of: 2) ? APIForm.dataResult : .bytesResult
                        _ = try await form.run(session, URLRequest(url: server.url())).get()
                    }
                }
                try await soon { for server in servers { try await server.connectionsClosed() } }
            }
            // What a process opens once.
            try await use(2)
            let count = try Self.openDescriptors
            try await use(countOfSessions)
            // Those of the last session may be still there. The thread sanitizer opens pipes of its own.
            try await soon {
                while try Self.openDescriptors >= count + countOfSessions { try await letOthersRun() }
            }
        }
    }
    #endif

    private static var openDescriptors: Int {
        get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
    }
}

#endif
