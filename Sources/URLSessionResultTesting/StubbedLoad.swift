import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What the requests of a stub reach.
final class StubbedServer: Sendable {
    /// Where the answers come from.
    enum Answers: Sendable {
        case inTurn([SessionStub.Answer])
        case asked(@Sendable (URLRequest) async throws -> SessionStub.Answer)
    }

    /// A request on its way.
    struct Arrival: Sendable {
        let number: Int
        let answers: Answers

        /// How many requests had these answers before.
        let turn: Int
    }

    private struct State: Sendable {
        /// The requests in order, or nil for one whose body is still being read.
        var requests: [URLRequest?] = []
        var answers: Answers

        /// The number of the first request that has these answers.
        var start = 0

        /// The gates of those who wait for a number of requests.
        var gates: [Int: SessionStub.Gate] = [:]

        var gatesToOpen: [SessionStub.Gate] {
            let count = requests.count { $0 != nil }
            return gates.filter { $0.key <= count }.map(\.value)
        }
    }

    let id = UUID().uuidString
    private let state: Locked<State>

    /// Runs functions with the task-local values of the task that made the stub, which is a test.
    private let runner: AsyncStream<@Sendable () -> Void>.Continuation

    init(answers: Answers) {
        state = Locked(State(answers: answers))
        let (functions, runner) = AsyncStream<@Sendable () -> Void>.makeStream()
        self.runner = runner
        Task { for await function in functions { function() } }
    }

    deinit { runner.finish() }

    func run(_ function: @escaping @Sendable () -> Void) { runner.yield(function) }

    var requests: [URLRequest] { state.withLock { $0.requests.compactMap(\.self) } }

    func change(to answers: Answers) {
        state.withLock { state in
            state.answers = answers
            state.start = state.requests.count
        }
    }

    /// A gate that opens when requests have arrived.
    func arrival(of count: Int) -> SessionStub.Gate {
        let (gate, isOver) = state.withLock { state in
            let gate = state.gates[count] ?? SessionStub.Gate()
            state.gates[count] = gate
            return (gate, state.gatesToOpen.contains { $0 === gate })
        }
        if isOver { gate.open() }
        return gate
    }

    /// Notes that a request is on its way.
    func expectRequest() -> Arrival {
        state.withLock { state in
            state.requests.append(nil)
            let number = state.requests.count - 1
            return Arrival(number: number, answers: state.answers, turn: number - state.start)
        }
    }

    func answer(_ request: URLRequest, at arrival: Arrival) async throws -> SessionStub.Answer {
        let request = await request.withBodyOfStream()
        let gates = state.withLock { state in
            state.requests[arrival.number] = request
            return state.gatesToOpen
        }
        for gate in gates { gate.open() }
        switch arrival.answers {
        case .inTurn(let answers): return answers[min(arrival.turn, answers.count - 1)]
        case .asked(let answer): return try await answer(request)
        }
    }
}

extension StubbedServer {
    private struct Entry: Sendable {
        let server: StubbedServer
        weak var session: URLSession?
    }

    /// The servers of all stubs, by their identifiers.
    private static let all = Locked<[String: Entry]>([:])

    /// Begins to answer what a session requests.
    static func begin(_ server: StubbedServer, of session: URLSession) {
        all.withLock { $0[server.id] = Entry(server: server, session: session) }
    }

    static func endThoseWithoutSession() {
        all.withLock { all in all = all.filter { $0.value.session != nil } }
    }

    static func named(_ id: String) -> StubbedServer? {
        all.withLock { all in all[id].flatMap { $0.session == nil ? nil : $0.server } }
    }
}

/// Loads one request from a stub.
///
/// URLSession starts and stops it on a thread of its own, where it is told the answer, too, and all that changes is used. The
/// code of the test runs elsewhere: it may wait, and may cancel the request.
final class StubbedLoad: URLProtocol {
    private var isOver = false
    private var answering: Task<Void, Never>?

    /// What a task that gets its body as one has not been given yet.
    private var heldBody: Data?

    /// Whether the response has a body, whatever the answer says.
    private var hasBody = true

