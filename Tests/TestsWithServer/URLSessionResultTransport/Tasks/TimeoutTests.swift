#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResult
@testable import URLSessionResultTransport
@testable import TestSupport

/// A timeout is neither cut off nor lost.
@Suite(.inTurn)
struct TimeoutTests {
    @Test(
        "A timeout is respected to the fraction of a second, and is never negative or endless",
        arguments: [
            (0.4, 0.4), (0.9, 0.9), (1, 1), (59.5, 59.5), (0, 0), (-1.5, 0), (-1e300, 0), (-.infinity, 0), (1e9, 1e9),
            (.infinity, 3_153_600_000), (.greatestFiniteMagnitude, 3_153_600_000), (.nan, 3_153_600_000),
        ] as [(TimeInterval, TimeInterval)])
    func limits(timeout: TimeInterval, respected: TimeInterval) throws {
        let request = try self.request(timeout: timeout)
        #expect(request.timeout(sessionTimeout: 9) == respected)
    }

    @Test(
        "A request with the default timeout uses that of its session",
        arguments: [(60, 60), (9, 9), (0.4, 0.4), (90.5, 90.5)] as [(TimeInterval, TimeInterval)])
    func sessionTimeout(timeout: TimeInterval, respected: TimeInterval) throws {
        let request = try self.request(timeout: 60)
        #expect(request.timeout(sessionTimeout: timeout) == respected)
    }

    /// Where a timeout is set.
    enum Setting: CaseIterable {
        case property, initializer, session

        func request(to url: URL, timeout: TimeInterval) -> URLRequest {
            switch self {
            case .property:
                var request = URLRequest(url: url)
                request.timeoutInterval = timeout
                return request
            case .initializer: return URLRequest(url: url, timeoutInterval: timeout)
            case .session: return URLRequest(url: url)
            }
        }

        func session(timeout: TimeInterval) -> URLSession {
            let configuration = URLSessionConfiguration.forTests
            if self == .session { configuration.timeoutIntervalForRequest = timeout }
            return URLSession(configuration: configuration)
        }
    }

    @Test("A response that comes before the timeout is a success", arguments: [0.4, 0.9, 1.9], Setting.allCases)
    func answerBefore(timeout: TimeInterval, setting: Setting) async throws {
        let server = try LoopbackServer(.ok("abc"))
        let session = setting.session(timeout: timeout)
        defer { session.finishTasksAndInvalidate() }
        let request = setting.request(to: server.url(), timeout: timeout)
        // A timeout that is cut off ends every attempt at once. On a busy machine, some response may take a second.
        for progress in [nil, ignored] {
            var results: [DataResult] = []
            repeat {
                results.append(await session.dataResult(for: request, progress: progress))
            } while results.last?.error != nil && results.count < 20
            #expect(try results.last?.get() == Data("abc".utf8))
        }
    }

    @Test("A response that never comes is a timeout", arguments: [0.4, 0.9, 1.9], Setting.allCases)
    func answerAfter(timeout: TimeInterval, setting: Setting) async throws {
        let server = try LoopbackServer(.silent)
        let session = setting.session(timeout: timeout)
        defer { session.finishTasksAndInvalidate() }
        let request = setting.request(to: server.url(), timeout: timeout)
        let start = Date()
        let result: DataResult = await session.dataResult(for: request)
        #expect(result.error?.urlError?.code == .timedOut)
        #expect(Date() >= start + timeout)
    }

    /// An infinite timeout of a session crashes inside FoundationNetworking, whatever the request says.
    @Test("A request may wait for ever", arguments: [Setting.property, .initializer])
    func infinite(setting: Setting) async throws {
        let server = try LoopbackServer(.ok("abc"))
        let session = setting.session(timeout: .infinity)
        defer { session.finishTasksAndInvalidate() }
        let request = setting.request(to: server.url(), timeout: .infinity)
        #expect(try await session.dataResult(for: request).get() == Data("abc".utf8))
    }

    /// The task that was redirected waits meanwhile, and its timeout passes. A piece may be seconds late, as on a machine
    /// with much to do.
    @Test("After a redirect, a body may take longer than the timeout if no piece does", arguments: APIForm.some)
    func slowBodyAfterRedirect(_ form: APIForm) async throws {
        let timeout = 10
        let pieceCount = timeout + 1
        let clock = try SilentClock()
        let server = try LoopbackServer(
            .redirect(
                to: "/target",
                then: LoopbackServer.Response { _, connection in
                    try connection.sendHead(200, contentLength: pieceCount)
                    for _ in 1...pieceCount {
                        clock.wait(seconds: 1)
                        try connection.send("x")
                    }
                }))
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = TimeInterval(timeout)
        let result = await form(server.url(), in: URLSession(configuration: configuration))
        #expect(try result.get() == Data(repeating: UInt8(ascii: "x"), count: pieceCount))
    }

