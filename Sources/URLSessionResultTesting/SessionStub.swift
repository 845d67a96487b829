import Foundation

#if canImport(FoundationNetworking)
@_exported import FoundationNetworking
#endif
import URLSessionResultTransport

/// A session that answers from memory, for tests.
///
/// ```swift
/// let stub = SessionStub(.json(#"[{"name": "Blue"}]"#))
/// let client = AlbumsClient(session: stub.session)
/// ```
///
/// Give `session` to the code that you test, whether that uses URLSessionResult or `URLSession`. It answers whatever is
/// requested, except `data` URLs, which need no server. A client that makes its own session takes the configuration,
/// `stub.session.configuration`, and keeps its `httpAdditionalHeaders`: a field of them says which stub it is.
///
/// Each stub is known by its session, not by URLs. So tests may run side by side, with the same URLs. A stub answers as long as
/// its session is kept; another session of its configuration fails with `URLError.cannotConnectToHost` after that.
///
/// **Limits.** On watchOS, sessions ask no `URLProtocol`, and so no stub. A 302 goes to the caller as it is, and cookies are not
/// stored: these belong to HTTP. On Linux:
///
/// - A download task of `URLSession` fails with `URLError.cannotCreateFile`, because FoundationNetworking makes no file of what
///   a `URLProtocol` loads, or crashes. Those of URLSessionResult succeed.
/// - A task with a completion handler gets the pieces of a ``Answer/stream(statusCode:headers:body:)`` as one at its end. The
///   asynchronous methods of URLSessionResult get them one by one.
/// - The timeout of a request does not fire.
public final class SessionStub: Sendable {
    /// What the server says.
    ///
    /// The response to HEAD, and one with status 204, 205 or 304, comes without its body, as from a server (RFC 9110, section
    /// 6.4.1).
    public enum Answer: Sendable {
        /// A response, with its whole body.
        case response(statusCode: Int = 200, headers: [String: String] = [:], body: Data = Data())

        /// A response whose body comes in pieces, as a function sends them.
        ///
        /// The body ends when the function returns, and is cut off if it throws. The function runs for each request, and is
        /// cancelled with it.
        case stream(
            statusCode: Int = 200, headers: [String: String] = [:],
            body: @Sendable (BodyWriter) async throws -> Void)

        /// No response, for example because the network is down.
        case failure(URLError)

        /// Nothing. The request waits until it is cancelled.
        case never
    }

    /// The session to give to the code that you test. It has no delegate.
    public let session: URLSession

    private let server: StubbedServer

    /// Creates a stub that gives the answers in turn. The last one is for all further requests, too.
    ///
    /// ```swift
    /// let stub = SessionStub(.response(statusCode: 503), .json("[]"))
    /// ```
    ///
    /// - Parameters:
    ///   - first: The answer to the first request.
    ///   - others: The answers to those that follow.
    public convenience init(_ first: Answer, _ others: Answer...) {
        self.init(configuration: .ephemeral, answers: [first] + others)
    }

    /// Creates a stub that gives the answers in turn, for a client that has a configuration of its own.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the session. It is copied, and the copy loads from the stub alone.
    ///   - first: The answer to the first request.
    ///   - others: The answers to those that follow. The last one is for all further requests, too.
    public convenience init(configuration: URLSessionConfiguration, _ first: Answer, _ others: Answer...) {
        self.init(configuration: configuration, answers: [first] + others)
    }

    /// Creates a stub that asks a function for each answer.
    ///
    /// ```swift
    /// let stub = SessionStub { request in
    ///     request.url?.path == "/albums" ? .json("[]") : .response(statusCode: 404)
    /// }
    /// ```
    ///
    /// - Parameter answer: A function that is called for each request, with its body in `httpBody`. It may be called for several
    ///   at once, may wait, for example for a ``Gate``, and is cancelled with its request. If it throws, the request fails
    ///   with that error. It has the task-local values of the task that made the stub. So what it expects belongs to its
    ///   test.
    public convenience init(_ answer: @escaping @Sendable (URLRequest) async throws -> Answer) {
        self.init(configuration: .ephemeral, answer)
    }

    /// Creates a stub that asks a function for each answer, for a client that has a configuration of its own.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the session. It is copied, and the copy loads from the stub alone.
    ///   - answer: As for ``init(_:)``.
    public convenience init(
        configuration: URLSessionConfiguration, _ answer: @escaping @Sendable (URLRequest) async throws -> Answer
    ) {
        self.init(configuration: configuration, answers: .asked(answer))
    }

    private convenience init(configuration: URLSessionConfiguration, answers: [Answer]) {
        self.init(configuration: configuration, answers: .inTurn(answers))
    }

    private init(configuration: URLSessionConfiguration, answers: Answers) {
        server = StubbedServer(answers: answers)
        session = URLSession(configuration: configuration.loading(from: server))
        StubbedServer.begin(server, of: session)
    }

    deinit {
        // The session is released after this.
        DispatchQueue.global().async { StubbedServer.endThoseWithoutSession() }
    }

