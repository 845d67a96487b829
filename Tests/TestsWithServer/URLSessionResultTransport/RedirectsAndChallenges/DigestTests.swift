#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// A delegate and a storage answer Digest (RFC 7616). libcurl asks for a challenge by a request without a body.
@Suite(.inTurn)
struct DigestTests {
    private let digest = DigestServer()

    private func session(persistence: URLCredential.Persistence = .none) -> URLSession {
        let credential = URLCredential(user: "user", password: "pass", persistence: persistence)
        return SessionDelegate(challenge: (.useCredential, credential)).session()
    }

    /// The requests with an answer.
    private func answers(_ server: LoopbackServer) -> [LoopbackServer.Request] {
        server.requests.filter { $0.header("Authorization")?.hasPrefix("Digest ") == true }
    }

    @Test("Every form is answered, whatever hash the server wants", arguments: APIForm.all, DigestServer.Hash.allCases)
    func forms(_ form: APIForm, _ hash: DigestServer.Hash) async throws {
        let server = try LoopbackServer(DigestServer(hash).response(ending: .ok("abc")))
        let delegate = SessionDelegate(challenge: (.useCredential, ResponseChain.credential))
        #expect(try await form(server.url("/a?b=c"), in: delegate.session()).get().count == (form.givesBody ? 3 : 0))
        #expect(delegate.challenges.value == 1)
        #expect(server.requests.count == 3)
        #expect(answers(server).map(\.body) == [form.uploads ? APIForm.uploadedBody : Data()])
    }