    @Test("A body that arrives byte by byte ends with the timeout for the resource", arguments: APIForm.some)
    func resourceTimeout(_ form: APIForm) async throws {
        let server = try LoopbackServer { _, connection in
            try connection.sendHead(200, contentLength: 1 << 40)
            while true {
                try connection.send("x")
                _ = sched_yield()
            }
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForResource = 0.2
        let error = await form(server.url(), in: URLSession(configuration: configuration)).error
        #expect(error?.urlError?.code == .timedOut)
    }

    @Test("A delegate that never answers ends its request with the timeout", arguments: APIForm.some, [true, false])
    func silentDelegate(_ form: APIForm, isRedirect: Bool) async throws {
        let challenge = LoopbackServer.Response.status(401, headers: ["WWW-Authenticate": "Basic realm=\"albums\""])
        let server = try LoopbackServer(isRedirect ? .redirect(to: "/target") : challenge)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 0.5
        let session = URLSession(configuration: configuration, delegate: SilentDelegate(), delegateQueue: nil)
        let error = await form(server.url(), in: session).error
        // A stream has the head of the response by then.
        let isWhole = form.isStream && error?.statusCode == 401
        #expect(isWhole || error?.urlError?.code == .timedOut)
    }

    @Test(
        "A delegate that never answers a redirect ends its request with the timeout, however long the body is",
        arguments: APIForm.some)
    func silentDelegateOfLongBody(_ form: APIForm) async throws {
        let server = try LoopbackServer(
            .stalled(after: "HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n" + String(repeating: "x", count: 3 << 20)))
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 0.5
        let session = URLSession(configuration: configuration, delegate: SilentDelegate(), delegateQueue: nil)
        #expect(await form(server.url(), in: session).error?.urlError?.code == .timedOut)
    }

    @Test("Redirects do not begin the timeout for the resource anew", arguments: APIForm.some)
    func resourceTimeoutAcrossRedirects(_ form: APIForm) async throws {
        let clock = try SilentClock()
        let server = try LoopbackServer { request, connection in
            clock.wait(seconds: 1)
            try connection.respond(with: .redirect(to: "/next"), to: request)
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForResource = 2
        // There are twenty redirects at most.
        let error = await form(server.url(), in: URLSession(configuration: configuration)).error
        #expect(error?.urlError?.code == .timedOut)
    }

    @Test("A response within the timeout for the resource is a success", arguments: APIForm.some)
    func quickResource(_ form: APIForm) async throws {
        let server = try LoopbackServer(.ok("abc"))
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForResource = 60
        _ = try await form(server.url(), in: URLSession(configuration: configuration)).get()
    }

    @Test(
        "A timeout for the resource of days is one, and so is the default of a week, until the request ends",
        arguments: [1, nil, 8, 36_000] as [Double?])
    func longResourceTimeout(days: Double?) async throws {
        let secondsOfDay: TimeInterval = 24 * 60 * 60
        let server = try LoopbackServer(.silent)
        let configuration = URLSessionConfiguration.ephemeral
        if let days { configuration.timeoutIntervalForResource = days * secondsOfDay }
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        let (results, continuation) = AsyncStream<DataResult>.makeStream()
        let task = session.dataTask(with: server.url()) { continuation.yield($0) }
        let earliest = DispatchTime.now() + (days ?? 7) * secondsOfDay
        task.resume()
        let latest = DispatchTime.now() + (days ?? 7) * secondsOfDay
        let transfer = try #require(task as? any TransferTask).transfer
        let deadline = try #require(ResourceTimeouts.ofProcess.deadline(of: transfer))
        #expect((earliest.uptimeNanoseconds...latest.uptimeNanoseconds).contains(deadline))
        task.cancel()
        #expect(await results.first { _ in true }?.error?.urlError?.code == .cancelled)
        #expect(ResourceTimeouts.ofProcess.deadline(of: transfer) == nil)
    }

    @Test("A short timeout for the resource ends its request beside longer ones, in every order")
    func severalResourceTimeouts() async throws {
        let server = try LoopbackServer(.silent)
        await withTaskGroup { group in
            for timeout in [nil, 0.3, 3_600, 0.2, 60, 0.1, nil] as [TimeInterval?] {
                let configuration = URLSessionConfiguration.ephemeral
                if let timeout { configuration.timeoutIntervalForResource = timeout }
                let session = URLSession(configuration: configuration)
                group.addTask { await (timeout, session.dataResult(from: server.url()).error) }
            }
            for await (timeout, error) in group.prefix(3) {
                #expect(error?.urlError?.code == .timedOut)
                #expect(timeout.map { $0 < 1 } == true)
            }
            group.cancelAll()
            for await (_, error) in group { #expect(error?.urlError?.code == .cancelled) }
        }
    }

    @Test(
        "A timeout for the resource that is no time is ignored, whatever is asked for", arguments: APIForm.some,
        [0, -1, -1e-10, -.infinity, .infinity, .nan, -.greatestFiniteMagnitude])
    func noResourceTimeout(_ form: APIForm, timeout: TimeInterval) async throws {
        let server = try LoopbackServer(.redirect(to: "/target", then: .ok("abc")))
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForResource = timeout
        #expect(try await form(server.url(), in: URLSession(configuration: configuration)).get() == Data("abc".utf8))
    }

    @Test("A timeout for the resource that is hardly any time ends a request", arguments: APIForm.some)
    func shortResourceTimeout(_ form: APIForm) async throws {
        let server = try LoopbackServer(.silent)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForResource = 1e-10
        let error = await form(server.url(), in: URLSession(configuration: configuration)).error
        #expect(error?.urlError?.code == .timedOut)
    }

    private func request(timeout: TimeInterval) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1/")))
        request.timeoutInterval = timeout
        return request
    }
}

/// Keeps no handler and calls none.
private final class SilentDelegate: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {}

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {}
}

#endif
