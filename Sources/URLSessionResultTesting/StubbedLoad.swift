import Foundation
internal import URLSessionResultTransport

/// Loads one request from a stub.
///
/// URLSession starts and stops it on a thread of its own. The answer is given there, too, and everything that changes is used
/// there. The code of the test runs elsewhere: it may wait, and may cancel the request. On Linux, the library starts and stops it
/// on `protocolQueue`, where only `end` changes once it is started.
final class StubbedLoad: URLProtocol {
    private let end = Locked((isOver: false, answering: nil as Task<Void, Never>?))
    private var server: StubbedServer?

    /// The body so far, for a task that gets its body as a whole. Nil for one that gets the pieces.
    private var heldBody: Data?

    /// Whether the response has a body, whatever the answer says.
    private var hasBody = true
    private var redirectCount = 0

    override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme != "data" }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        if let reason = reasonToRefuse { return fail(with: reason) }
        let request = wholeRequest
        do {
            server = try StubbedServers.all.server(of: request, showingFields: showsFieldsOfConfiguration)
        } catch {
            return fail(with: error)
        }
        if !takesPieces { heldBody = Data() }
        send(request)
    }

    private func send(_ request: URLRequest) {
        guard let server else { return }
        let request = request.withoutFieldsOfStub
        let arrival = server.expectRequest()
        let reply = Reply(to: self)
        server.run {
            let answering = Task {
                do {
                    let request = try await request.withBodyOfStream()
                    try await reply.send(server.answer(request, at: arrival), to: request)
                } catch {
                    reply.perform { $0.fail(with: error) }
                }
            }
            reply.perform { $0.keep(answering) }
        }
    }

    /// Keeps the task that answers, to cancel it with the request.
    private func keep(_ task: Task<Void, Never>) {
        let isOver = end.withLock { end in
            end.answering = task
            return end.isOver
        }
        if isOver { task.cancel() }
    }

    override func stopLoading() {
        let answering = end.withLock { end in
            end.isOver = true
            return end.answering
        }
        answering?.cancel()
    }

    // MARK: The answer

    /// A task that is being cancelled ends by itself. On Linux, it crashes if it is completed meanwhile:
    /// https://github.com/swiftlang/swift-corelibs-foundation/issues/3296
    private var isUnderWay: Bool { !end.withLock { $0.isOver } && task?.state != .canceling }

    func sayNoMore() { end.withLock { $0.isOver = true } }

    func begin(_ response: URLResponse, to request: URLRequest) {
        guard isUnderWay else { return }
        hasBody = response.mayHaveBody(after: request)
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    }

    func load(_ piece: Data) {
        guard isUnderWay, hasBody else { return }
        if heldBody == nil { client?.urlProtocol(self, didLoad: piece) } else { heldBody?.append(piece) }
    }

    func finish() {
        guard isUnderWay else { return }
        if let heldBody { client?.urlProtocol(self, didLoad: heldBody) }
        sayNoMore()
        client?.urlProtocolDidFinishLoading(self)
    }

    func fail(with error: any Error) {
        guard isUnderWay else { return }
        sayNoMore()
        client?.urlProtocol(self, didFailWithError: error.asURLError ?? error)
    }

    // MARK: A redirect

    func redirect(_ request: URLRequest, by response: HTTPURLResponse) {
        guard isUnderWay else { return }
        guard let next = request.redirected(by: response, inSessionAdding: server?.additionalFields ?? []) else {
            return stop(at: response, of: request)
        }
        askAboutRedirect(response, of: request, to: next)
    }

    /// Sends the request that follows a redirect, where URLSession does not.
    func follow(_ request: URLRequest) {
        guard isUnderWay else { return }
        redirectCount += 1
        guard redirectCount <= URLRequest.mostRedirects else {
            return fail(with: URLError(.httpTooManyRedirects, "The SessionStub redirects in a circle."))
        }
        send(request)
    }

    /// Ends with the redirect as the response: the delegate does not follow it, or it leads nowhere.
    func stop(at response: HTTPURLResponse, of request: URLRequest) {
        begin(response, to: request)
        finish()
    }
}

extension URLError {
    /// An error of a stub, which says what is wrong with the test.
    init(_ code: Code, _ description: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: description])
    }
}

/// Sends an answer to a load, on the thread of the load.
struct Reply: Sendable {
    private let thread = LoadingThread()

    /// Safe, although the compiler cannot see it: it is used on its thread alone.
    nonisolated(unsafe) private let load: StubbedLoad

    /// Call this on the thread of the load.
    init(to load: StubbedLoad) { self.load = load }

    func perform(_ work: @escaping @Sendable (StubbedLoad) -> Void) {
        thread.perform { work(load) }
    }

    func send(_ answer: SessionStub.Answer, to request: URLRequest) async throws {
        switch answer.kind {
        case .response(let statusCode, let headers, let body):
            try send(request.response(statusCode: statusCode, headers: headers), with: body, to: request)
        case .notHTTP(let body, let mimeType):
            try send(request.response(with: body, of: mimeType), with: body, to: request)
        case .stream(let statusCode, let headers, let body):
            let response = try request.response(statusCode: statusCode, headers: headers)
            perform { $0.begin(response, to: request) }
            try await body(SessionStub.BodyWriter { piece in perform { $0.load(piece) } })
            perform { $0.finish() }
        case .redirect(let target, let statusCode, let headers):
            let headers = headers.merging(["Location": target.absoluteString]) { $1 }
            let response = try request.response(statusCode: statusCode, headers: headers)
            perform { $0.redirect(request, by: response) }
        case .failure(let error):
            throw error
        case .never:
            try await SessionStub.Gate().opened()
        }
    }

    private func send(_ response: URLResponse, with body: Data, to request: URLRequest) {
        perform { load in
            load.begin(response, to: request)
            load.load(body)
            load.finish()
        }
    }
}

// MARK: - Requests

extension URLRequest {
    /// The request with its body as data. URLSession hands some bodies over as streams.
    fileprivate func withBodyOfStream() async throws -> URLRequest {
        guard let stream = httpBodyStream else { return self }
        var request = self
        // Safe, although the compiler cannot see it: nobody else reads it.
        nonisolated(unsafe) let source = stream
        request.httpBody = try await withCheckedThrowingContinuation { continuation in
            // Reading may wait for whoever fills the stream.
            DispatchQueue.global().async { continuation.resume(with: Result { try Data(readingAll: source) }) }
        }
        return request
    }
}

extension Data {
    fileprivate init(readingAll stream: InputStream) throws {
        self.init()
        stream.open()
        defer { stream.close() }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = stream.read(&buffer, maxLength: buffer.count)
            if count < 0 { throw stream.streamError ?? URLError(.requestBodyStreamExhausted) }
            guard count > 0 else { return }
            append(contentsOf: buffer[..<count])
        }
    }
}

extension URLRequest {
    /// The request that a server would get: without the field that names the stub, and without fields that a blank hides.
    fileprivate var withoutFieldsOfStub: URLRequest {
        var request = self
        request.setValue(nil, forHTTPHeaderField: StubbedServer.field)
        for (name, value) in allHTTPHeaderFields ?? [:] where value == " " {
            request.setValue(nil, forHTTPHeaderField: name)
        }
        return request
    }
}
