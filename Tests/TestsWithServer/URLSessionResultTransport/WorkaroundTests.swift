#if os(Linux)

import Foundation
import Testing

@testable import URLSessionResult
@testable import URLSessionResultTransport
@testable import TestSupport

/// What `URLSession` alone does wrong, and so why the library has a workaround.
///
/// docs/Workarounds.md names these tests. Where one fails, a workaround may go: see docs/Maintaining.md, "Retire a
/// workaround". What takes HTTP/2 or much luck has no test here, for example the crash of a late cancellation.
@Suite(.inTurn, .limit(until: .swift6_4))
struct WorkaroundTests {
    // MARK: Redirects

    @Test("A relative location is taken from the root")
    func relativeLocation() async throws {
        let server = try LoopbackServer(["/a/b": .redirect(to: "c"), "/a/c": .ok("right"), "/c": .ok("wrong")])
        #expect(await load(server.url("/a/b")).data == Data("wrong".utf8))
    }

    @Test("Escapes in a Location are escaped again", .limit(until: .swift6_3_2))
    func escapesInLocation() async throws {
        let server = try LoopbackServer(.redirect(to: "/target b%20c", then: .ok()))
        _ = await load(server.url())
        #expect(server.requests.last?.target == "/target%20b%2520c")
    }

    @Test("A blank behind a Location is part of it")
    func blankInLocation() async throws {
        let server = try LoopbackServer(.redirect(to: "/target ", then: .ok()))
        _ = await load(server.url())
        #expect(server.requests.last?.target == "/target%20")
    }

    @Test("A HEAD becomes a GET after a 303")
    func headAfterRedirect() async throws {
        let server = try LoopbackServer(.redirect(to: "/target", status: 303, then: .ok()))
        _ = await load(URLRequest(url: server.url(), method: .head))
        #expect(server.requests.map(\.method) == ["HEAD", "GET"])
    }

    @Test("A POST that becomes a GET keeps the fields that describe its body")
    func fieldsOfBody() async throws {
        let server = try LoopbackServer(.redirect(to: "/target", status: 303, then: .ok()))
        var request = URLRequest(url: server.url(), method: .post)
        request.httpBody = Data("body".utf8)
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        _ = await load(request)
        #expect(server.requests.map(\.method) == ["POST", "GET"])
        #expect(server.requests.last?.header("Content-Type") == "text/plain")
    }

    @Test("A request is repeated without its body", arguments: [HTTPMethod.post, .put])
    func bodyAfterRedirect(method: HTTPMethod) async throws {
        let server = try LoopbackServer(.redirect(to: "/target", status: 307, then: .ok()))
        var request = URLRequest(url: server.url(), method: method)
        request.httpBody = Data("body".utf8)
        _ = await load(request)
        #expect(server.requests.map(\.body) == [Data("body".utf8), Data()])
    }

    @Test(
        "Credentials and cookies go to another origin", arguments: ["Authorization", "Cookie", "Proxy-Authorization"])
    func credentialsAtOtherOrigin(field: String) async throws {
        let target = try LoopbackServer(.ok())
        let source = try LoopbackServer(.redirect(to: target.url().absoluteString))
        var request = URLRequest(url: source.url())
        request.setValue("secret", forHTTPHeaderField: field)
        _ = await load(request)
        #expect(target.requests.map { $0.header(field) } == ["secret"])
    }

    @Test("An error after a redirect names the first URL")
    func failingURL() async throws {
        let server = try LoopbackServer(.redirect(to: "/target", then: .closed))
        let error = await load(server.url("/first")).error as? URLError
        #expect(error?.failingURL?.path == "/first")
    }

    // MARK: Challenges

