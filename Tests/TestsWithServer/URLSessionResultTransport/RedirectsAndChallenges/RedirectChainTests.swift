import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Whatever redirects and challenges lie on the way, by whatever protocol, a request ends once and as it should.
@Suite(.inTurn)
struct RedirectChainTests {
    @Test(
        "A request arrives, and its delegate is asked once about each redirect and challenge",
        arguments: ResponseChain.all, APIForm.some)
    func arrival(_ chain: ResponseChain, _ form: APIForm) async throws {
        for way in Way.available {
            let server = try LoopbackServer(chain.response(ending: .ok("abc")), over: way.transport)
            let delegate = ChainDelegate()
            let result = await form(try way.url(of: server), in: delegate.session())
            #expect("\(result)" == "success(3 bytes)", "\(way)")
            #expect(delegate.challenges.value == chain.challengeCount, "\(way)")
            #expect(delegate.redirects.value == chain.count(of: .redirect), "\(way)")
            #expect(delegate.tasks.value.count <= 1, "\(way)")
            #expect(server.requests.count == chain.requestCount, "\(way)")
            let bodies = server.requests.map(\.body).filter { !$0.isEmpty }
            let count = form.uploads ? chain.requestCount - chain.bodilessCount : 0
            #expect(bodies == Array(repeating: APIForm.uploadedBody, count: count), "\(way)")
        }
    }

    @Test("A cancellation reaches the request that waits, and hangs up", arguments: ResponseChain.all, APIForm.some)
    func cancelledWhileItWaits(_ chain: ResponseChain, _ form: APIForm) async throws {
        for way in Way.available {
            let server = try LoopbackServer(chain.response(ending: .silent), over: way.transport)
            let url = try way.url(of: server)
            let running = Task { await form(url, in: ChainDelegate().session()) }
            try await server.requests(atLeast: chain.requestCount)
            running.cancel()
            #expect(await running.value.error?.isCancelled == true, "\(way)")
            try await server.connectionsClosed()
        }
    }

    @Test(
        "Sixteen requests at once, half of them cancelled at different moments, end once each",
        arguments: ResponseChain.all, APIForm.some)
    func cancelledAtRandom(_ chain: ResponseChain, _ form: APIForm) async throws {
        for way in Way.available {
            let server = try LoopbackServer(chain.response(ending: .ok("abc")), over: way.transport)
            let session = ChainDelegate().session()
            let request = URLRequest(url: try way.url(of: server), method: form.uploads ? .post : .get)
            let transfers = (0..<16).map { _ in Task { await form.run(session, request, 200..<300) } }
            for index in 0..<8 {
                try await server.requests(atLeast: 1 + index * chain.requestCount / 2)
                transfers[2 * index].cancel()
            }
            for (index, transfer) in transfers.enumerated() {
                let result = await transfer.value
                let isWhole = (try? result.get()) == Data("abc".utf8)
                #expect(isWhole || index.isMultiple(of: 2) && result.error?.isCancelled == true, "\(way): \(result)")
            }
            session.finishTasksAndInvalidate()
        }
    }

