import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// What the delegate of one request decides, for every counterpart that takes one.
@Suite(.inTurn)
struct RequestDelegateTests {
    private static let forms = APIForm.asynchronous

    private static let credential = URLCredential(user: "user", password: "pass", persistence: .none)

    /// Asks for a user, and answers with the `Authorization` that came.
    private static let challenging = LoopbackServer.Response { request, connection in
        let authorization = request.header("Authorization")
        let response = authorization.map { .ok($0) } ?? LoopbackServer.Response.challenge(#"Basic realm="x""#)
        try connection.respond(with: response, to: request)
    }

    // MARK: Challenges

    @Test(
        "The delegate of the request answers a challenge, and the session's is not asked",
        arguments: forms + APIForm.asynchronousByURL)
    func answersChallenge(_ form: APIForm) async throws {
        let server = try LoopbackServer(Self.challenging)
        let delegate = SessionDelegate(challenge: (.useCredential, Self.credential))
        let sessionDelegate = SessionDelegate(challenge: (.cancelAuthenticationChallenge, nil))
        let result = await form(server.url(), in: sessionDelegate.session(), delegate: delegate)
        #expect(try result.get() == Data("Basic dXNlcjpwYXNz".utf8))
        #expect(delegate.challenges.value == 1)
        #expect(sessionDelegate.challenges.value == 0)
    }

    @Test("A session needs no delegate for the request to have one", arguments: forms)
    func sessionWithoutDelegate(_ form: APIForm) async throws {
        let server = try LoopbackServer(.redirect(to: "/target", then: Self.challenging))
        let delegate = SessionDelegate(challenge: (.useCredential, Self.credential))
        #expect(try await form(server.url(), delegate: delegate).get() == Data("Basic dXNlcjpwYXNz".utf8))
        #expect(delegate.redirects.value == 1)
    }

    @Test(
        "What the delegate of the request leaves to the default, the session's decides",
        arguments: forms, [true, false])
    func defersChallenge(_ form: APIForm, hasMethods: Bool) async throws {
        let server = try LoopbackServer(Self.challenging)
        let delegate = hasMethods ? SessionDelegate() as any URLSessionTaskDelegate : DelegateWithoutMethods()
        let sessionDelegate = SessionDelegate(challenge: (.useCredential, Self.credential))
        let result = await form(server.url(), in: sessionDelegate.session(), delegate: delegate)
        #if !canImport(FoundationNetworking)
        // Apple's URLSession asks the session's delegate only if the first lacks the method.
        guard !hasMethods else { return }
        #endif
        #expect(try result.get() == Data("Basic dXNlcjpwYXNz".utf8))
        #expect(sessionDelegate.challenges.value == 1)
    }

    @Test(
        "A challenge that the delegate of the request cancels is a cancellation, one that it rejects a server error",
        arguments: forms)
    func refusesChallenge(_ form: APIForm) async throws {
        let server = try LoopbackServer(Self.challenging)
        let sessionDelegate = SessionDelegate(challenge: (.useCredential, Self.credential))
        let cancelling = SessionDelegate(challenge: (.cancelAuthenticationChallenge, nil))
        let cancelled = await form(server.url(), in: sessionDelegate.session(), delegate: cancelling)
        #expect(cancelled.error?.isCancelled == true)
        let rejecting = SessionDelegate(challenge: (.rejectProtectionSpace, nil))
        let rejected = await form(server.url(), in: sessionDelegate.session(), delegate: rejecting)
        #expect(rejected.error?.statusCode == 401)
        #expect(sessionDelegate.challenges.value == 0)
    }

    // MARK: Redirects

    @Test("The delegate of the request refuses a redirect, and the session's is not asked", arguments: forms)
    func refusesRedirect(_ form: APIForm) async throws {
        let server = try LoopbackServer(.redirect(to: "/there"))
        let delegate = SessionDelegate(redirect: { _ in nil })
        let sessionDelegate = SessionDelegate()
        let result = await form(server.url(), in: sessionDelegate.session(), delegate: delegate)
        #expect(result.error?.statusCode == 302)
        #expect(sessionDelegate.redirects.value == 0)
    }

    @Test("The delegate of the request changes a redirect, and the session's is not asked", arguments: forms)
    func changesRedirect(_ form: APIForm) async throws {
        let server = try LoopbackServer(.redirect(to: "/target", then: .ok("there")))
        let delegate = SessionDelegate { request in
            var request = request
            request.setValue("added", forHTTPHeaderField: "X-Name")
            return request
        }
        let sessionDelegate = SessionDelegate(redirect: { _ in nil })
        let result = await form(server.url(), in: sessionDelegate.session(), delegate: delegate)
        #expect(try result.get() == Data("there".utf8))
        #expect(server.requests.map { $0.header("X-Name") } == [nil, "added"])
        #expect(sessionDelegate.redirects.value == 0)
    }

    @Test("A redirect that a delegate without the method is not asked about, the session's decides", arguments: forms)
    func defersRedirect(_ form: APIForm) async throws {
        let server = try LoopbackServer(.redirect(to: "/there"))
        let sessionDelegate = SessionDelegate(redirect: { _ in nil })
        let result = await form(server.url(), in: sessionDelegate.session(), delegate: DelegateWithoutMethods())
        #expect(result.error?.statusCode == 302)
        #expect(sessionDelegate.redirects.value == 1)
    }

    /// A body of an error response would not be awaited for so long.
    @Test("A decision about a redirect may take its time")
    func slowDecision() async throws {
        let gate = Gate()
        let server = try LoopbackServer(.redirect(to: "/target", then: .ok("there")))
        let isAsked = Gate()
        let delegate = SessionDelegate { request in
            isAsked.open()
            gate.wait()
            return request
        }
        async let result = URLSession(configuration: .forTests).bytesResult(from: server.url(), delegate: delegate)
        try await isAsked.opened()
        // This one is given up after the time that a body has.
        let stalled = try LoopbackServer(.stalled(after: "HTTP/1.1 503 Busy\r\nContent-Length: 99\r\n\r\n"))
        let other = await URLSession(configuration: .forTests).bytesResult(from: stalled.url())
        #expect(other.error?.statusCode == 503)
        gate.open()
        #expect(try await result.collected().get() == Data("there".utf8))
    }

    // MARK: Queue and lifetime

    #if canImport(FoundationNetworking)
    @Test("Both delegates are asked on the session's delegate queue", arguments: forms)
    func queue(_ form: APIForm) async throws {
        let server = try LoopbackServer(.redirect(to: "/target", then: .ok("there")))
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let askedQueues = Monitor<[OperationQueue?]>([])
        let noteQueue: @Sendable (URLRequest) -> URLRequest? = { request in
            let current = OperationQueue.current
            askedQueues.withLock { $0.append(current) }
            return request
        }
        let session = URLSession(
            configuration: .forTests, delegate: SessionDelegate(redirect: noteQueue), delegateQueue: queue)
        let result = await form(server.url(), in: session, delegate: SessionDelegate(redirect: noteQueue))
        #expect(try result.get() == Data("there".utf8))
        #expect(askedQueues.value == [queue, queue])
    }
    #endif

    @Test("The delegate is kept until the request is over, and no longer", arguments: forms)
    func lifetime(_ form: APIForm) async throws {
        let server = try LoopbackServer(.redirect(to: "/target", then: Self.challenging))
        let end = Monitor(false)
        let result = await form(server.url(), delegate: DelegateWithEnd(end))
        #expect(try result.get() == Data("Basic dXNlcjpwYXNz".utf8))
        try await end.value { $0 }
    }

    @Test("A request that is cancelled while its delegate decides ends as cancelled", arguments: forms)
    func cancelledWhileDeciding(_ form: APIForm) async throws {
        let server = try LoopbackServer(.redirect(to: "/there"))
        let isAsked = Gate()
        let gate = Gate()
        let delegate = SessionDelegate { request in
            isAsked.open()
            gate.wait()
            return request
        }
        let running = Task { await form(server.url(), delegate: delegate) }
        try await isAsked.opened()
        running.cancel()
        gate.open()
        #expect(await running.value.error?.isCancelled == true)
        #expect(server.requests.count == 1)
    }

    // MARK: At once

    @Test(
        "Sixteen requests of a session, redirected and challenged, each have an answer of their own",
        arguments: LoopbackServer.Transport.trusted, forms)
    func atOnce(transport: LoopbackServer.Transport, form: APIForm) async throws {
        let server = try LoopbackServer(
            .redirect(to: "/target", status: 307, then: Self.challenging), over: transport)
        let session = URLSession(configuration: .forTests)
        let request = URLRequest(url: server.url(), method: form.uploads ? .post : .get)
        await withTaskGroup { group in
            for index in 0..<16 {
                group.addTask {
                    let credential = URLCredential(user: "user \(index)", password: "pass", persistence: .none)
                    let delegate = SessionDelegate(challenge: (.useCredential, credential))
                    let expected = Data("Basic \(Data("user \(index):pass".utf8).base64EncodedString())".utf8)
                    let running = Task { await form.run(session, request, delegate: delegate) }
                    if index.isMultiple(of: 4) { running.cancel() }
                    let result = await running.value
                    let isCancelled = index.isMultiple(of: 4) && result.error?.isCancelled == true
                    #expect(isCancelled || (try? result.get()) == expected, "\(result)")
                }
            }
        }
    }
}

private final class DelegateWithoutMethods: NSObject, URLSessionTaskDelegate {}

/// Says when it goes.
private final class DelegateWithEnd: NSObject, URLSessionTaskDelegate {
    private let end: Monitor<Bool>

    init(_ end: Monitor<Bool>) { self.end = end }

    deinit { end.withLock { $0 = true } }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let credential = URLCredential(user: "user", password: "pass", persistence: .none)
        completionHandler(.useCredential, credential)
    }
}