    /// Gives other answers to the requests that follow, in turn. The last one is for all further requests, too.
    ///
    /// ```swift
    /// stub.answer(.failure(URLError(.notConnectedToInternet)))
    /// ```
    ///
    /// - Parameters:
    ///   - first: The answer to the next request.
    ///   - others: The answers to those that follow.
    public func answer(_ first: Answer, _ others: Answer...) {
        server.change(to: .inTurn([first] + others))
    }

    /// Asks another function for the answers to the requests that follow.
    ///
    /// - Parameter answer: As for ``init(_:)``.
    public func answer(_ answer: @escaping @Sendable (URLRequest) async throws -> Answer) {
        server.change(to: .asked(answer))
    }

    /// The requests that were sent, in order. Each has its body in `httpBody`, also if it was a stream or a file.
    public var requests: [URLRequest] { server.requests }

    /// Waits until requests have arrived.
    ///
    /// Use it for what happens while a request is under way: a loading state, or a cancellation.
    ///
    /// - Parameter count: How many requests to wait for.
    /// - Returns: The requests that have arrived by then.
    /// - Throws: `CancellationError` if the task is cancelled first, for example by a time limit.
    @discardableResult
    public func requests(atLeast count: Int) async throws -> [URLRequest] {
        try await server.arrival(of: count).opened()
        return requests
    }
}

// MARK: - Answers

extension SessionStub.Answer {
    /// A response with JSON, and its `Content-Type`.
    ///
    /// - Parameters:
    ///   - json: The body.
    ///   - statusCode: The HTTP status code.
    ///   - headers: Other header fields, or another `Content-Type`.
    /// - Returns: The answer.
    public static func json(_ json: String, statusCode: Int = 200, headers: [String: String] = [:]) -> Self {
        let headers = headers.withContentType("application/json")
        return .response(statusCode: statusCode, headers: headers, body: Data(json.utf8))
    }

    /// A response with text in UTF-8, and its `Content-Type`.
    ///
    /// - Parameters:
    ///   - text: The body.
    ///   - statusCode: The HTTP status code.
    ///   - headers: Other header fields, or another `Content-Type`.
    /// - Returns: The answer.
    public static func text(_ text: String, statusCode: Int = 200, headers: [String: String] = [:]) -> Self {
        let headers = headers.withContentType("text/plain; charset=utf-8")
        return .response(statusCode: statusCode, headers: headers, body: Data(text.utf8))
    }

    /// A response with the bytes of a file. That of a file whose name ends in `.json` has the `Content-Type` of JSON.
    ///
    /// - Parameters:
    ///   - file: The file. It is read at once.
    ///   - statusCode: The HTTP status code.
    ///   - headers: Other header fields.
    /// - Returns: The answer.
    /// - Throws: The reason why the file cannot be read.
    public static func file(_ file: URL, statusCode: Int = 200, headers: [String: String] = [:]) throws -> Self {
        let isJSON = file.pathExtension.lowercased() == "json"
        let headers = isJSON ? headers.withContentType("application/json") : headers
        return .response(statusCode: statusCode, headers: headers, body: try Data(contentsOf: file))
    }

    /// A response with the bytes of a resource, as ``file(_:statusCode:headers:)`` has those of a file.
    ///
    /// ```swift
    /// let stub = try SessionStub(.resource("albums.json", in: .module))
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the resource with its extension, and the folder it is in, if there is one.
    ///   - bundle: The bundle that has the resource: in a package, `.module`.
    ///   - statusCode: The HTTP status code.
    ///   - headers: Other header fields.
    /// - Returns: The answer.
    /// - Throws: `CocoaError.fileReadNoSuchFile` with the name if the bundle has no such resource.
    public static func resource(
        _ name: String, in bundle: Bundle, statusCode: Int = 200, headers: [String: String] = [:]
    ) throws -> Self {
        guard let file = bundle.url(forResource: name, withExtension: nil) else {
            throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: name])
        }
        return try .file(file, statusCode: statusCode, headers: headers)
    }
}

extension [String: String] {
    fileprivate func withContentType(_ type: String) -> Self {
        contains { $0.key.lowercased() == "content-type" } ? self : merging(["Content-Type": type]) { $1 }
    }
}

extension SessionStub {
    /// Sends the pieces of a body.
    public struct BodyWriter: Sendable {
        fileprivate let send: @Sendable (Data) -> Void

        /// Sends a piece.
        public func write(_ piece: Data) { send(piece) }

        /// Sends a piece of text in UTF-8.
        public func write(_ piece: String) { send(Data(piece.utf8)) }
    }

    /// Holds an answer back until the test opens it.
    ///
    /// ```swift
    /// let gate = SessionStub.Gate()
    /// let stub = SessionStub { _ in
    ///     try await gate.opened()
    ///     return .json("[]")
    /// }
    /// ```
    ///
    public final class Gate: Sendable {
        private struct State: Sendable {
            var isOpen = false
            var waiting: [UUID: CheckedContinuation<Void, any Error>] = [:]
        }

        private let state = Locked(State())

        /// Creates a gate, which is closed.
        public init() {}

