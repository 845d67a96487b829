#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResult
@testable import URLSessionResultTransport
@testable import TestSupport

/// What a transfer makes good on platforms whose URLSession is FoundationNetworking.
@Suite(.inTurn)
struct TransferTests {
    // MARK: Ends

    @Test(
        "A task that is suspended after its end calls its handler before its session is invalid",
        arguments: [false, true])
    func suspendedAfterEnd(cancels: Bool) async throws {
        let server = try LoopbackServer(.ok("abc"))
        let calls = Monitor<[String]>([])
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let session = URLSession(configuration: .forTests, delegate: SessionEndNote(in: calls), delegateQueue: queue)
        queue.isSuspended = true
        let task = session.dataTask(with: server.url()) { (_: DataResult) in calls.withLock { $0.append("handler") } }
        task.resume()
        // The end waits there.
        while queue.operationCount == 0 { try await letOthersRun() }
        task.suspend()
        if cancels { session.invalidateAndCancel() } else { session.finishTasksAndInvalidate() }
        queue.isSuspended = false
        #expect(try await calls.value { $0.contains("invalid") } == ["handler", "invalid"])
    }

    // MARK: Challenges

    @Test("A challenge that nothing can meet is a server error at once, with its body", arguments: APIForm.all)
    func unmetChallenge(_ form: APIForm) async throws {
        let server = try LoopbackServer(.challenge(#"Basic realm="x""#))
        let response = try #require(await form(server.url()).error?.response)
        #expect(response.statusCode == 401)
        #expect(response.header("WWW-Authenticate") == #"Basic realm="x""#)
        #expect(response.body == Data("unauthorized".utf8))
        #expect(server.requests.count == 1)
    }

    @Test("A challenge after a redirect that nothing can meet keeps its body", arguments: APIForm.some)
    func unmetChallengeAfterRedirect(_ form: APIForm) async throws {
        let challenge = LoopbackServer.Response.challenge(#"Basic realm="x""#)
        for transport in LoopbackServer.Transport.trusted {
            let server = try LoopbackServer(.redirect(to: "/target", status: 307, then: challenge), over: transport)
            let response = try #require(await form(server.url()).error?.response)
            #expect(response.statusCode == 401)
            #expect(response.body == Data("unauthorized".utf8), "\(transport.scheme)")
            #expect(server.requests.map(\.target) == ["/", "/target"])
        }
    }

    @Test(
        "Every scheme ends in a server error",
        arguments: [
            "Basic", #"basic realm="x""#, #"Digest realm="x", nonce="1""#, "Bearer", "Negotiate", "NTLM", "",
            "Basic realm",
            #"Basic realm="x", Digest realm="x", nonce="1""#, #"Bearer, Basic realm="x""#, #"Basic realm="\"#,
        ])
    func schemes(_ scheme: String) async throws {
        let server = try LoopbackServer(.challenge(scheme))
        #expect(await APIForm.all[0](server.url()).error?.statusCode == 401)
    }

    @Test("Credentials that the server refuses are a server error", arguments: APIForm.all)
    func refusedAuthorization(_ form: APIForm) async throws {
        let server = try LoopbackServer(.challenge(#"Basic realm="x""#))
        let error = await form(server.url(), headers: ["Authorization": "Basic wrong"]).error
        #expect(error?.statusCode == 401)
    }

    @Test("A 401 that is accepted is a success, with its body", arguments: APIForm.all)
    func acceptedChallenge(_ form: APIForm) async throws {
        let server = try LoopbackServer(.challenge(#"Basic realm="x""#))
        let result = await form(server.url(), accepting: 200..<500)
        #expect("\(result)" == (form.givesBody ? "success(12 bytes)" : "success(0 bytes)"))
    }

    @Test("A stored credential is tried first", arguments: APIForm.all)
    func storedCredential(_ form: APIForm) async throws {
        let server = try LoopbackServer { request, connection in
            if request.header("Authorization") == "Basic dXNlcjpwYXNz" {
                try connection.respond(body: "welcome")
            } else {
                try connection.respond(401, headers: ["WWW-Authenticate": #"Basic realm="x""#], body: "who are you?")
            }
        }
        let session = URLSession.storing(password: "pass", for: server)
        #expect(try await form(server.url(), in: session).get() == Data((form.givesBody ? "welcome" : "").utf8))
        #expect(server.requests.count == 2)
    }

    @Test("A stored credential that is refused is tried once", arguments: APIForm.all)
    func refusedStoredCredential(_ form: APIForm) async throws {
        let server = try LoopbackServer(.challenge(#"Basic realm="x""#))
        let session = URLSession.storing(password: "wrong", for: server)
        let response = try #require(await form(server.url(), in: session).error?.response)
        #expect(response.statusCode == 401)
        #expect(response.body == Data("unauthorized".utf8))
        #expect(server.requests.count == 2)
    }

    @Test("A storage that knows a credential without holding it is asked", arguments: APIForm.all)
    func proposedCredential(_ form: APIForm) async throws {
        let server = try LoopbackServer { request, connection in
            let isKnown = request.header("Authorization") == "Basic dXNlcjpwYXNz"
            try connection.respond(isKnown ? 200 : 401, headers: ["WWW-Authenticate": #"Basic realm="x""#])
        }
        let configuration = URLSessionConfiguration.forTests
        configuration.urlCredentialStorage = Vault(password: "pass")
        _ = try await form(server.url(), in: URLSession(configuration: configuration)).get()
        #expect(configuration.urlCredentialStorage?.allCredentials == [:])
        configuration.urlCredentialStorage = Vault(password: "wrong")
        #expect(await form(server.url(), in: URLSession(configuration: configuration)).error?.statusCode == 401)
        #expect(server.requests.count == 4)
    }

    @Test("A credential that the session's delegate does without is not sent", arguments: APIForm.some)
    func proposedCredentialWithoutUse(_ form: APIForm) async throws {
        let server = try LoopbackServer(.challenge(#"Basic realm="x""#))
        let configuration = URLSessionConfiguration.forTests
        configuration.urlCredentialStorage = Vault(password: "pass")
        let delegate = SessionDelegate(challenge: (.rejectProtectionSpace, nil))
        let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        #expect(await form(server.url(), in: session).error?.statusCode == 401)
        #expect(server.requests.map { $0.header("Authorization") } == [nil])
    }

    @Test(
        "A credential that is stored for another host, port or realm is not sent",
        arguments: [("localhost", 0, "x"), ("127.0.0.1", 1, "x"), ("127.0.0.1", 0, "y")])
    func otherProtectionSpace(host: String, offset: Int, realm: String) async throws {
        let server = try LoopbackServer(.challenge(#"Basic realm="x""#))
        let space = URLProtectionSpace(
            host: host, port: Int(server.port) + offset, protocol: "http", realm: realm,
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        let session = URLSession.storing(password: "pass", for: space)
        #expect(await APIForm.all[0](server.url(), in: session).error?.statusCode == 401)
        #expect(server.requests.compactMap { $0.header("Authorization") } == [])
    }

    @Test(
        "A stored credential goes to the origin that asks for it, after a redirect, and to no other",
        arguments: APIForm.all)
    func challengeAfterRedirect(_ form: APIForm) async throws {
        let target = try LoopbackServer(ResponseChain(steps: [.challenge]).response(ending: .ok("abc")))
        let source = try LoopbackServer(.redirect(to: target.url("/0").absoluteString))
        let session = URLSession.storing(password: "pass", for: target)
        _ = try await form(source.url(), in: session).get()
        #expect(source.requests.compactMap { $0.header("Authorization") } == [])
        #expect(target.requests.map { $0.header("Authorization") } == [nil, "Basic dXNlcjpwYXNz"])
    }

    @Test(
        "A credential that the server accepts is stored as its persistence says", arguments: APIForm.some,
        [.none, .forSession, .permanent] as [URLCredential.Persistence])
    func persistence(_ form: APIForm, persistence: URLCredential.Persistence) async throws {
        let configuration = URLSessionConfiguration.forTests
        let storage = URLCredentialStorage()
        configuration.urlCredentialStorage = storage
        let credential = URLCredential(user: "user", password: "pass", persistence: persistence)
        let delegate = SessionDelegate(challenge: (.useCredential, credential))
        let routes = [ResponseChain(steps: [.challenge]), ResponseChain(steps: [.challenge, .redirect])]
        for chain in routes {
            let server = try LoopbackServer(chain.response(ending: .ok("abc")))
            for _ in 1...2 {
                _ = try await form(server.url("/0"), in: delegate.session(with: configuration)).get()
            }
            let passwords = {
                storage.allCredentials.filter { $0.key.port == server.port }.map { $0.value["user"]?.password }
            }
            // A stream is over before that.
            while persistence != .none, passwords().isEmpty { try await letOthersRun() }
            #expect(passwords() == (persistence == .none ? [] : ["pass"]))
        }
        #expect(delegate.challenges.value == 4)
    }

    @Test("A credential that the server refuses is not stored", arguments: APIForm.some)
    func persistenceOfRefused(_ form: APIForm) async throws {
        let answers = Monitor(0)
        let server = try LoopbackServer(.challenge(#"Basic realm="x""#))
        let configuration = URLSessionConfiguration.forTests
        let storage = URLCredentialStorage()
        configuration.urlCredentialStorage = storage
        let delegate = CredentialOnce(answers)
        let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        #expect(await form(server.url(), in: session).error?.statusCode == 401)
        #expect(answers.value == 2)
        #expect(storage.allCredentials.isEmpty)
    }

    // MARK: Redirects

    @Test(
        "An origin is scheme, host and port",
        arguments: [
            ("http://a.test/x?y", "http://A.TEST:80/#z", true), ("https://a.test", "HTTPS://a.test:443/", true),
            ("http://a.test:81", "http://a.test:81/x", true), ("http://a.test", "https://a.test", false),
            ("http://a.test:443", "https://a.test", false), ("http://a.test", "http://b.a.test", false),
            ("http://a.test", "http://a.test:81", false), ("https://a.test", "https://a.test:80", false),
        ])
    func origin(one: String, other: String, isSame: Bool) throws {
        let (one, other) = (try #require(URL(string: one)), try #require(URL(string: other)))
        #expect((one.origin == other.origin) == isSame)
    }

    @Test("Another name of the same host is another origin")
    func otherHost() async throws {
        let server = try LoopbackServer { request, connection in
            let port = request.header("Host")?.split(separator: ":").last ?? ""
            let isThere = request.path == "/there"
            try connection.respond(
                isThere ? 200 : 302, headers: isThere ? [:] : ["Location": "http://localhost:\(port)/there"])
        }
        _ = try await APIForm.all[0](server.url(), headers: ["Authorization": "secret"]).get()
        #expect(server.requests.map { $0.header("Authorization") } == ["secret", nil])
    }

    @Test("Credentials do not follow a redirect to another origin", arguments: APIForm.all)
    func crossOriginRedirect(_ form: APIForm) async throws {
        let target = try LoopbackServer(.ok("there"))
        let source = try LoopbackServer(.redirect(to: target.url("/there").absoluteString))
        let headers = [
            "Authorization": "secret", "cookie": "secret", "Proxy-Authorization": "secret", "X-Other": "kept",
        ]
        _ = try await form(source.url(), headers: headers).get()
        let request = try #require(target.requests.first)
        for (name, value) in headers {
            #expect(source.requests.first?.header(name) == value)
            #expect(request.header(name) == (value == "secret" ? nil : value))
        }
    }

    @Test("Credentials of the configuration do not follow either, nor come back", arguments: APIForm.all)
    func crossOriginRedirectOfConfiguration(_ form: APIForm) async throws {
        let last = try LoopbackServer(.ok("there"))
        let middle = try LoopbackServer(["/": .redirect(to: "/again"), "/again": .redirect(to: last.origin)])
        let first = try LoopbackServer(.redirect(to: middle.origin))
        let configuration = URLSessionConfiguration.forTests
        configuration.httpAdditionalHeaders = [
            "authorization": "secret", "Cookie": "secret", "Proxy-Authorization": "secret", "X-Other": "kept",
        ]
        _ = try await form(first.url(), in: URLSession(configuration: configuration)).get()
        #expect(first.requests.first?.header("Authorization") == "secret")
        for request in middle.requests + last.requests {
            for name in ["Authorization", "Cookie", "Proxy-Authorization"] { #expect(request.header(name) == nil) }
            #expect(request.header("X-Other") == "kept")
        }
        #expect(middle.requests.count == 2)
    }

    @Test("After an answer to Digest, too, another origin does not get the secrets of the configuration")
    func crossOriginRedirectAndDigest() async throws {
        let middle = try LoopbackServer { request, connection in
            if request.header("Authorization")?.hasPrefix("Digest ") == true {
                try connection.respond(with: .redirect(to: "/again"), to: request)
            } else if request.path == "/again" {
                try connection.respond(with: .ok("there"), to: request)
            } else {
                let challenge = #"Digest realm="albums", nonce="1", qop="auth""#
                try connection.respond(with: .status(401, headers: ["WWW-Authenticate": challenge]), to: request)
            }
        }
        let first = try LoopbackServer(.redirect(to: middle.origin))
        let configuration = URLSessionConfiguration.forTests
        configuration.httpAdditionalHeaders = ["Authorization": "secret"]
        let delegate = PasswordDelegate()
        let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        _ = await session.dataResult(from: first.url())
        #expect(middle.requests.contains { $0.path == "/again" })
        for request in middle.requests { #expect(request.header("Authorization")?.contains("secret") != true) }
    }

    @Test("What the configuration does not set is absent after a redirect, so that a URL's own password is sent")
    func crossOriginRedirectWithOtherHeaders() async throws {
        let target = try LoopbackServer(.ok())
        let source = try LoopbackServer(.redirect(to: "http://user:pass@127.0.0.1:\(target.port)/"))
        let configuration = URLSessionConfiguration.forTests
        configuration.httpAdditionalHeaders = ["X-Other": "kept"]
        let fields = Monitor<[String: String]?>(nil)
        let delegate = SessionDelegate { request in
            fields.withLock { $0 = request.allHTTPHeaderFields }
            return request
        }
        let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        _ = try await APIForm.all[0](source.url(), headers: ["Authorization": "secret"], in: session).get()
        #expect(fields.value == [:])
        #expect(target.requests.map { $0.header("Authorization") } == ["Basic dXNlcjpwYXNz"])
    }

    @Test("Credentials follow a redirect within an origin", arguments: APIForm.all)
    func sameOriginRedirect(_ form: APIForm) async throws {
        let server = try LoopbackServer(["/": .redirect(to: "/there"), "/there": .ok("there")])
        let headers = ["Authorization": "secret", "Cookie": "secret", "Proxy-Authorization": "secret"]
        _ = try await form(server.url(), headers: headers).get()
        let request = try #require(server.requests.last)
        for (name, value) in headers { #expect(request.header(name) == value) }
        #expect(request.path == "/there")
    }

    @Test("The user and password of a URL do not follow to another origin", arguments: [true, false])
    func userInfo(withScheme: Bool) async throws {
        let target = try LoopbackServer(.ok())
        let source = try LoopbackServer(.redirect(to: (withScheme ? "http:" : "") + "//127.0.0.1:\(target.port)/"))
        let url = try #require(URL(string: "http://user:pass@127.0.0.1:\(source.port)/"))
        _ = try await APIForm.all[0](url).get()
        #expect(source.requests.first?.header("Authorization") == "Basic dXNlcjpwYXNz")
        #expect(target.requests.map { $0.header("Authorization") } == [nil])
    }

    @Test("A user and password that a redirect names are sent, whatever those of the first URL are")
    func userInfoOfLocation() async throws {
        let target = try LoopbackServer(.ok())
        let source = try LoopbackServer(.redirect(to: "http://other:word@127.0.0.1:\(target.port)/"))
        let url = try #require(URL(string: "http://user:pass@127.0.0.1:\(source.port)/"))
        _ = try await APIForm.all[0](url).get()
        #expect(target.requests.map { $0.header("Authorization") } == ["Basic b3RoZXI6d29yZA=="])
    }

    @Test("A redirected request has the cookies stored for its own origin", arguments: APIForm.all)
    func storedCookies(_ form: APIForm) async throws {
        let target = try LoopbackServer(.ok())
        let source = try LoopbackServer(.redirect(to: "http://localhost:\(target.port)/"))
        let configuration = URLSessionConfiguration.forTests
        for (domain, value) in [("127.0.0.1", "source"), ("localhost", "target")] {
            let cookie = HTTPCookie(properties: [.domain: domain, .path: "/", .name: "from", .value: value])
            configuration.httpCookieStorage?.setCookie(try #require(cookie))
        }
        _ = try await form(source.url(), in: URLSession(configuration: configuration)).get()
        #expect(source.requests.map { $0.header("Cookie") } == ["from=source"])
        #expect(target.requests.map { $0.header("Cookie") } == ["from=target"])
    }

    @Test("A session that is not to send cookies sends none after a redirect either")
    func noCookies() async throws {
        let target = try LoopbackServer(.ok())
        let source = try LoopbackServer(.redirect(to: target.origin))
        let configuration = URLSessionConfiguration.forTests
        configuration.httpShouldSetCookies = false
        let cookie = HTTPCookie(properties: [.domain: "127.0.0.1", .path: "/", .name: "a", .value: "b"])
        configuration.httpCookieStorage?.setCookie(try #require(cookie))
        _ = try await APIForm.all[0](source.url(), in: URLSession(configuration: configuration)).get()
        #expect((source.requests + target.requests).map { $0.header("Cookie") } == [nil, nil])
    }

    @Test("A redirect that waits for the delegate queue longer than the timeout is a timeout")
    func timeoutDuringRedirect() async throws {
        let server = try LoopbackServer(["/": .redirect(to: "/there"), "/there": .ok()])
        let clock = try SilentClock()
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let session = URLSession(configuration: .forTests, delegate: nil, delegateQueue: queue)
        var request = URLRequest(url: server.url())
        request.timeoutInterval = 1
        let result: DataResult = await withCheckedContinuation { continuation in
            let task = session.dataTask(with: request) { continuation.resume(returning: $0) }
            queue.addOperation { clock.wait(seconds: 3) }
            task.resume()
        }
        #expect(result.error?.urlError?.code == .timedOut)
    }

    @Test("A download that is there when its session is invalidated leaves no temporary file")
    func lateFile() throws {
        let session = URLSession(configuration: .forTests)
        defer { session.invalidateAndCancel() }
        let request = URLRequest(url: URL(fileURLWithPath: "/"))
        let outcomes = Monitor<[TaskOutcome]>([])
        let transfer = Transfer(session: session, request: request, kind: .download) { outcome in
            outcomes.withLock { $0.append(outcome) }
        }
        let task = session.dataTask(with: request)
        _ = transfer.state.withLock { $0.resume(task, countingWith: nil) }
        let transaction = try Transaction(
            sending: PreparedRequest(request, .download), as: request, by: .innerSession, for: transfer,
            CallersDownloadTask(transfer))
        _ = transfer.state.withLock { $0.begin(transaction) }
        transaction.receive(Data("first".utf8))
        let file = try #require(transaction.state.withLock { $0.received.file }).url
        // The task that ties this one to the session ends first, as it can on a queue that runs several operations.
        transfer.end(with: TaskOutcome(error: URLError(.cancelled)))
        session.delegateQueue.waitUntilAllOperationsAreFinished()
        transaction.receive(Data("second".utf8))
        transaction.ended(with: nil)
        session.delegateQueue.waitUntilAllOperationsAreFinished()
        // A piece or an end that was on its way makes no file, either.
        transaction.receive(Data("third".utf8))
        #expect(!FileManager.default.fileExists(atPath: file.path))
        #expect(outcomes.value.map { ($0.error as? URLError)?.code } == [.cancelled])
    }

    @Test("A piece that arrives after the load was stopped is not kept")
    func lateData() throws {
        let session = URLSession(configuration: .forTests)
        defer { session.invalidateAndCancel() }
        let request = URLRequest(url: URL(fileURLWithPath: "/"))
        let transfer = Transfer(session: session, request: request, kind: .data) { _ in }
        let transaction = try Transaction(
            sending: PreparedRequest(request, .data), as: request, by: .innerSession, for: transfer,
            CallersDataTask(transfer))
        transaction.receive(Data("kept".utf8))
        transaction.stop()
        transaction.receive(Data("late".utf8))
        #expect(transaction.state.withLock { $0.received.data } == Data("kept".utf8))
    }

    @Test("A first piece of a download that is on its way at the end leaves no temporary file")
    func lateFirstPiece() throws {
        let session = URLSession(configuration: .forTests)
        defer { session.invalidateAndCancel() }
        let request = URLRequest(url: URL(fileURLWithPath: "/"))
        var dependencies = TransferDependencies()
        let files = Monitor<[URL]>([])
        dependencies.makeFile = {
            let file = try DownloadedFile()
            files.withLock { $0.append(file.url) }
            return file
        }
        let transfer = Transfer(session: session, request: request, kind: .download, dependencies: dependencies) { _ in
        }
        let transaction = try Transaction(
            sending: PreparedRequest(request, .download), as: request, by: .innerSession, for: transfer,
            CallersDownloadTask(transfer))
        transaction.removeFile()
        transaction.receive(Data("first".utf8))
        #expect(throws: URLError.self) { try transaction.state.withLock { try $0.received.fileToWrite() } }
        #expect(files.value.allSatisfy { !FileManager.default.fileExists(atPath: $0.path) })
    }

    // MARK: Challenges of other protocols, and body streams

    @Test("A challenge that comes without a response is a transport error")
    func challengeWithoutResponse() async throws {
        let url = try #require(URL(string: "http://example.com/"))
        let configuration = URLSessionConfiguration.forTests
        configuration.protocolClasses = [Asking.self]
        let result = await URLSession(configuration: configuration).dataResult(from: url)
        #expect(result.error?.urlError?.code == .userAuthenticationRequired)
    }

    /// FoundationNetworking asks only about Basic, and ends the process when another scheme is given a credential.
    @Test("A protocol that asks about Digest is a server error")
    func digest() async throws {
        let url = try #require(URL(string: "http://example.com/digest"))
        let configuration = URLSessionConfiguration.forTests
        configuration.protocolClasses = [Asking.self]
        let credential = URLCredential(user: "user", password: "pass", persistence: .none)
        let delegate = SessionDelegate(challenge: (.useCredential, credential))
        let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        #expect(await session.dataResult(from: url).error?.statusCode == 401)
    }

    /// FoundationNetworking's task never ends, and a stream crashed.
    @Test(
        "A malformed data URL is a bad URL", arguments: APIForm.all,
        ["data:;base64,####", "data:", "data:no-comma", "data:text/plain;base64,="])
    func malformedDataURL(_ form: APIForm, address: String) async throws {
        let url = try #require(URL(string: address))
        let error = try #require(await form(url).error?.urlError)
        #expect(error.code == .badURL)
        #expect(error.failingURL?.absoluteString == url.absoluteString)
    }

    @Test("A task for a malformed data URL calls its handler once, and its session ends")
    func malformedDataURLByHandler() async throws {
        let end = SessionEnd()
        let session = URLSession(configuration: .forTests, delegate: end, delegateQueue: nil)
        let url = try #require(URL(string: "data:;base64,####"))
        let calls = Monitor(0)
        session.dataTask(with: url) { (_: DataResult) in calls.withLock { $0 += 1 } }.resume()
        try await end.follows(session)
        #expect(calls.value == 1)
    }
}

/// Asks for a credential before it has asked any server, or as if a server wanted Digest.
private final class Asking: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let digestURL = request.url.flatMap { $0.path == "/digest" ? $0 : nil }
        let space = URLProtectionSpace(
            host: "example.com", port: 80, protocol: "http", realm: "x",
            authenticationMethod: digestURL == nil
                ? NSURLAuthenticationMethodHTTPBasic : NSURLAuthenticationMethodHTTPDigest)
        let response = digestURL.flatMap {
            HTTPURLResponse(url: $0, statusCode: 401, httpVersion: nil, headerFields: nil)
        }
        let challenge = URLAuthenticationChallenge(
            protectionSpace: space, proposedCredential: nil, previousFailureCount: 0, failureResponse: response,
            error: nil, sender: SilentSender())
        client?.urlProtocol(self, didReceive: challenge)
    }

    override func stopLoading() {}
}

/// Notes when its session is invalid.
private final class SessionEndNote: NSObject, URLSessionDelegate {
    private let calls: Monitor<[String]>

    init(in calls: Monitor<[String]>) { self.calls = calls }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        calls.withLock { $0.append("invalid") }
    }
}

/// Has a password for every server, and keeps none.
private final class Vault: URLCredentialStorage, @unchecked Sendable {  // Sendable because nothing is changed.
    private let password: String

    init(password: String) {
        self.password = password
        super.init()
    }

    override func credentials(for space: URLProtectionSpace) -> [String: URLCredential]? {
        ["user": URLCredential(user: "user", password: password, persistence: .forSession)]
    }
}

/// Answers the first challenge alone.
private final class CredentialOnce: NSObject, URLSessionTaskDelegate {
    private let answers: Monitor<Int>

    init(_ answers: Monitor<Int>) { self.answers = answers }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let count = answers.withLock { count in
            count += 1
            return count
        }
        let credential = URLCredential(user: "user", password: "wrong", persistence: .forSession)
        completionHandler(count == 1 ? .useCredential : .performDefaultHandling, credential)
    }
}

extension URLSession {
    /// A session that has a credential for a server.
    fileprivate static func storing(
        password: String, for server: LoopbackServer
    ) -> URLSession {
        storing(
            password: password,
            for: URLProtectionSpace(
                host: "127.0.0.1", port: Int(server.port), protocol: "http", realm: "x",
                authenticationMethod: NSURLAuthenticationMethodHTTPBasic))
    }

    /// A session that has a credential for a protection space.
    fileprivate static func storing(password: String, for space: URLProtectionSpace) -> URLSession {
        let credential = URLCredential(user: "user", password: password, persistence: .forSession)
        let configuration = URLSessionConfiguration.forTests
        configuration.urlCredentialStorage = URLCredentialStorage()
        configuration.urlCredentialStorage?.set(credential, for: space)
        return URLSession(configuration: configuration)
    }
}

private final class PasswordDelegate: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.useCredential, URLCredential(user: "joni", password: "blue", persistence: .none))
    }
}

#endif
