#if os(Linux)

import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting

@testable import TestSupport

/// Requests that a `URLProtocol` of the caller loads. FoundationNetworking makes no file of a download then, and gives a task
/// with a handler the last piece of a body alone. The library does not.
@Suite(.inTurn)
struct OwnProtocolTests {
    private let session = URLSession(configuration: .withEcho)

    private func request(_ path: String, _ form: APIForm) throws -> URLRequest {
        URLRequest(url: try #require(URL(string: "http://echo.test/\(path)")), method: form.uploads ? .put : .get)
    }

    @Test("A body of several pieces arrives whole", arguments: APIForm.all.filter(\.givesBody))
    func pieces(_ form: APIForm) async throws {
        #expect(try await form.run(session, request("a/b/c", form)).get() == Data("abc".utf8))
    }

    @Test("Sixteen at once arrive whole, every fourth is cancelled", arguments: APIForm.some)
    func crowd(_ form: APIForm) async throws {
        let requests = try (0..<16).map { try request("a/b/\($0)", form) }
        await withTaskGroup(of: Void.self) { group in
            for (index, request) in requests.enumerated() {
                group.addTask {
                    let load = Task { await form.run(session, request) }
                    if index.isMultiple(of: 4) { load.cancel() }
                    let result = await load.value
                    let isWhole = (try? result.get()) == Data("ab\(index)".utf8)
                    #expect(isWhole || index.isMultiple(of: 4) && result.error?.isCancelled == true)
                }
            }
        }
    }

    @Test(
        "A body goes whole to a protocol that is registered for all sessions",
        arguments: APIForm.all.filter { $0.uploads && $0.givesBody }, [1, 16, 100])
    func registered(_ form: APIForm, count: Int) async throws {
        #expect(MirrorProtocol.isRegistered)
        let request = URLRequest(url: try #require(URL(string: "mirror:/")), method: .put)
        let session = URLSession(configuration: .forTests)
        await withTaskGroup { group in
            for _ in 0..<count { group.addTask { await form.run(session, request) } }
            for await result in group { #expect((try? result.get()) == APIForm.uploadedBody) }
        }
    }

    @Test("A protocol that takes everything, and is registered for all sessions, is not started for HTTP")
    func catchAll() async {
        await #expect(processExitsWith: .success) {
            // Before the library registers a class of its own.
            #expect(URLProtocol.registerClass(CatchAllProtocol.self))
            let server = try LoopbackServer(.redirect(to: "/target", then: .ok("abc")))
            let sessionEnd = SessionEnd()
            let session = URLSession(configuration: .forTests, delegate: sessionEnd, delegateQueue: nil)
            await withTaskGroup { group in
                for form in APIForm.all {
                    let request = URLRequest(url: server.url(), method: form.uploads ? .put : .get)
                    group.addTask { await (form, form.run(session, request)) }
                }
                for await (form, result) in group { #expect(result.error == nil, "\(form): \(result)") }
            }
            try await sessionEnd.follows(session)
            #expect(CatchAllProtocol.starts.value == 0)
        }
    }

    @Test("An error response keeps the beginning of the body of a download", arguments: APIForm.downloads)
    func errorResponse(_ form: APIForm) async throws {
        let error = try #require(await form.run(session, request("not/found", form), 400..<500).error)
        #expect(error.statusCode == 200)
        #expect(error.response?.body == Data("notfound".utf8))
    }

    @Test("The temporary file of a download is there for the handler, and is removed after it")
    func temporaryFile() async throws {
        let request = try request("a/b", APIForm.all[0])
        let (result, contents) = await withCheckedContinuation { continuation in
            session.downloadTask(with: request) { (result: Result<URL, NetworkError>) in
                continuation.resume(returning: (result, result.contents))
            }.resume()
        }
        #expect(try contents.get() == Data("ab".utf8))
        await hasRunOperations(session)
        #expect(try !FileManager.default.fileExists(atPath: result.get().path))
    }

    @Test("A file that cannot be written is a transport error with the reason")
    func unwritableFile() async {
        await #expect(processExitsWith: .success) {
            setenv("TMPDIR", "/dev/null", 1)
            let stub = SessionStub(.text("abc"))
            let url = try #require(URL(string: "http://echo.test/"))
            let error = await stub.session.downloadResult(from: url, decoder: .data).error
            guard case .transportError(let reason) = error else { return #expect(Bool(false), "\(error as Any)") }
            #expect(reason is CocoaError)
        }
    }

    @Test("A data URL is downloaded, and a malformed one is an error", arguments: APIForm.downloads)
    func dataURL(_ form: APIForm) async throws {
        var request = try request("", form)
        request.url = URL(string: "data:,abc")
        #expect(try await form.run(session, request).get() == Data("abc".utf8))
        request.url = URL(string: "data:;base64,####")
        #expect(await form.run(session, request).error?.urlError?.code == .badURL)
    }

    @Test("A redirect is an error response, and a cookie is not stored", arguments: APIForm.some)
    func partsOfHTTP(_ form: APIForm) async throws {
        let headers = ["Location": "/elsewhere", "Set-Cookie": "a=b"]
        let stub = SessionStub(.response(statusCode: 302, headers: headers))
        let error = try #require(await form.run(stub.session, request("", form)).error)
        #expect(error.statusCode == 302)
        #expect(stub.session.configuration.httpCookieStorage?.cookies?.isEmpty == true)
    }

    @Test(
        "The delegate is asked about the challenges that it is asked about over HTTP",
        arguments: [
            "Basic", #"Basic realm="x""#, "basic REALM=x", #"Digest realm="x", nonce="1""#, "Bearer", "NTLM", "",
            #"Basic realm="x, y", charset="UTF-8""#, #"Bearer, Basic realm="x""#,
            #"Digest nonce="1",  Basic realm="x""#, #"Basic realm="x", Digest realm="y", nonce="1""#,
            #"Bearer scope="Basic realm=x""#, "Basically realm=x", #"Basic charset="UTF-8", realm="x""#,
        ])
    func challengesAsOverHTTP(_ field: String) async throws {
        let server = try LoopbackServer(.challenge(field))
        let stub = SessionStub(.response(statusCode: 401, headers: ["WWW-Authenticate": field]))
        let overHTTP = ChallengedRealms()
        let byStub = ChallengedRealms()
        #expect(await overHTTP.session().dataResult(from: server.url()).error?.statusCode == 401)
        let session = byStub.session(with: stub.session.configuration)
        #expect(await session.dataResult(from: server.url()).error?.statusCode == 401)
        #expect(overHTTP.realms.value == byStub.realms.value)
    }

    @Test(
        "A challenge is for the port of its URL",
        arguments: [
            ("http", 80), ("HTTP", 80), ("https", 443), ("HTTPS", 443), ("http://echo.test:81", 81),
        ])
    func port(of address: String, port: Int) async throws {
        let stub = SessionStub(.response(statusCode: 401, headers: ["WWW-Authenticate": "Basic realm=x"]))
        let delegate = ChallengedRealms()
        let url = try #require(URL(string: address.contains(":") ? address : "\(address)://echo.test"))
        _ = await delegate.session(with: stub.session.configuration).dataResult(from: url)
        #expect(delegate.ports.value == [port])
    }

    @Test("A challenge is answered by the delegate", arguments: APIForm.some)
    func challenge(_ form: APIForm) async throws {
        let stub = SessionStub(
            .response(statusCode: 401, headers: ["WWW-Authenticate": #"Basic realm="x""#]), .text("welcome"))
        let delegate = SessionDelegate(challenge: (.useCredential, ResponseChain.credential))
        let session = delegate.session(with: stub.session.configuration)
        #expect(try await form.run(session, request("", form)).get() == Data("welcome".utf8))
        let sent = stub.requests.map { $0.value(forHTTPHeaderField: "Authorization")?.hasPrefix("Basic ") }
        #expect(sent == [nil, true])
        #expect(stub.requests.map(\.httpBody) == Array(repeating: form.uploads ? APIForm.uploadedBody : nil, count: 2))
    }

    @Test("A challenge that no credential answers is an error response", arguments: APIForm.all)
    func refusedChallenge(_ form: APIForm) async throws {
        let stub = SessionStub(.text("no", statusCode: 401, headers: ["WWW-Authenticate": #"Basic realm="x""#]))
        let error = try #require(await form.run(stub.session, request("", form)).error)
        #expect(error.statusCode == 401)
        #expect(stub.requests.count == 1)
    }

    @Test("A redirect by a response that is not HTTP is an error, whatever follows it", arguments: APIForm.some)
    func redirectWithoutHTTP(_ form: APIForm) async throws {
        let configuration = URLSessionConfiguration.forTests
        configuration.protocolClasses = [RedirectWithoutHTTP.self]
        // Otherwise one that is ignored would never end.
        configuration.timeoutIntervalForResource = 60
        let request = try request("", form)
        let error = await form.run(URLSession(configuration: configuration), request).error
        #expect(error?.urlError?.code == .badServerResponse)
    }

    @Test("A protocol that is started has a task, even if that is cancelled meanwhile")
    func taskOfCancelledLoad() async throws {
        let configuration = URLSessionConfiguration.forTests
        configuration.protocolClasses = [CancelledProtocol.self]
        let isOver = Gate()
        let url = try #require(URL(string: "http://cancelled.test/"))
        let task = URLSession(configuration: configuration).dataTask(with: url) { (_: DataResult) in isOver.open() }
        CancelledProtocol.cancel.withLock { $0 = { task.cancel() } }
        task.resume()
        try await isOver.opened()
        #expect(try await CancelledProtocol.tasks.value { !$0.isEmpty } == [true])
        CancelledProtocol.cancel.withLock { $0 = {} }
    }

    @Test("A download task of URLSession fails with the reason, with a handler and with a delegate")
    func downloadWithoutLibrary() async throws {
        let stub = SessionStub(.text("file"))
        let request = try request("", APIForm.all[0])
        let byHandler = await withCheckedContinuation { continuation in
            stub.session.downloadTask(with: request) { _, _, error in continuation.resume(returning: error) }.resume()
        }
        #expect((byHandler as? URLError)?.code == .cannotCreateFile)
        let delegate = DownloadDelegate()
        let session = URLSession(configuration: stub.session.configuration, delegate: delegate, delegateQueue: nil)
        session.downloadTask(with: request).resume()
        let byDelegate = try await delegate.error.value { $0 != nil }
        #expect(byDelegate?.code == .cannotCreateFile)
    }

    // MARK: The task of a download

    @Test("A download task runs once, however often it is resumed and suspended")
    func resumedTask() async throws {
        let gate = SessionStub.Gate()
        let stub = SessionStub { _ in
            try await gate.opened()
            return .text("late")
        }
        let results = Monitor<[DataResult]>([])
        let request = try request("", APIForm.all[0])
        let task = stub.session.downloadTask(with: request) { (result: Result<URL, NetworkError>) in
            let contents = result.contents
            results.withLock { $0.append(contents) }
        }
        task.suspend()
        #expect(task.state == .suspended)
        for _ in 1...3 { task.resume() }
        #expect(task.state == .running)
        #expect(task.originalRequest == request)
        #expect(task.currentRequest == request)
        #expect(task.taskIdentifier > 0)
        task.priority = URLSessionTask.highPriority
        #expect(task.priority == URLSessionTask.highPriority)
        #expect(!task.progress.isFinished)
        task.suspend()
        gate.open()
        task.resume()
        try await results.value { !$0.isEmpty }
        await hasRunOperations(stub.session)
        #expect(results.value.map { "\($0)" } == ["success(4 bytes)"])
        #expect(stub.requests.count == 1)
    }

    @Test("A download task is cancelled before and after it is resumed", arguments: [false, true], [false, true])
    func cancelledTask(isResumed: Bool, producingData: Bool) async throws {
        let stub = SessionStub(.never)
        let request = try request("", APIForm.all[0])
        let error = await withCheckedContinuation { continuation in
            let task = stub.session.downloadTask(with: request) { (result: Result<URL, NetworkError>) in
                continuation.resume(returning: result.error)
            }
            if isResumed { task.resume() }
            if producingData { task.cancel { #expect($0 == nil) } } else { task.cancel() }
            task.resume()
        }
        #expect(error?.isCancelled == true)
        #expect(isResumed || stub.requests.isEmpty)
    }

    @Test("A download task ends with its session", arguments: [false, true])
    func invalidatedSession(isResumed: Bool) async throws {
        let stub = SessionStub(.never)
        let ending = SessionEnd()
        let session = URLSession(configuration: stub.session.configuration, delegate: ending, delegateQueue: nil)
        let request = try request("", APIForm.all[0])
        let error = await withCheckedContinuation { continuation in
            let task = session.downloadTask(with: request) { (result: Result<URL, NetworkError>) in
                continuation.resume(returning: result.error)
            }
            if isResumed { task.resume() }
            session.invalidateAndCancel()
        }
        #expect(error?.isCancelled == true)
        try await ending.follows(session)
    }

    /// Waits until the delegate queue has run what it has now.
    private func hasRunOperations(_ session: URLSession) async {
        await withCheckedContinuation { continuation in
            session.delegateQueue.addOperation { continuation.resume() }
        }
    }
}

/// Notes how a download ends.
private final class DownloadDelegate: NSObject, URLSessionDownloadDelegate {
    let error = Monitor<URLError?>(nil)

    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo file: URL) {}

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        self.error.withLock { $0 = error as? URLError ?? URLError(.unknown) }
    }
}

/// Notes the realms of challenges, and answers none.
private final class ChallengedRealms: NSObject, URLSessionTaskDelegate {
    let realms = Monitor<[String?]>([])
    let ports = Monitor<[Int]>([])

    func session(with configuration: URLSessionConfiguration = .forTests) -> URLSession {
        URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let space = challenge.protectionSpace
        ports.withLock { $0.append(space.port) }
        realms.withLock { $0.append("\(space.authenticationMethod) \(space.realm ?? "none")") }
        completionHandler(.performDefaultHandling, nil)
    }
}

/// Sends each component of a path as a piece.
private final class EchoProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { request.url?.host == "echo.test" }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url else { return }
        let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
        if let response { client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed) }
        for piece in url.pathComponents.dropFirst() { client?.urlProtocol(self, didLoad: Data(piece.utf8)) }
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}

/// Answers with the body of the request.
private final class MirrorProtocol: URLProtocol {
    static let isRegistered = registerClass(MirrorProtocol.self)

    override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "mirror" }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url, let body = request.httpBody else { return }
        let response = URLResponse(url: url, mimeType: nil, expectedContentLength: body.count, textEncodingName: nil)
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: body)
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}

/// Answers every request at once, as a mock does.
private final class CatchAllProtocol: URLProtocol {
    static let starts = Monitor(0)

    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        Self.starts.withLock { $0 += 1 }
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}

extension URLSessionConfiguration {
    fileprivate static var withEcho: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.forTests
        configuration.protocolClasses = [EchoProtocol.self] + (configuration.protocolClasses ?? [])
        return configuration
    }
}

/// Redirects with a response that is not HTTP.
private final class RedirectWithoutHTTP: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url else { return }
        let response = URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
        client?.urlProtocol(self, wasRedirectedTo: request, redirectResponse: response)
    }

    override func stopLoading() {}
}

/// Has its task cancelled between its choice and its start.
private final class CancelledProtocol: URLProtocol {
    static let cancel = Monitor<@Sendable () -> Void>({})

    /// For each start, whether it has a task.
    static let tasks = Monitor<[Bool]>([])

    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest {
        cancel.value()
        return request
    }

    override func startLoading() { Self.tasks.withLock { $0.append(task != nil) } }
    override func stopLoading() {}
}

#endif
