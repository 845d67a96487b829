#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import URLSessionResultTransport
@testable import TestSupport

/// A redirect fetches what a browser would fetch, and takes along no more than a browser would.
@Suite(.inTurn)
struct RedirectTests {
    /// A form of `Location`, and what is requested when `/a/b/c` sends it.
    struct Location: CustomTestStringConvertible {
        let value: @Sendable (LoopbackServer.Request) -> String
        let target: String
        let testDescription: String

        private init(_ name: String, _ target: String, _ value: @escaping @Sendable (LoopbackServer.Request) -> String)
        {
            self.value = value
            self.target = target
            testDescription = name
        }

        private init(_ location: String, _ target: String) {
            self.init(location, target) { _ in location }
        }

        static let all = [
            Location("sibling", "/a/b/sibling"),
            Location("../up", "/a/up"),
            Location("./", "/a/b/"),
            Location("?q=1", "/a/b/c?q=1"),
            Location("/a%2Fb", "/a%2Fb"),
            Location("/two words/gr\u{FC}n", "/two%20words/gr%C3%BCn"),
            Location("an absolute URL", "/there?q=%26") { "http://\($0.header("Host") ?? "")/there?q=%26" },
            Location("//host", "/there") { "//\($0.header("Host") ?? "")/there" },
        ]
    }