        /// Lets everyone pass, now and later.
        public func open() {
            let waiting = state.withLock { state in
                defer { state = State(isOpen: true) }
                return state.waiting.values
            }
            for continuation in waiting { continuation.resume() }
        }

        /// Waits until the gate is open.
        ///
        /// - Throws: `CancellationError` if the task is cancelled first.
        public func opened() async throws {
            let id = UUID()
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let outcome: Result<Void, any Error>? = state.withLock { state in
                        if state.isOpen { return .success(()) }
                        if Task.isCancelled { return .failure(CancellationError()) }
                        state.waiting[id] = continuation
                        return nil
                    }
                    if let outcome { continuation.resume(with: outcome) }
                }
            } onCancel: {
                let continuation = state.withLock { $0.waiting.removeValue(forKey: id) }
                continuation?.resume(throwing: CancellationError())
            }
        }
    }
}

// MARK: - Loading

/// Where the answers come from.
private enum Answers: Sendable {
    case inTurn([SessionStub.Answer])
    case asked(@Sendable (URLRequest) async throws -> SessionStub.Answer)
}

/// What the requests of a stub reach.
private final class StubbedServer: Sendable {
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
private final class StubbedLoad: URLProtocol {
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
    fileprivate func loading(from server: StubbedServer) -> URLSessionConfiguration {
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

// MARK: - Platforms

#if canImport(FoundationNetworking)

/// The queue on which FoundationNetworking loads, completes and cancels the tasks of all sessions. A load that ended elsewhere
/// might meet a cancellation, and crash.
///
/// The queue is private. But a session that is asked for its tasks adds the answer to its delegate queue there. This session
/// has a delegate queue that runs it at once.
private struct LoadingThread: Sendable {
    private static let session = URLSession(
        configuration: .ephemeral, delegate: nil, delegateQueue: ImmediateQueue())

    func perform(_ work: @escaping @Sendable () -> Void) {
        Self.session.getAllTasks { _ in work() }
    }
}

/// What FoundationNetworking does not show to a `URLProtocol`, and Apple's URLSession does, or need not.
extension StubbedLoad {
    /// A download task with a delegate would crash, and one with a handler would get no file. Those of URLSessionResult are data
    /// tasks here.
    fileprivate var reasonToRefuse: URLError? {
        guard task is URLSessionDownloadTask, !(task is any CallersTask) else { return nil }
        let description =
            "On Linux, URLSession makes no file of what a stub answers. Use a download of URLSessionResult."
        return URLError(.cannotCreateFile, userInfo: [NSLocalizedDescriptionKey: description])
    }

    /// The request with the fields of the session's configuration, and the body of an upload.
    fileprivate var wholeRequest: URLRequest {
        var request = request
        for case (let name as String, let value as String) in session?.configuration.httpAdditionalHeaders ?? [:]
        where request.value(forHTTPHeaderField: name) == nil {
            request.setValue(value, forHTTPHeaderField: name)
        }
        guard request.httpBody == nil, request.httpBodyStream == nil, let task,
            let body = property("knownBody", of: task), let content = Mirror(reflecting: body).children.first?.value
        else { return request }
        switch content {
        case let data as DispatchData: request.httpBody = Data(data)
        case let file as URL: request.httpBody = try? Data(contentsOf: file)
        default: break
        }
        return request
    }

    /// Whether the task has a delegate that is told each piece of the body. One with a completion handler would get the last
    /// piece alone.
    fileprivate var takesPieces: Bool {
        if task is any CallersTask { return true }
        guard let task, let registry = session.flatMap({ property("taskRegistry", of: $0) }),
            let behaviours = property("behaviours", of: registry) as? [Int: Any],
            let behaviour = behaviours[task.taskIdentifier]
        else { return false }
        return "\(behaviour)" == "callDelegate"
    }

    /// The session of the task.
    private var session: URLSession? {
        task.flatMap { property("session", of: $0) } as? URLSession
    }

    /// The value of a private property.
    private func property(_ name: String, of object: Any) -> Any? {
        var mirror: Mirror? = Mirror(reflecting: object)
        while let level = mirror {
            if let property = level.children.first(where: { $0.label == name }) {
                let value = Mirror(reflecting: property.value)
                return value.displayStyle == .optional ? value.children.first?.value : property.value
            }
            mirror = level.superclassMirror
        }
        return nil
    }
}

#else

/// The thread of a load. A `URLProtocol` answers there:
/// https://developer.apple.com/library/archive/samplecode/CustomHTTPProtocol/
private struct LoadingThread: Sendable {
    /// Unsafe only to the compiler: the functions of a run loop that are called here may be called on any thread.
    nonisolated(unsafe) private let runLoop = CFRunLoopGetCurrent()

    func perform(_ work: @escaping @Sendable () -> Void) {
        CFRunLoopPerformBlock(runLoop, CFRunLoopMode.defaultMode.rawValue, work)
        CFRunLoopWakeUp(runLoop)
    }
}

extension StubbedLoad {
    fileprivate var reasonToRefuse: URLError? { nil }
    fileprivate var wholeRequest: URLRequest { request }
    fileprivate var takesPieces: Bool { true }
}

#endif