    @Test("Challenges do not count as redirects, and 20 redirects are followed", arguments: [20, 21], APIForm.some)
    func manySteps(redirectCount: Int, _ form: APIForm) async throws {
        let challenged = Monitor<Set<String>>([])
        let server = try LoopbackServer { request, connection in
            let index = Int(request.path.dropFirst()) ?? 0
            if challenged.withLock({ $0.insert(request.path).inserted }) {
                try connection.respond(with: .challenge(#"Basic realm="x""#), to: request)
            } else if index < redirectCount {
                try connection.respond(with: .redirect(to: "/\(index + 1)", status: 307), to: request)
            } else {
                try connection.respond(body: "abc")
            }
        }
        let delegate = ChainDelegate()
        let result = await form(server.url("/0"), in: delegate.session())
        if redirectCount <= 20 {
            #expect("\(result)" == "success(3 bytes)")
        } else {
            #expect(result.error?.urlError?.code == .httpTooManyRedirects)
        }
        #expect(delegate.challenges.value == 21)
        #expect(delegate.failureCounts.value.allSatisfy { $0 == 0 })
    }

    @Test("A delegate is told how many credentials were refused", arguments: APIForm.some)
    func refusedCredentials(_ form: APIForm) async throws {
        let server = try LoopbackServer { request, connection in
            let isKnown = request.header("Authorization") == "Basic dXNlcjpwYXNz"
            try connection.respond(with: isKnown ? .ok("abc") : .challenge(#"Basic realm="x""#), to: request)
        }
        let delegate = ChainDelegate(refusedPasswords: 3)
        #expect("\(await form(server.url(), in: delegate.session()))" == "success(3 bytes)")
        #expect(delegate.failureCounts.value == [0, 1, 2, 3])
    }

    @Test("A credential answers a challenge of the origin that a redirect led to, and goes to no other")
    func challengeOfAnotherOrigin() async throws {
        for form in APIForm.some {
            let target = try LoopbackServer(ResponseChain(steps: [.challenge]).response(ending: .ok("abc")))
            let source = try LoopbackServer(.redirect(to: target.url("/0").absoluteString, status: 307))
            #expect("\(await form(source.url(), in: ChainDelegate().session()))" == "success(3 bytes)")
            #expect(source.requests.map { $0.header("Authorization") } == [nil])
            #expect(target.requests.map { $0.header("Authorization") } == [nil, "Basic dXNlcjpwYXNz"])
        }
    }

    @Test("The answer to a challenge does not follow a redirect to another origin", arguments: APIForm.some)
    func answerOfAnotherOrigin(_ form: APIForm) async throws {
        let target = try LoopbackServer(.ok("abc"))
        let source = try LoopbackServer(
            ResponseChain(steps: [.challenge]).response(ending: .redirect(to: target.origin, status: 307)))
        #expect("\(await form(source.url("/0"), in: ChainDelegate().session()))" == "success(3 bytes)")
        #expect(source.requests.map { $0.header("Authorization") } == [nil, "Basic dXNlcjpwYXNz"])
        #expect(target.requests.map { $0.header("Authorization") } == [nil])
    }
}

extension RedirectChainTests {
    /// How a test reaches a server.
    private struct Way: CustomStringConvertible {
        let description: String
        let transport: LoopbackServer.Transport

        /// What comes before the path of a URL: by default, the origin of the server.
        var prefix: (@Sendable (LoopbackServer) throws -> String)?

        func url(of server: LoopbackServer) throws -> URL {
            guard let prefix else { return server.url("/0") }
            return try #require(URL(string: try prefix(server) + "/0"))
        }

        static var available: [Way] {
            var ways = LoopbackServer.Transport.trusted.map { Way(description: $0.scheme, transport: $0) }
            #if os(Linux)
            if TrustedServer.areRunning {
                // nginx passes each request on to the server.
                let http2 = Way(description: "HTTP/2", transport: .tcp) { server in
                    try TrustedServer.http2.url("/loopback/\(server.port)").absoluteString
                }
                ways.append(http2)
            }
            #endif
            return ways
        }
    }
}

/// Knows the password, after some that are refused, and notes what it is asked.
private final class ChainDelegate: NSObject, URLSessionTaskDelegate {
    let challenges = Monitor(0)
    let redirects = Monitor(0)
    let failureCounts = Monitor<[Int]>([])

    /// The tasks that it was asked about.
    let tasks = Monitor<Set<ObjectIdentifier>>([])
    private let refusedPasswords: Int

    init(refusedPasswords: Int = 0) { self.refusedPasswords = refusedPasswords }

    func session() -> URLSession {
        URLSession(configuration: .forTests, delegate: self, delegateQueue: nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let count = challenges.withLock { challenges in
            challenges += 1
            return challenges
        }
        failureCounts.withLock { $0.append(challenge.previousFailureCount) }
        tasks.withLock { _ = $0.insert(ObjectIdentifier(task)) }
        let isRefused = count <= refusedPasswords
        let refused = URLCredential(user: "user", password: "wrong", persistence: .none)
        completionHandler(.useCredential, isRefused ? refused : ResponseChain.credential)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        redirects.withLock { $0 += 1 }
        tasks.withLock { _ = $0.insert(ObjectIdentifier(task)) }
        completionHandler(request)
    }
}

extension ResponseChain: CustomTestStringConvertible {
    /// The steps, as a test shows them.
    public var testDescription: String {
        steps.isEmpty ? "no step" : steps.map(\.rawValue).joined(separator: ", then ")
    }
}