    @Test("Every form of Location leads where a browser would go", arguments: APIForm.all, Location.all)
    func location(_ form: APIForm, _ location: Location) async throws {
        let server = try LoopbackServer { request, connection in
            if request.target == "/a/b/c" {
                try connection.respond(302, headers: ["Location": location.value(request)])
            } else {
                try connection.respond(body: request.target)
            }
        }
        let body = try await form(server.url("/a/b/c")).get()
        #expect(server.requests.map(\.target) == ["/a/b/c", location.target])
        if form.givesBody { #expect(String(decoding: body, as: UTF8.self) == location.target) }
    }

    @Test("Escapes stay in a Location, and blanks behind it go", arguments: APIForm.some)
    func escapesAndBlanks(_ form: APIForm) async throws {
        for (location, path) in [("/target b%20c", "/target%20b%20c"), ("/target \t", "/target")] {
            let server = try LoopbackServer(.redirect(to: location, then: .ok("there")))
            #expect(try await form(server.url()).get() == Data(form.givesBody ? "there".utf8 : "".utf8))
            #expect(server.requests.last?.target == path)
        }
    }

    @Test(
        "A redirect that is not followed is a success if its code is accepted, also of a download",
        arguments: APIForm.all, ["/stopped", "http://[", "ht tp://x"])
    func acceptedRedirect(_ form: APIForm, location: String) async throws {
        let server = try LoopbackServer(.redirect(to: location))
        let session = SessionDelegate(redirect: { _ in nil }).session()
        let body = try await form(server.url(), in: session, accepting: 300..<400).get()
        #expect(String(decoding: body, as: UTF8.self) == (form.givesBody ? "moved" : ""))
        #expect(server.requests.count == 1)
    }

    @Test("The body of a redirect that the delegate stops is whole", arguments: APIForm.some, [5, 3_000_000])
    func wholeBody(_ form: APIForm, length: Int) async throws {
        let body = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 / 1_000) })
        let server = try LoopbackServer(.status(302, body, headers: ["Location": "/target"]))
        // The first bytes come before the answer, and the others behind it.
        let session = URLSession(configuration: .forTests, delegate: SlowDelegate(), delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        // Not both in the message: they are long.
        let isWhole =
            try await form(server.url(), in: session, accepting: 300..<400).get() == (form.givesBody ? body : Data())
        #expect(isWhole)
    }

    @Test("The error of a redirect that the delegate stops has its body", arguments: APIForm.some, [5, 3_000_000])
    func stopped(_ form: APIForm, length: Int) async throws {
        let body = Data.blocks(1, ofSize: length)
        let server = try LoopbackServer(.status(302, body, headers: ["Location": "/target"]))
        let error = await form(server.url(), in: SessionDelegate(redirect: { _ in nil }).session()).error
        let response = try #require(error?.response)
        #expect(response.statusCode == 302)
        #expect(response.header("Location") == "/target")
        #expect(length == 5 ? response.body == body : !response.body.isEmpty)
    }

    @Test("A redirect that the delegate stops stores its cookies once", arguments: APIForm.some, [5, 3_000_000])
    func cookiesOnce(_ form: APIForm, length: Int) async throws {
        let body = Data.blocks(1, ofSize: length)
        let server = try LoopbackServer(
            .status(302, body, headers: ["Location": "/target", "Set-Cookie": "a=b; Path=/"]))
        let configuration = URLSessionConfiguration.forTests
        let storage = try #require(configuration.httpCookieStorage)
        let delegate = SessionDelegate(redirect: { _ in
            storage.cookies?.forEach(storage.deleteCookie)
            return nil
        })
        #expect(await form(server.url(), in: delegate.session(with: configuration)).error?.statusCode == 302)
        #expect(storage.cookies == [])
    }

    @Test("A redirect that the delegate stops does not keep its session")
    func released() async throws {
        let server = try LoopbackServer(.redirect(to: "/target"))
        let error = await APIForm.all[0](server.url(), in: SessionDelegate(redirect: { _ in nil }).session()).error
        #expect(error?.statusCode == 302)
        try await server.connectionsClosed()
    }

    @Test(
        "A redirect is followed when its head has come, whatever becomes of its body",
        arguments: APIForm.all, ["", "m", String(repeating: "m", count: 100_000)])
    func unfinished(_ form: APIForm, body: String) async throws {
        let head = "HTTP/1.1 302 Found\r\nLocation: /target\r\nContent-Length: 3000000\r\n\r\n"
        for response in [
            LoopbackServer.Response.stalled(after: head + body), .raw(head + body), .reset(after: head + body),
        ] {
            let target = LoopbackServer.Response.ok("there", headers: ["Connection": "close"])
            let server = try LoopbackServer(["/": response, "/target": target])
            let there = try await form(server.url()).get()
            #expect(String(decoding: there, as: UTF8.self) == (form.givesBody ? "there" : ""))
            try await server.connectionsClosed()
        }
    }

    @Test("A stream that is redirected no further does not wait for the end of the body")
    func stoppedStream() async throws {
        let head = "HTTP/1.1 302 Found\r\nLocation: /target\r\nContent-Length: 9\r\n\r\nmoved"
        let server = try LoopbackServer(.stalled(after: head))
        let configuration = URLSessionConfiguration.ephemeral
        // No timeout ends it.
        configuration.timeoutIntervalForRequest = 3_600
        let session = SessionDelegate(redirect: { _ in nil }).session(with: configuration)
        let error = try #require(await session.bytesResult(from: server.url()).error)
        #expect(error.statusCode == 302)
        #expect(error.response?.body == Data("moved".utf8))
    }

    @Test("A redirect whose body comes with its head keeps its connection", arguments: APIForm.some)
    func keptConnection(_ form: APIForm) async throws {
        let server = try LoopbackServer { request, connection in
            if request.path == "/target" { return try connection.respond() }
            try connection.send("HTTP/1.1 302 Found\r\nLocation: /target\r\nContent-Length: 5\r\n\r\nmoved")
        }
        let session = URLSession(configuration: .forTests)
        _ = try await form.run(session, URLRequest(url: server.url(), method: form.uploads ? .put : .get)).get()
        #expect(server.requests.count == 2)
        #expect(server.connectionCounts.accepted == 1)
    }

    @Test(
        "A redirect changes the method as RFC 9110 says",
        arguments: [
            ("GET", 301, "GET"), ("GET", 302, "GET"), ("GET", 303, "GET"), ("GET", 307, "GET"), ("GET", 308, "GET"),
            ("HEAD", 301, "HEAD"), ("HEAD", 302, "HEAD"), ("HEAD", 303, "HEAD"), ("HEAD", 307, "HEAD"),
            ("HEAD", 308, "HEAD"), ("POST", 301, "GET"), ("POST", 302, "GET"), ("POST", 303, "GET"),
            ("PUT", 303, "GET"), ("DELETE", 302, "DELETE"), ("DELETE", 303, "GET"), ("DELETE", 307, "DELETE"),
        ], [false, true])
    func method(_ row: (sent: String, status: Int, redirected: String), reportsProgress: Bool) async throws {
        let server = try LoopbackServer(["/": .redirect(to: "/there", status: row.status), "/there": .ok()])
        let methods = try await requests(of: row.sent, to: server, reportsProgress: reportsProgress).map(\.method)
        #expect(methods == [row.sent, row.redirected])
    }

    @Test("A request that becomes a GET loses its body and the fields that describe it", arguments: [301, 302, 303])
    func fieldsOfBody(status: Int) async throws {
        let fields = [
            "Content-Type": "text/plain", "content-language": "en", "Content-Encoding": "identity",
            "Content-Location": "/x", "Digest": "x", "Last-Modified": "x", "X-Other": "kept",
        ]
        let server = try LoopbackServer(["/": .redirect(to: "/there", status: status), "/there": .ok()])
        var request = URLRequest(url: server.url(), method: .post)
        request.allHTTPHeaderFields = fields
        request.httpBody = Data("sent".utf8)
        let session = URLSession(configuration: .forTests)
        defer { session.finishTasksAndInvalidate() }
        _ = try await session.dataResult(for: request).get()
        let redirected = try #require(server.requests.last)
        #expect(redirected.body.isEmpty)
        for name in fields.keys { #expect(redirected.header(name) == (name == "X-Other" ? "kept" : nil)) }
        #expect(redirected.header("Content-Length") == nil)
    }

    /// An answer could meet a timeout or a cancellation, and crash.
    @Test("FoundationNetworking gets no answer that makes it send a request", arguments: [false, true])
    func unanswered(isChallenge: Bool) async throws {
        let session = URLSession(configuration: .forTests)
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        let request = URLRequest(url: url)
        let (outcomes, continuation) = AsyncStream<TaskOutcome>.makeStream()
        let transactions = Monitor<[Transaction]>([])
        var dependencies = TransferDependencies()
        dependencies.isListed = false
        dependencies.makeLoad = { _, _, transaction in
            transactions.withLock { $0.append(transaction) }
            return IdleLoad()
        }
        let transfer = Transfer(session: session, request: request, kind: .data, dependencies: dependencies) {
            continuation.yield($0)
        }
        let task = CallersDataTask(transfer)
        task.resume()
        let transaction = try #require(transactions.value.first)
        let answers = Monitor(0)
        let response = try #require(
            HTTPURLResponse(
                url: url, statusCode: isChallenge ? 401 : 302, httpVersion: nil,
                headerFields: ["Location": "ftp://127.0.0.1/"]))
        if isChallenge {
            let challenge = URLAuthenticationChallenge(
                protectionSpace: URLProtectionSpace(
                    host: "127.0.0.1", port: 1, protocol: "http", realm: nil, authenticationMethod: nil),
                proposedCredential: nil, previousFailureCount: 0, failureResponse: response, error: nil,
                sender: SilentSender())
            transaction.urlSession(session, task: task, didReceive: challenge) { _, _ in answers.withLock { $0 += 1 } }
        } else {
            transaction.urlSession(session, task: task, willPerformHTTPRedirection: response, newRequest: request) {
                _ in
                answers.withLock { $0 += 1 }
            }
        }
        let outcome = await outcomes.first { _ in true }
        transactions.withLock { $0 = [] }
        #expect(isChallenge == (outcome?.error == nil))
        #expect(answers.value == 0)
    }

    @Test("A delegate that answers a redirect twice is heard once")
    func twoAnswers() async throws {
        let server = try LoopbackServer(.redirect(to: "/target", then: .ok("there")))
        let session = URLSession(configuration: .forTests, delegate: AnsweringTwice(), delegateQueue: nil)
        #expect(try await session.dataResult(from: server.url()).get() == Data("there".utf8))
        session.finishTasksAndInvalidate()
        #expect(server.requests.map(\.target) == ["/", "/target"])
    }

    /// FoundationNetworking crashes if a timeout is no finite number, and one below a second fires at once.
    @Test(
        "A delegate may set the timeout and the body of the redirected request, and its first answer counts",
        arguments: APIForm.some, [TimeInterval.infinity, .nan, 59.5])
    func changedRequest(_ form: APIForm, timeout: TimeInterval) async throws {
        for count in [1, 16] {
            let server = try LoopbackServer(.redirect(to: "/target", status: 307, then: .ok("there")))
            for isOfSession in [true, false] {
                let delegate = ChangingRequest(timeout: timeout)
                let session = URLSession(
                    configuration: .forTests, delegate: isOfSession ? delegate : nil, delegateQueue: nil)
                defer { session.finishTasksAndInvalidate() }
                guard isOfSession else {
                    let request = URLRequest(url: server.url(), method: .post)
                    let result = await session.uploadResult(for: request, from: Data("old".utf8), delegate: delegate)
                    #expect(try result.get() == Data("there".utf8))
                    continue
                }
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<count {
                        group.addTask {
                            let request = URLRequest(url: server.url(), method: .post)
                            let result = await form.run(session, request)
                            #expect(result.error == nil, "\(result)")
                        }
                    }
                }
            }
            let bodies = server.requests.filter { $0.target == "/target" }.map(\.body)
            #expect(bodies == Array(repeating: Data("new".utf8), count: count + 1))
            #expect(!server.requests.contains { $0.target == "/second" })
        }
    }

    @Test(
        "A redirect to anything but HTTP is an unsupported URL, and nothing is read",
        arguments: [
            "ftp://127.0.0.1:1/", "file:///etc/hostname", "data:,hello", "mailto:a@example.org", "x:y", "ws://a/",
        ],
        APIForm.some)
    func otherScheme(location: String, _ form: APIForm) async throws {
        let server = try LoopbackServer(.redirect(to: location))
        let error = try #require(await form(server.url()).error?.urlError)
        #expect(error.code == .unsupportedURL)
        #expect(error.failingURL?.absoluteString == location)
    }

    @Test("A redirect may lead to a URL that a protocol of the caller loads")
    func callersProtocol() async throws {
        let server = try LoopbackServer(.redirect(to: "http://greeting.invalid/"))
        let configuration = URLSessionConfiguration.forTests
        configuration.protocolClasses = [Greeting.self] + (configuration.protocolClasses ?? [])
        for form in APIForm.some where !form.uploads {
            let result = await form(server.url(), in: URLSession(configuration: configuration))
            #expect("\(result)" == "success(5 bytes)")
        }
    }

    /// A value no one else should see, and how it gets into a request.
    struct Credential: CustomTestStringConvertible {
        let testDescription: String
        var headers: [String: String] = [:]
        var configuredHeaders: [String: String] = [:]
        var userInfo = ""

        static let all = [
            Credential(testDescription: "Authorization", headers: ["Authorization": secret]),
            Credential(testDescription: "authorization", headers: ["authorization": secret]),
            Credential(testDescription: "AUTHORIZATION", headers: ["AUTHORIZATION": secret]),
            Credential(
                testDescription: "Authorization, twice", headers: ["Authorization": secret, "authorization": secret]),
            Credential(
                testDescription: "Authorization, three times",
                headers: ["Authorization": secret, "authorization": secret, "aUTHORIZATION": secret]),
            Credential(testDescription: "Cookie", headers: ["Cookie": secret]),
            Credential(testDescription: "Cookie, twice", headers: ["Cookie": secret, "cookie": secret]),
            Credential(testDescription: "Proxy-Authorization", headers: ["Proxy-Authorization": secret]),
            Credential(
                testDescription: "Proxy-Authorization, twice",
                headers: ["Proxy-Authorization": secret, "proxy-authorization": secret]),
            Credential(testDescription: "configured Authorization", configuredHeaders: ["Authorization": secret]),
            Credential(testDescription: "configured cookie", configuredHeaders: ["cookie": secret]),
            Credential(
                testDescription: "Authorization and configured authorization", headers: ["Authorization": secret],
                configuredHeaders: ["authorization": secret]),
            Credential(testDescription: "user and password", userInfo: "user:\(secret)@"),
            Credential(testDescription: "user and password in Latin-1", userInfo: "m%FCller:\(secret)%FC@"),
            Credential(testDescription: "a password alone", userInfo: ":\(secret)@"),
        ]

        static let secret = "secret"
    }

    @Test("No credential follows to another origin, in 20 requests", arguments: Credential.all)
    func credential(_ credential: Credential) async throws {
        let target = try LoopbackServer(.ok())
        let source = try LoopbackServer { request, connection in
            let scheme = request.target == "/scheme" ? "http:" : ""
            try connection.respond(302, headers: ["Location": "\(scheme)//127.0.0.1:\(target.port)/"])
        }
        let configuration = URLSessionConfiguration.forTests
        configuration.httpAdditionalHeaders = credential.configuredHeaders
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        for attempt in 1...20 {
            let path = attempt.isMultiple(of: 2) ? "/scheme" : "/"
            let url = try #require(URL(string: "http://\(credential.userInfo)127.0.0.1:\(source.port)\(path)"))
            var request = URLRequest(url: url)
            request.allHTTPHeaderFields = credential.headers
            _ = try await session.dataResult(for: request).get()
        }
        #expect(target.requests.count == 20)
        for field in target.requests.flatMap(\.headers) {
            let isCredential = ["authorization", "cookie", "proxy-authorization"].contains(field.name.lowercased())
            #expect(!isCredential && !field.value.contains(Credential.secret), "\(field)")
        }
        for request in source.requests {
            #expect(request.headers.contains { $0.value.contains("secret") || $0.value.hasPrefix("Basic ") })
        }
    }

    @Test(
        "No credential reaches another origin after any redirects and challenges, nor does the answer to a challenge",
        arguments: ResponseChain.all,
        Credential.all)
    func credentialAfterChain(_ chain: ResponseChain, _ credential: Credential) async throws {
        let forms: [APIForm] = [.dataTask, .uploadResultWithProgress, .bytesResult]
        for transport in LoopbackServer.Transport.trusted {
            let target = try LoopbackServer(.ok(), over: transport)
            let source = try LoopbackServer(
                chain.response(ending: .redirect(to: target.origin, status: 307)), over: transport)
            let configuration = URLSessionConfiguration.forTests
            configuration.httpAdditionalHeaders = credential.configuredHeaders
            let delegate = SessionDelegate(challenge: (.useCredential, ResponseChain.credential))
            let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
            defer { session.finishTasksAndInvalidate() }
            let origin = "\(transport.scheme)://\(credential.userInfo)127.0.0.1:\(source.port)"
            for form in forms {
                var request = URLRequest(
                    url: try #require(URL(string: "\(origin)/0")), method: form.uploads ? .post : .get)
                request.allHTTPHeaderFields = credential.headers
                _ = try await form.run(session, request, 200..<300).get()
            }
            #expect(target.requests.count == forms.count)
            for field in target.requests.flatMap(\.headers) {
                let isCredential = ["authorization", "cookie", "proxy-authorization"].contains(field.name.lowercased())
                #expect(!isCredential && !field.value.contains(Credential.secret), "\(field)")
            }
        }
    }

    @Test(
        "A Host field that the request or the session has does not follow to another origin", arguments: [false, true])
    func host(isOfSession: Bool) async throws {
        let target = try LoopbackServer(.ok())
        let source = try LoopbackServer(.redirect(to: target.origin))
        let configuration = URLSessionConfiguration.forTests
        if isOfSession { configuration.httpAdditionalHeaders = ["Host": "example.com"] }
        var request = URLRequest(url: source.url())
        if !isOfSession { request.setValue("example.com", forHTTPHeaderField: "Host") }
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        _ = try await session.dataResult(for: request).get()
        #expect(source.requests.map { $0.header("Host") } == ["example.com"])
        #expect(target.requests.map { $0.header("Host") } == ["127.0.0.1:\(target.port)"])
    }

    @Test("An unknown host after a redirect is named", arguments: APIForm.all)
    func unknownHost(_ form: APIForm) async throws {
        let server = try LoopbackServer(.redirect(to: "http://unknown.invalid/x"))
        let error = try #require(await form(server.url()).error)
        #expect(error.urlError?.code == .cannotFindHost)
        #expect(error.urlError?.failingURL?.absoluteString == "http://unknown.invalid/x")
        #expect(error.localizedDescription.contains("unknown.invalid"))
    }

    /// Sends a request with a body where the method has one, and gives what the server received.
    private func requests(
        of method: String, to server: LoopbackServer, reportsProgress: Bool
    ) async throws -> [LoopbackServer.Request] {
        var request = URLRequest(url: server.url())
        request.httpMethod = method
        if ["POST", "PUT"].contains(method) { request.httpBody = Data("sent".utf8) }
        let session = URLSession(configuration: .forTests)
        defer { session.finishTasksAndInvalidate() }
        let result: DataResult = await session.dataResult(for: request, progress: reportsProgress ? ignored : nil)
        _ = try result.get()
        return server.requests
    }
}

/// A session's delegate with an error.
private final class AnsweringTwice: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(request)
        completionHandler(request)
    }
}

/// Changes the redirected request, and answers once more with another one.
private final class ChangingRequest: NSObject, URLSessionTaskDelegate {
    private let timeout: TimeInterval

    init(timeout: TimeInterval) { self.timeout = timeout }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        var request = newRequest
        request.timeoutInterval = timeout
        request.httpBody = Data("new".utf8)
        completionHandler(request)
        request.url = URL(string: "/second", relativeTo: response.url)
        completionHandler(request)
    }
}

/// Answers for a host that does not exist.
private final class Greeting: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { request.url?.host == "greeting.invalid" }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url else { return }
        let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
        if let response { client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed) }
        client?.urlProtocol(self, didLoad: Data("hello".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}

/// Stops a redirect when the first bytes of its body have come.
private final class SlowDelegate: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        while task.countOfBytesReceived == 0 { _ = sched_yield() }
        completionHandler(nil)
    }
}

#endif
