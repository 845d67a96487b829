#if canImport(FoundationNetworking)

import Foundation

/// What sends a request and receives its response: libcurl, a `URLProtocol` of the caller, or a task of the inner session.
protocol Load: AnyObject, Sendable {
    var response: URLResponse? { get }

    var countOfBytesSent: Int64 { get }
    var countOfBytesExpectedToSend: Int64 { get }

    /// Nil until the load is over. Not every load has any.
    var metrics: TransactionMetrics? { get }
    func start()

    /// Ends the load, unless it is over. Does not wait.
    func stop()

    /// Stops reading from the server, which has to wait then, or goes on reading. Not every load can.
    func setReceivingPaused(_ isPaused: Bool)
}

extension Load {
    var metrics: TransactionMetrics? { nil }
    func setReceivingPaused(_ isPaused: Bool) {}
}

/// Who loads a request.
enum Loader: Sendable {
    /// libcurl (`CurlLoad`).
    case http

    /// The cache of the session, whose policy prefers what the caller has stored there.
    case cache(CachedURLResponse)

    /// A `URLProtocol` that the caller has given to the session.
    case urlProtocol(URLProtocol.Type)

    /// FoundationNetworking, as it sees fit: `data` URLs, a `URLProtocol` that the caller has registered for all sessions, or
    /// nobody.
    case innerSession
}

extension Loader {
    /// This loader, or the cache, if the request prefers a stored response.
    ///
    /// - Throws: The reason why nobody may load it.
    func orCache(of configuration: URLSessionConfiguration, for request: URLRequest, _ kind: TaskKind) throws -> Loader
    {
        guard case .http = self, case .data = kind, let stored = try configuration.storedResponse(for: request) else {
            return self
        }
        return .cache(stored)
    }

    /// Makes the load of a request.
    ///
    /// - Parameters:
    ///   - request: The request with what the session's configuration adds to it.
    ///   - transaction: The transaction, which is told what arrives, and has the body of an upload.
    ///   - curl: The libcurl, or nil if there is none.
    /// - Returns: The load, which is not started yet.
    /// - Throws: The reason why there is nothing to send: the file of an upload cannot be read.
    func makeLoad(
        of request: URLRequest, for transaction: Transaction, using curl: Curl? = .loaded
    ) throws -> any Load {
        var request = request
        let body = transaction.prepared.kind.body
        switch self {
        case .urlProtocol(let loadingClass):
            // Workaround: bodyForProtocol
            if let body { request.httpBody = try body.contents() }
            return ProtocolLoad(of: request, by: loadingClass, for: transaction)
        case .http:
            guard let curl else {
                return try Self.makeLoadWithoutLibcurl(of: request, for: transaction)
            }
            let source = UploadSources.source(of: request, uploading: body)
            return try CurlLoad(curl, EventLoop.running(), of: request, sending: source, for: transaction)
        case .cache(let stored):
            return CachedLoad(stored, for: transaction)
        case .innerSession:
            let contents = try body?.contents()
            // A `URLProtocol` gets no body but `httpBody`: FoundationNetworking does not show it the body of an upload task.
            if let contents { request.httpBody = contents }
            return InnerSession.makeTask(for: request.withWholeTimeout, sending: contents, for: transaction)
        }
    }

    /// Makes a load of FoundationNetworking's for a request over http.
    private static func makeLoadWithoutLibcurl(of request: URLRequest, for transaction: Transaction) throws -> any Load
    {
        let settings = transaction.callersSession.tlsSettings
        guard request.url.flatMap(settings.pinnedPublicKeys) == nil,
            request.url.flatMap(settings.clientCertificate) == nil
        else {
            throw URLError(
                .secureConnectionFailed, at: request.url,
                saying: "Without libcurl, no key can be pinned and no certificate shown.")
        }
        return try innerSession.makeLoad(of: request, for: transaction)
    }
}

/// The queue on which `URLProtocol` classes of callers are asked, and their loads are started and stopped. They come one after the
/// other, as from FoundationNetworking, because a mock has no locks. Nobody waits for this queue, because a mock may block it, or
/// send a request itself.
let protocolQueue = DispatchQueue(label: "URLSessionResult.protocols")

extension URLSessionConfiguration {
    /// Finds who loads a request.
    ///
    /// - Parameters:
    ///   - request: The request as it will be sent.
    ///   - found: A function that takes the loader: at once, or on `protocolQueue` if a class of the caller has to be asked.
    func findLoader(of request: URLRequest, _ found: @escaping @Sendable (Loader) -> Void) {
        if hasCallersProtocols {
            protocolQueue.async { found(self.loader(of: request)) }
        } else {
            found(loader(of: request))
        }
    }

    private func loader(of request: URLRequest) -> Loader {
        let isForHTTP = request.url?.isForHTTP == true
        for loadingClass in protocolClasses ?? [] {
            if Self.isOwn(loadingClass) {
                if isForHTTP, loadingClass == Self.httpProtocol { return .http }
            } else if let loadingClass = loadingClass as? URLProtocol.Type, loadingClass.canInit(with: request) {
                return .urlProtocol(loadingClass)
            }
        }
        // Classes that are registered for all sessions come last.
        return isForHTTP ? .http : .innerSession
    }

    var hasCallersProtocols: Bool {
        protocolClasses?.contains { !Self.isOwn($0) } == true
    }

    /// Whether a class is not the caller's: it is one of FoundationNetworking, or that of listed tasks. `URLSession.shared` has
    /// all classes that were registered before it was made.
    private static func isOwn(_ loadingClass: AnyClass) -> Bool {
        // The usual classes come first, because to print a name takes longer.
        usualClasses.contains(ObjectIdentifier(loadingClass)) || loadingClass == ListedTaskProtocol.self
            || String(reflecting: loadingClass).hasPrefix("FoundationNetworking.")
    }

    /// The class of FoundationNetworking that loads HTTP, which is private.
    private static let httpProtocol: AnyClass? = URL(string: "http://localhost").flatMap { url in
        URLSessionConfiguration.default.protocolClasses?.first { loadingClass in
            (loadingClass as? URLProtocol.Type)?.canInit(with: URLRequest(url: url)) == true
        }
    }

    /// The classes of FoundationNetworking that each configuration has.
    private static let usualClasses = Set(
        (URLSessionConfiguration.default.protocolClasses ?? []).map { ObjectIdentifier($0) })
}

extension URLRequest {
    /// The request with what its session's configuration adds to it.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - excluded: The names of header fields that are not added, in lower case.
    /// - Returns: The request.
    func completed(
        by configuration: URLSessionConfiguration, without excluded: [String]
    ) -> URLRequest {
        var request = self
        let timeout = timeout(sessionTimeout: configuration.timeoutIntervalForRequest)
        // A change copies the request.
        if request.timeoutInterval != timeout { request.timeoutInterval = timeout }
        for (name, value) in configuration.httpAdditionalHeaders ?? [:] {
            let name = "\(name)"
            if excluded.contains(name.lowercased()) { continue }
            if request.value(forHTTPHeaderField: name) == nil { request.setValue("\(value)", forHTTPHeaderField: name) }
        }
        if request.authenticatesConnection { request.setValue("close", forHTTPHeaderField: "Connection") }
        return request
    }

    /// Whether the server may take the connection for the user's from now on (RFC 4559). The next request may be that of another
    /// user, so it must not be kept.
    private var authenticatesConnection: Bool {
        let scheme = value(forHTTPHeaderField: "Authorization")?.split(separator: " ").first?.lowercased()
        return scheme == "negotiate" || scheme == "ntlm"
    }
}

#endif