    @Test(
        "A request without a body has one answer", arguments: ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"])
    func methods(_ method: String) async throws {
        let server = try LoopbackServer(digest.response(ending: .ok()))
        var request = URLRequest(url: server.url())
        request.httpMethod = method
        _ = try await session().dataResult(for: request).get()
        #expect(server.requests.map(\.method) == [method, method, method])
        // libcurl before 8 gives a HEAD a length, too, unless it is challenged.
        if method != "HEAD" {
            let length = server.requests.first?.header("Content-Length")
            #expect(server.requests.map { $0.header("Content-Length") } == [length, length, length])
        }
        #expect(answers(server).count == 1)
    }

    @Test(
        "Digest is answered among other schemes, in one field or in several",
        arguments: [
            ["Digest", #"Basic realm="x""#], [#"Basic realm="a, b""#, "Digest"],
            ["Negotiate", "Digest", "NTLM"],
            [#"Bearer realm="x", scope="y""#, "Digest"],
        ], [true, false])
    func otherSchemes(_ schemes: [String], isJoined: Bool) async throws {
        let server = try LoopbackServer { [digest] request, connection in
            if digest.isAnswered(by: request) { return try connection.respond(body: "abc") }
            let challenges = schemes.map { $0 == "Digest" ? digest.challenge() : $0 }
            let fields = isJoined ? [challenges.joined(separator: ", ")] : challenges
            let lines = fields.map { "WWW-Authenticate: \($0)\r\n" }.joined()
            try connection.send("HTTP/1.1 401 No\r\n\(lines)Content-Length: 0\r\n\r\n")
        }
        #expect(try await session().dataResult(from: server.url()).get() == Data("abc".utf8))
        #expect(answers(server).count == 1)
    }

    @Test("The cookies of the challenge that libcurl answers are stored", arguments: APIForm.some)
    func cookies(_ form: APIForm) async throws {
        let server = try LoopbackServer { [digest] request, connection in
            if digest.isAnswered(by: request) { return try connection.respond(body: "abc") }
            let index = request.header("Cookie") == nil ? 1 : 2
            let head = "HTTP/1.1 401 No\r\nWWW-Authenticate: \(digest.challenge())\r\n"
            try connection.send("\(head)Set-Cookie: count=\(index)\r\nContent-Length: 0\r\n\r\n")
        }
        let configuration = URLSessionConfiguration.ephemeral
        let delegate = SessionDelegate(challenge: (.useCredential, ResponseChain.credential))
        let session = delegate.session(with: configuration)
        #expect(try await form(server.url(), in: session).get() == Data("abc".utf8))
        // The first challenge asks the delegate, the second one is libcurl's.
        #expect(server.requests.map { $0.header("Cookie") } == [nil, "count=1", "count=1"])
        let cookies = session.configuration.httpCookieStorage?.cookies ?? []
        #expect(cookies.map(\.value) == ["2"])
    }

    @Test("A protection space has the realm and the method of the challenge, and the host and the port of the server")
    func space() async throws {
        let server = try LoopbackServer(digest.response(ending: .ok()))
        let delegate = SpaceDelegate()
        let session = URLSession(configuration: .forTests, delegate: delegate, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        #expect(await session.dataResult(from: server.url()).error?.statusCode == 401)
        let method = NSURLAuthenticationMethodHTTPDigest
        #expect(delegate.spaces.value == ["x, y, \(method), http://127.0.0.1:\(server.port)"])
    }

    @Test("A stored credential answers, and one that the server has accepted is stored", arguments: APIForm.some)
    func storedCredential(_ form: APIForm) async throws {
        let server = try LoopbackServer(digest.response(ending: .ok()))
        let configuration = URLSessionConfiguration.forTests
        configuration.urlCredentialStorage = URLCredentialStorage()
        let credential = URLCredential(user: "user", password: "pass", persistence: .forSession)
        let knowing = SessionDelegate(challenge: (.useCredential, credential)).session(with: configuration)
        _ = try await form(server.url(), in: knowing).get()
        _ = try await form(server.url(), in: URLSession(configuration: configuration)).get()
        #expect(answers(server).count == 2)
    }

    @Test("A delegate is told how many credentials were refused", arguments: APIForm.some)
    func refusedCredentials(_ form: APIForm) async throws {
        let server = try LoopbackServer(digest.response(ending: .ok("abc")))
        let delegate = ForgetfulDelegate()
        #expect("\(await form(server.url(), in: delegate.session()))" == "success(3 bytes)")
        #expect(delegate.failureCounts.value == [0, 1, 2])
    }

    @Test("Without a credential, the result is the 401", arguments: APIForm.some)
    func unanswered(_ form: APIForm) async throws {
        let server = try LoopbackServer(digest.response(ending: .ok()))
        let error = await form(server.url()).error
        #expect(error?.statusCode == 401)
        #expect(error?.response?.body == Data("unauthorized".utf8))
        #expect(server.requests.count == 1)
    }

    @Test("A user's name cannot add a field to a request", arguments: ["user\r\nX-Other: 1", "us\ner", "user\0"])
    func controlCharacters(user: String) async throws {
        let server = try LoopbackServer(digest.response(ending: .ok()))
        let credential = URLCredential(user: user, password: "pass", persistence: .none)
        let session = SessionDelegate(challenge: (.useCredential, credential)).session()
        #expect(await session.dataResult(from: server.url()).error?.statusCode == 401)
        #expect(server.requests.count == 1)
    }

    @Test(
        "A server that refuses what libcurl asks for without a body gets the body of the next request",
        arguments: APIForm.all.filter(\.uploads), LoopbackServer.Transport.trusted)
    func bodyOfNextRequest(_ form: APIForm, _ transport: LoopbackServer.Transport) async throws {
        let challengedCount = Monitor(0)
        let server = try LoopbackServer(over: transport) { [digest] request, connection in
            guard request.path == "/challenged" else { return try connection.respond(body: request.body) }
            let isFirst = challengedCount.withLock { count in
                count += 1
                return count == 1
            }
            try (isFirst ? digest.refusal() : .status(403)).play(request, connection)
        }
        let session = session()
        let challenged = URLRequest(url: server.url("/challenged"), method: .post)
        #expect(await form.run(session, challenged).error?.statusCode == 403)
        let result = await form(server.url(), in: session, accepting: 200..<300)
        #expect("\(result)" == "success(\(form.givesBody ? APIForm.uploadedBody.count : 0) bytes)")
        #expect(server.requests.map(\.body.count) == [APIForm.uploadedBody.count, 0, APIForm.uploadedBody.count])
    }

    @Test("A nonce that has become stale is replaced, and nobody is asked again", arguments: APIForm.some)
    func staleNonce(_ form: APIForm) async throws {
        let answerCount = Monitor(0)
        let server = try LoopbackServer { [digest] request, connection in
            guard digest.isAnswered(by: request) else { return try digest.refusal().play(request, connection) }
            let isFirst = answerCount.withLock { count in
                count += 1
                return count == 1
            }
            let next = isFirst ? digest.refusal(isStale: true) : .ok("abc")
            try next.play(request, connection)
        }
        let delegate = SessionDelegate(challenge: (.useCredential, ResponseChain.credential))
        #expect("\(await form(server.url(), in: delegate.session()))" == "success(3 bytes)")
        #expect(delegate.challenges.value == 1)
        let body = form.uploads ? APIForm.uploadedBody : Data()
        #expect(answers(server).map(\.body) == [body, body])
    }

    @Test("A server that calls each answer stale ends with its 401", arguments: APIForm.some)
    func alwaysStale(_ form: APIForm) async throws {
        let server = try LoopbackServer { [digest] request, connection in
            try digest.refusal(isStale: true).play(request, connection)
        }
        #expect(await form(server.url(), in: session()).error?.statusCode == 401)
        #expect(server.requests.count < 200)
    }

    @Test("A body is sent once though its connection is lost before the response")
    func lostConnection() async throws {
        let server = try LoopbackServer { [digest] request, connection in
            if request.header("Authorization") == nil {
                try digest.refusal().play(request, connection)
            } else {
                connection.close()
            }
        }
        let request = URLRequest(url: server.url(), method: .post)
        let result = await session().uploadResult(for: request, from: Data("sent".utf8))
        #expect(result.error?.urlError?.code == .networkConnectionLost)
        #expect(server.requests.map(\.text) == ["sent", "", "sent"])
    }

    @Test("A body is sent if the server challenges no longer", arguments: APIForm.some)
    func challengedOnce(_ form: APIForm) async throws {
        let isChallenged = Monitor(false)
        let server = try LoopbackServer { [digest] request, connection in
            let isFirst = isChallenged.withLock { isChallenged in
                defer { isChallenged = true }
                return !isChallenged
            }
            if isFirst { return try digest.refusal().play(request, connection) }
            try connection.respond(body: request.body.isEmpty ? "empty" : "whole")
        }
        let result = await form(server.url(), in: session())
        #expect(try result.get() == Data((form.uploads ? "whole" : "empty").utf8))
        #expect(server.requests.count == (form.uploads ? 3 : 2))
    }

    @Test(
        "A request without a body is not sent again if the server challenges no longer", arguments: ["POST", "DELETE"])
    func challengedOnce(method: String) async throws {
        let isChallenged = Monitor(false)
        let server = try LoopbackServer { [digest] request, connection in
            let isFirst = isChallenged.withLock { isChallenged in
                defer { isChallenged = true }
                return !isChallenged
            }
            try (isFirst ? digest.refusal() : .ok("done")).play(request, connection)
        }
        var request = URLRequest(url: server.url())
        request.httpMethod = method
        #expect(try await session().dataResult(for: request).get() == Data("done".utf8))
        #expect(server.requests.count == 2)
    }

    @Test("A request that is cancelled while libcurl waits for a challenge hangs up", arguments: APIForm.some)
    func cancelled(_ form: APIForm) async throws {
        let isChallenged = Monitor(false)
        let server = try LoopbackServer { [digest] request, connection in
            let isFirst = isChallenged.withLock { isChallenged in
                defer { isChallenged = true }
                return !isChallenged
            }
            try (isFirst ? digest.refusal() : .silent).play(request, connection)
        }
        let task = Task { await form(server.url(), in: session()) }
        try await server.requests(atLeast: 2)
        task.cancel()
        #expect(await task.value.error?.isCancelled == true)
        try await server.connectionsClosed()
    }

    @Test("A request that is cancelled while the delegate is asked is not answered", arguments: APIForm.some)
    func cancelledQuestion(_ form: APIForm) async throws {
        let server = try LoopbackServer(digest.response(ending: .ok()))
        let delegate = SlowDelegate()
        let task = Task { await form(server.url(), in: delegate.session()) }
        let answer = try #require(try await delegate.question.value { $0 != nil })
        task.cancel()
        #expect(await task.value.error?.isCancelled == true)
        answer(.useCredential, ResponseChain.credential)
        #expect(server.requests.count == 1)
    }

    @Test("The credential of a session and that of a URL give way to that of the delegate", arguments: APIForm.some)
    func otherCredentials(_ form: APIForm) async throws {
        let server = try LoopbackServer(digest.response(ending: .ok()))
        let configuration = URLSessionConfiguration.forTests
        configuration.httpAdditionalHeaders = ["authorization": "Bearer other"]
        let delegate = SessionDelegate(challenge: (.useCredential, ResponseChain.credential))
        _ = try await form(server.url(), in: delegate.session(with: configuration)).get()
        let url = try #require(URL(string: "http://other:secret@127.0.0.1:\(server.port)/"))
        _ = try await form(url, in: session()).get()
        #expect(answers(server).count == 2)
        #expect(server.requests.allSatisfy { $0.headers.count { $0.name.lowercased() == "authorization" } < 2 })
    }
}

/// Notes the protection spaces that it is asked about, and leaves the answers to the default.
private final class SpaceDelegate: NSObject, URLSessionTaskDelegate {
    let spaces = Monitor<[String]>([])

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let space = challenge.protectionSpace
        let server = "\(space.protocol ?? "")://\(space.host):\(space.port)"
        spaces.withLock { $0.append("\(space.realm ?? ""), \(space.authenticationMethod), \(server)") }
        completionHandler(.performDefaultHandling, nil)
    }
}

/// Knows the password at the third attempt.
private final class ForgetfulDelegate: NSObject, URLSessionTaskDelegate {
    let failureCounts = Monitor<[Int]>([])

    func session() -> URLSession { URLSession(configuration: .forTests, delegate: self, delegateQueue: nil) }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let count = challenge.previousFailureCount
        failureCounts.withLock { $0.append(count) }
        let wrong = URLCredential(user: "user", password: "wrong", persistence: .none)
        completionHandler(.useCredential, count < 2 ? wrong : ResponseChain.credential)
    }
}

/// Keeps the question.
private final class SlowDelegate: NSObject, URLSessionTaskDelegate {
    typealias Answer = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    let question = Monitor<Answer?>(nil)

    func session() -> URLSession { URLSession(configuration: .forTests, delegate: self, delegateQueue: nil) }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping Answer
    ) {
        question.withLock { $0 = completionHandler }
    }
}

#endif