    override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme != "data" }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        if let reason = reasonToRefuse { return fail(with: reason) }
        var request = wholeRequest
        guard let id = request.value(forHTTPHeaderField: StubbedServer.field) else {
            return fail(
                .unsupportedURL, "The httpAdditionalHeaders of the session's configuration name no SessionStub.")
        }
        request.setValue(nil, forHTTPHeaderField: StubbedServer.field)
        guard let server = StubbedServer.named(id) else {
            return fail(
                .cannotConnectToHost, "The SessionStub is gone. Keep it, or its session, until the test is over.")
        }
        if !takesPieces { heldBody = Data() }
        let arrival = server.expectRequest()
        let reply = Reply(to: self)
        server.run { [request] in
            let answering = Task {
                do {
                    try await reply.send(server.answer(request, at: arrival))
                } catch {
                    reply.perform { $0.fail(with: error) }
                }
            }
            reply.perform { $0.isAnswered(by: answering) }
        }
    }

    private func isAnswered(by task: Task<Void, Never>) {
        if isOver { task.cancel() } else { answering = task }
    }

    override func stopLoading() {
        isOver = true
        answering?.cancel()
    }

    // MARK: The answer

    /// A task that is being cancelled ends by itself. On Linux, it crashes if it is completed meanwhile:
    /// https://github.com/swiftlang/swift-corelibs-foundation/issues/3296
    private var isUnderWay: Bool { !isOver && task?.state != .canceling }

    func begin(statusCode: Int, headers: [String: String]) {
        guard isUnderWay else { return }
        let response = request.url.flatMap {
            HTTPURLResponse(url: $0, statusCode: statusCode, httpVersion: "HTTP/1.1", headerFields: headers)
        }
        guard let response else { return fail(.badServerResponse, "The answer makes no response.") }
        hasBody = request.httpMethod != "HEAD" && ![204, 205, 304].contains(statusCode)
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    }

    func load(_ piece: Data) {
        guard isUnderWay, hasBody else { return }
        if heldBody == nil { client?.urlProtocol(self, didLoad: piece) } else { heldBody?.append(piece) }
    }

    func finish() {
        guard isUnderWay else { return }
        if let heldBody { client?.urlProtocol(self, didLoad: heldBody) }
        isOver = true
        client?.urlProtocolDidFinishLoading(self)
    }

    func fail(with error: any Error) {
        guard isUnderWay else { return }
        isOver = true
        client?.urlProtocol(self, didFailWithError: error.asURLError ?? error)
    }

    private func fail(_ code: URLError.Code, _ description: String) {
        fail(with: URLError(code, userInfo: [NSLocalizedDescriptionKey: description]))
    }
}

extension Error {
    /// The error as a `URLError`, if its domain says so. On Linux, an `NSError` is none by itself.
    fileprivate var asURLError: URLError? {
        let error = self as NSError
        let code: URLError.Code? = URLError.Code(rawValue: error.code)
        return error.domain == NSURLErrorDomain ? code.map { URLError($0, userInfo: error.userInfo) } : nil
    }
}

/// Sends an answer to a load, on the thread of the load.
private struct Reply: Sendable {
    private let thread = LoadingThread()

    /// Unsafe only to the compiler: it is used on its thread alone.
    nonisolated(unsafe) private let load: StubbedLoad

    /// Call this on the thread of the load.
    init(to load: StubbedLoad) { self.load = load }

    func perform(_ work: @escaping @Sendable (StubbedLoad) -> Void) {
        thread.perform { work(load) }
    }

    func send(_ answer: SessionStub.Answer) async throws {
        switch answer {
        case .response(let statusCode, let headers, let body):
            perform { load in
                load.begin(statusCode: statusCode, headers: headers)
                load.load(body)
                load.finish()
            }
        case .stream(let statusCode, let headers, let body):
            perform { $0.begin(statusCode: statusCode, headers: headers) }
            try await body(SessionStub.BodyWriter { piece in perform { $0.load(piece) } })
            perform { $0.finish() }
        case .failure(let error):
            throw error
        case .never:
            try await SessionStub.Gate().opened()
        }
    }
}

extension StubbedServer {
    /// The field of a request that names its server. It is taken out before the request is kept.
    fileprivate static let field = "X-Session-Stub"
}

extension URLSessionConfiguration {
    /// A copy for a session that loads from a server.
    func loading(from server: StubbedServer) -> URLSessionConfiguration {
        guard let copy = copy() as? URLSessionConfiguration else { return self }
        copy.protocolClasses = [StubbedLoad.self]
        copy.httpAdditionalHeaders = (httpAdditionalHeaders ?? [:]).merging([StubbedServer.field: server.id]) { $1 }
        return copy
    }
}

extension URLRequest {
    /// The request with its body as data. URLSession hands some bodies over as streams.
    fileprivate func withBodyOfStream() async -> URLRequest {
        guard let stream = httpBodyStream else { return self }
        var request = self
        // Unsafe only to the compiler: nobody else reads it.
        nonisolated(unsafe) let source = stream
        request.httpBody = await withCheckedContinuation { continuation in
            // Reading may wait for whoever fills the stream.
            DispatchQueue.global().async { continuation.resume(returning: Data(readingAll: source)) }
        }
        return request
    }
}

extension Data {
    fileprivate init(readingAll stream: InputStream) {
        self.init()
        stream.open()
        defer { stream.close() }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = stream.read(&buffer, maxLength: buffer.count)
            guard count > 0 else { return }
            append(contentsOf: buffer[..<count])
        }
    }
}