    @Test("A challenge that no credential answers never ends its task", .limit(until: .swift6_2))
    func unansweredChallenge() async throws {
        let server = try LoopbackServer(.challenge(#"Basic realm="x""#))
        let delegate = SessionDelegate()
        let session = delegate.session()
        let isOver = Monitor(false)
        let task = session.dataTask(with: server.url()) { _, _, _ in isOver.withLock { $0 = true } }
        task.delegate = delegate
        task.resume()
        try await delegate.challenges.value { $0 > 0 }
        // After the answer, the end of the task would be the next operation.
        await session.hasRunOperations()
        #expect(!isOver.value)
        session.invalidateAndCancel()
    }

    @Test("A delegate is asked for a credential only when the body of the challenge is whole")
    func lateChallenge() async throws {
        let mayEnd = Gate()
        let server = try LoopbackServer { _, connection in
            try connection.sendHead(401, headers: ["WWW-Authenticate": #"Basic realm="x""#], contentLength: 2)
            try connection.send("a")
            mayEnd.wait()
            try connection.send("b")
        }
        let delegate = DelegateOfChallenge { mayEnd.open() }
        let session = URLSession(configuration: .forTests, delegate: delegate, delegateQueue: nil)
        session.dataTask(with: server.url()).resume()
        let events = try await delegate.events.value { $0.contains("challenge") }
        #expect(events == ["data", "data", "challenge"])
        session.invalidateAndCancel()
    }

    @Test("A redirect after a challenge that was answered repeats the first request")
    func redirectAfterChallenge() async throws {
        let server = try LoopbackServer(ResponseChain(steps: [.challenge, .redirect]).response(ending: .ok()))
        let delegate = SessionDelegate(challenge: (.useCredential, ResponseChain.credential))
        let error = await load(server.url("/0"), delegate: delegate).error as? URLError
        #expect(error?.code == .httpTooManyRedirects)
        #expect(Set(server.requests.map(\.target)) == ["/0"])
    }

    @Test("The answer to a challenge after a redirect goes to the first origin")
    func credentialAfterRedirect() async throws {
        let target = try LoopbackServer(ResponseChain(steps: [.challenge]).response(ending: .ok()))
        let source = try LoopbackServer(.redirect(to: target.url().absoluteString))
        let delegate = SessionDelegate(challenge: (.useCredential, ResponseChain.credential))
        _ = await load(source.url(), delegate: delegate)
        #expect(source.requests.compactMap { $0.header("Authorization") } != [])
    }

    @Test("A body stream is empty after a challenge that was answered")
    func streamAfterChallenge() async throws {
        let server = try LoopbackServer(ResponseChain(steps: [.challenge]).response(ending: .ok()))
        var request = URLRequest(url: server.url("/0"), method: .post)
        request.httpBodyStream = InputStream(data: Data("sent".utf8))
        let delegate = SessionDelegate(challenge: (.useCredential, ResponseChain.credential))
        _ = await load(request, delegate: delegate)
        #expect(server.requests.map(\.body) == [Data("sent".utf8), Data()])
    }

    @Test("A stored credential is not found by an equal protection space")
    func storedCredential() async throws {
        let server = try LoopbackServer(ResponseChain(steps: [.challenge]).response(ending: .ok()))
        let configuration = URLSessionConfiguration.forTests
        let storage = URLCredentialStorage()
        configuration.urlCredentialStorage = storage
        let space = URLProtectionSpace(
            host: "127.0.0.1", port: Int(server.port), protocol: "http", realm: "x",
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        storage.set(URLCredential(user: "user", password: "pass", persistence: .forSession), for: space)
        let delegate = ProposalDelegate()
        let session = URLSession(configuration: configuration)
        _ = await load(URLRequest(url: server.url("/0")), in: session, delegate: delegate)
        #expect(delegate.proposedUsers.value == [nil])
    }

    @Test("A scheme in capitals is not supported")
    func capitals() async throws {
        let server = try LoopbackServer(.ok())
        let url = try #require(URL(string: "HTTP://127.0.0.1:\(server.port)/"))
        #expect((await load(url).error as? URLError)?.code == .unsupportedURL)
    }

    // MARK: Cookies

    @Test("Cookies go along whatever they are for", arguments: [("/", true), ("/other", false)])
    func wrongCookies(path: String, isSecure: Bool) async throws {
        let server = try LoopbackServer(.ok())
        let configuration = URLSessionConfiguration.forTests
        var properties: [HTTPCookiePropertyKey: Any] = [.domain: "127.0.0.1", .path: path, .name: "a", .value: "b"]
        properties[.secure] = isSecure ? "TRUE" : nil
        configuration.httpCookieStorage?.setCookie(try #require(HTTPCookie(properties: properties)))
        _ = await load(URLRequest(url: server.url("/path")), in: URLSession(configuration: configuration))
        #expect(server.requests.map { $0.header("Cookie") } == ["a=b"])
    }

    @Test(
        "An attribute of a cookie is ignored", arguments: ["a=b; Max-Age=0", "a=b; Path=/; Secure=true"])
    func attributes(field: String) async throws {
        let server = try await cookieServer(setting: field)
        #expect(server.requests.last?.header("Cookie") == "a=b")
    }

    @Test(
        "A cookie is accepted for a part of an IP address, and with a name that promises more than it holds",
        arguments: ["a=b; Domain=0.0.1", "__Host-a=b; Domain=127.0.0.1", "__Secure-a=b"])
    func wrongDomain(field: String) async throws {
        let server = try await cookieServer(setting: field)
        #expect(server.requests.last?.header("Cookie")?.hasSuffix("a=b") == true)
    }

    @Test("A cookie without a path is for all paths of its host")
    func defaultPath() async throws {
        let server = try await cookieServer(setting: "a=b", at: "/folder/file")
        #expect(server.requests.last?.header("Cookie") == "a=b")
    }

    @Test("A request that is not to handle cookies stores those of its response")
    func unhandledCookies() async throws {
        let server = try await cookieServer(setting: "a=b", areHandled: false)
        #expect(server.requests.last?.header("Cookie") == "a=b")
    }

    /// A server that has set a cookie, and has been asked for its root then.
    private func cookieServer(
        setting field: String, at path: String = "/", areHandled: Bool = true
    ) async throws -> LoopbackServer {
        let server = try LoopbackServer(.ok("", headers: ["Set-Cookie": field]))
        let configuration = URLSessionConfiguration.forTests
        var request = URLRequest(url: server.url(path))
        request.httpShouldHandleCookies = areHandled
        for request in [request, URLRequest(url: server.url())] {
            _ = await load(request, in: URLSession(configuration: configuration))
        }
        return server
    }

    // MARK: Timeouts

    @Test("A timeout that a request is made with is ignored")
    func timeoutOfInitializer() async throws {
        let gate = Gate()
        let server = try LoopbackServer(.ok("abc").once(gate))
        let configuration = URLSessionConfiguration.forTests
        configuration.timeoutIntervalForRequest = 1
        let request = URLRequest(url: server.url(), timeoutInterval: 300)
        async let outcome = load(request, in: URLSession(configuration: configuration))
        try await wait(seconds: 3)
        gate.open()
        #expect((await outcome.error as? URLError)?.code == .timedOut)
    }

    @Test("The timeout for the resource is ignored")
    func timeoutForResource() async throws {
        let gate = Gate()
        let server = try LoopbackServer(.ok("abc").once(gate))
        let configuration = URLSessionConfiguration.forTests
        configuration.timeoutIntervalForResource = 0.1
        async let outcome = load(URLRequest(url: server.url()), in: URLSession(configuration: configuration))
        try await wait(seconds: 1)
        gate.open()
        #expect(await outcome.data == Data("abc".utf8))
    }

    /// Waits for a request of another session, which times out.
    private func wait(seconds: TimeInterval) async throws {
        let server = try LoopbackServer(.silent)
        var request = URLRequest(url: server.url())
        request.timeoutInterval = seconds
        _ = await load(request)
    }

    // MARK: Waits

    // MARK: Tasks

    @Test("A task with a handler counts nothing")
    func progress() async throws {
        let server = try LoopbackServer(.ok("abc"))
        let session = URLSession(configuration: .forTests)
        let task = Monitor<URLSessionTask?>(nil)
        await withCheckedContinuation { continuation in
            let dataTask = session.dataTask(with: server.url()) { _, _, _ in continuation.resume() }
            task.withLock { $0 = dataTask }
            dataTask.resume()
        }
        #expect(task.value?.countOfBytesReceived == 0)
        session.finishTasksAndInvalidate()
    }

    @Test("A task that is suspended and resumed sends its request again")
    func suspendedTask() async throws {
        let server = try LoopbackServer(.stalled(after: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"))
        let session = URLSession(configuration: .forTests)
        let task = session.dataTask(with: server.url()) { _, _, _ in }
        task.resume()
        try await server.requests(atLeast: 1)
        task.suspend()
        task.resume()
        try await server.requests(atLeast: 2)
        session.invalidateAndCancel()
    }

    @Test("An upload of nothing crashes")
    func uploadOfNil() async {
        await #expect(processExitsWith: .crash) {
            let server = try LoopbackServer(.ok())
            let session = URLSession(configuration: .forTests)
            let request = URLRequest(url: server.url(), method: .put)
            await withCheckedContinuation { continuation in
                session.uploadTask(with: request, from: nil) { _, _, _ in continuation.resume() }.resume()
            }
        }
    }

    @Test("A download leaves its temporary file behind")
    func fileOfDownload() async throws {
        let server = try LoopbackServer(.ok("abc"))
        let session = URLSession(configuration: .forTests)
        let file = await withCheckedContinuation { continuation in
            session.downloadTask(with: server.url()) { file, _, _ in continuation.resume(returning: file) }.resume()
        }
        await session.hasRunOperations()
        let leftover = try #require(file)
        #expect(try Data(contentsOf: leftover) == Data("abc".utf8))
        try FileManager.default.removeItem(at: leftover)
    }

    @Test("A task for a malformed data URL never calls its handler")
    func malformedDataURL() async throws {
        let url = try #require(URL(string: "data:;base64,####"))
        let delegate = EndDelegate()
        let session = URLSession(configuration: .forTests)
        let isOver = Monitor(false)
        let task = session.dataTask(with: url) { _, _, _ in isOver.withLock { $0 = true } }
        task.delegate = delegate
        task.resume()
        try await delegate.hasEnded.opened()
        await session.hasRunOperations()
        #expect(!isOver.value)
    }

    @Test("A download that a protocol of the caller loads makes no file, nor does that of a data URL")
    func fileOfProtocol() async throws {
        for url in ["data:,abc", "http://noting.invalid/"] {
            let url = try #require(URL(string: url))
            let outcome = await withCheckedContinuation { continuation in
                NotingProtocol.session.downloadTask(with: url) { file, _, error in
                    continuation.resume(returning: TaskOutcome(file: file, error: error))
                }.resume()
            }
            #expect(outcome.file == nil)
            #expect(outcome.error == nil)
        }
    }

    @Test("A protocol of the caller sees no body of an upload")
    func bodyForProtocol() async throws {
        let request = URLRequest(url: try #require(URL(string: "http://noting.invalid/")), method: .put)
        await withCheckedContinuation { continuation in
            NotingProtocol.session.uploadTask(with: request, from: Data("abc".utf8)) { _, _, _ in continuation.resume()
            }
            .resume()
        }
        let noted = NotingProtocol.requests.value.filter { $0.httpMethod == "PUT" }
        #expect(noted.map(\.httpBody) == [nil])
    }

    // MARK: Files

    @Test("A file that may be mapped is read")
    func mappedFile() throws {
        let folder = TemporaryFolder()
        let file = folder.file("file")
        // A mapping shows what is written to the file later.
        func isMapped(_ options: Data.ReadingOptions) throws -> Bool {
            try Data(count: 1 << 20).write(to: file)
            let data = try Data(contentsOf: file, options: options)
            let handle = try FileHandle(forWritingTo: file)
            try handle.write(contentsOf: Data([1]))
            return data.first == 1
        }
        #expect(try isMapped(.alwaysMapped))
        #expect(try !isMapped(.mappedIfSafe))
    }
}

/// Loads a request with `URLSession` alone.
private func load(
    _ request: URLRequest, in session: URLSession = URLSession(configuration: .forTests),
    delegate: (any URLSessionTaskDelegate)? = nil
) async -> TaskOutcome {
    defer { session.finishTasksAndInvalidate() }
    return await withCheckedContinuation { continuation in
        let task = session.dataTask(with: request) { data, response, error in
            continuation.resume(returning: TaskOutcome(data: data, response: response, error: error))
        }
        task.delegate = delegate
        task.resume()
    }
}

private func load(_ url: URL, delegate: (any URLSessionTaskDelegate)? = nil) async -> TaskOutcome {
    await load(URLRequest(url: url), delegate: delegate)
}

extension URLSession {
    /// Waits until the delegate queue has run what it has now.
    fileprivate func hasRunOperations() async {
        await withCheckedContinuation { continuation in delegateQueue.addOperation { continuation.resume() } }
    }
}

/// Notes the credentials that are proposed, and uses none.
private final class ProposalDelegate: NSObject, URLSessionTaskDelegate {
    let proposedUsers = Monitor<[String?]>([])

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        proposedUsers.withLock { $0.append(challenge.proposedCredential?.user) }
        completionHandler(.cancelAuthenticationChallenge, nil)
    }
}

/// The delegate of a task that tells when it ends.
private final class EndDelegate: NSObject, URLSessionTaskDelegate {
    let hasEnded = Gate()

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        hasEnded.open()
    }
}

/// Answers without a body, and notes what it was asked for.
private final class NotingProtocol: URLProtocol {
    static let requests = Monitor<[URLRequest]>([])

    static var session: URLSession {
        let configuration = URLSessionConfiguration.forTests
        configuration.protocolClasses = [NotingProtocol.self] + (configuration.protocolClasses ?? [])
        return URLSession(configuration: configuration)
    }

    override class func canInit(with request: URLRequest) -> Bool { request.url?.host == "noting.invalid" }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        Self.requests.withLock { $0.append(request) }
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}

/// Says when it is given data, and when it is asked for a credential.
private final class DelegateOfChallenge: NSObject, URLSessionDataDelegate {
    let events = Monitor<[String]>([])
    private let whenDataCome: @Sendable () -> Void

    init(whenDataCome: @escaping @Sendable () -> Void) { self.whenDataCome = whenDataCome }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        events.withLock { $0.append("data") }
        whenDataCome()
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        events.withLock { $0.append("challenge") }
    }
}

#endif
