import Foundation
internal import URLSessionResultTransport

/// A session that answers from memory, for tests.
///
/// ```swift
/// let stub = SessionStub(.json("[]"))
/// let client = AlbumsClient(session: stub.session, url: url)
/// #expect(try await client.albums().get().isEmpty)
/// ```
///
/// Give `session` to the code that you test, whether that uses URLSessionResult or `URLSession`. It answers whatever is
/// requested, except `data` URLs, which need no server. A client that makes its own session takes the configuration,
/// `stub.session.configuration`, and keeps its `httpAdditionalHeaders`: a field of them says which stub it is.
///
/// Each stub is known by its session, not by URLs. So tests may run side by side, with the same URLs. A stub answers as long as
/// its session is kept; another session of its configuration fails with `URLError.cannotConnectToHost` after that. On Apple's
/// platforms, a session may live until it is invalidated: end a test that makes many with
/// `stub.session.finishTasksAndInvalidate()`. There, a request that does not show the field is answered by the only stub that
/// lives.
///
/// **Limits.** A stub does not work on watchOS: sessions there ignore `URLProtocol`. A
/// ``Answer/response(statusCode:headers:body:)`` with status 302 goes to the caller as it is: a redirect to follow is
/// ``Answer/redirect(to:statusCode:headers:)``. Cookies are not stored. On Linux:
///
/// - A download task of `URLSession` itself fails with `URLError.cannotCreateFile`: FoundationNetworking would make no file, or
///   crash. Downloads of URLSessionResult succeed.
/// - A task of `URLSession` with a completion handler gets the pieces of a ``Answer/stream(statusCode:headers:body:)`` as one at
///   its end. A task of `URLSession` does not show the request that follows a redirect as its `currentRequest`.
/// - A 401 with a `WWW-Authenticate` field asks the delegate for a credential. The timeout of a request does not fire.
public final class SessionStub: Sendable {
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
    ///   - configuration: The configuration of the session, for a client that has one of its own. It is copied, and the copy loads
    ///     from the stub alone.
    ///   - first: The answer to the first request.
    ///   - others: The answers to those that follow.
    public convenience init(
        configuration: URLSessionConfiguration = .ephemeral, _ first: Answer, _ others: Answer...
    ) {
        self.init(configuration: configuration, answers: .inTurn([first] + others))
    }

    /// Creates a stub that asks a function for each answer.
    ///
    /// ```swift
    /// let stub = SessionStub { request in
    ///     request.url?.path == "/albums" ? .json("[]") : .response(statusCode: 404)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the session, for a client that has one of its own. It is copied, and the copy loads
    ///     from the stub alone.
    ///   - answer: A function that is called for each request, with its body in `httpBody`. It may be called for several
    ///     at once, may wait, for example for a ``Gate``, and is cancelled with its request. If it throws, the request fails
    ///     with that error. It has the task-local values of the task that made the stub. So what it expects belongs to its
    ///     test.
    public convenience init(
        configuration: URLSessionConfiguration = .ephemeral,
        _ answer: @escaping @Sendable (URLRequest) async throws -> Answer
    ) {
        self.init(configuration: configuration, answers: .asked(answer))
    }

    private init(configuration: URLSessionConfiguration, answers: StubbedServer.Answers) {
        server = StubbedServer(answers: answers, configuration: configuration)
        session = URLSession(configuration: configuration.loading(from: server))
        StubbedServers.all.begin(server, of: self)
    }

    deinit {
        // Later, because the session is released after this, and `end(_:)` leaves a server whose session lives.
        DispatchQueue.global().async { [id = server.id] in StubbedServers.all.end(id) }
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
    /// - Parameter answer: As for ``init(configuration:_:)``.
    public func answer(_ answer: @escaping @Sendable (URLRequest) async throws -> Answer) {
        server.change(to: .asked(answer))
    }

    /// The requests that were sent, in order, with those after a redirect, and with those that failed or were cancelled. Each has its
    /// body in `httpBody`, even if it was a stream or a file, and is listed once that was read.
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
