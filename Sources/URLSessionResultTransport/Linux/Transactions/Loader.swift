#if canImport(FoundationNetworking)

import Foundation

/// What sends a request and receives its response: a task of an inner session, or a load by a `URLProtocol` of the caller.
protocol Load: AnyObject, Sendable {
    var response: URLResponse? { get }

    /// The status code of the latest head of the server, or nil if a proxy's may be the latest, and nothing tells them apart. Is asked
    /// while the load gives a head.
    var statusCodeOfServer: Int? { get }
    var countOfBytesSent: Int64 { get }
    var countOfBytesExpectedToSend: Int64 { get }
    func start()

    /// Ends the load, unless it is over. Does not wait.
    func stop()
}

extension Load {
    var statusCodeOfServer: Int? { nil }
}

/// Who loads a request.
enum Loader: Sendable {
    case http

    /// A `URLProtocol` that the caller has given to the session.
    case urlProtocol(URLProtocol.Type)

    /// FoundationNetworking, as it sees fit: `data` URLs, a `URLProtocol` that the caller has registered for all sessions, or
    /// nobody.
    case session
}

extension Loader {
    /// Makes the load of a request.
    ///
    /// - Parameters:
    ///   - request: The request with what the session's configuration adds to it.
    ///   - transaction: The transaction, which is told what arrives, and has the body of an upload.
    /// - Returns: The load, which is not started yet.
    /// - Throws: The reason why there is nothing to send: the file of an upload cannot be read.
    func makeLoad(of request: URLRequest, for transaction: Transaction) throws -> any Load {
        var request = request
        let body = transaction.prepared.kind.body
        switch self {
        case .urlProtocol(let loadingClass):
            // Workaround: bodyForProtocol
            if let body { request.httpBody = try body.contents() }
            return ProtocolLoad(of: request, by: loadingClass, for: transaction)
        case .http:
            if let cached = try transaction.cachedLoad { return cached }
            if body == nil, let stream = request.httpBodyStream {
                let stream = CallersStream(stream)
                request.httpBodyStream = stream
                let task = InnerSession.makeTask(for: request, sending: nil, byHTTP: true, for: transaction)
                return StreamedUpload(task: task, failureOfStream: stream.failure)
            }
            guard let streamed = request.streamedBody(ofUpload: body) else {
                return InnerSession.makeTask(
                    for: request, sending: try body?.contents(), byHTTP: true, for: transaction)
            }
            let stream = UploadStream(of: streamed)
            request = request.sending(stream, ofLength: streamed.length)
            let task = InnerSession.makeTask(for: request, sending: nil, byHTTP: true, for: transaction)
            stream.task = task
            // Workaround: keptConnection
            if streamed.length == 0 {
                stream.whenOpened = { [weak task] in task?.libcurlTransfer()?.sendOnce() }
            }
            return StreamedUpload(task: task, failureOfStream: stream.failure, length: streamed.length)
        case .session:
            let contents = try body?.contents()
            // FoundationNetworking shows a `URLProtocol` no other body.
            if let contents { request.httpBody = contents }
            return InnerSession.makeTask(for: request, sending: contents, byHTTP: false, for: transaction)
        }
    }
}

/// Where the classes of callers are asked, and their loads are started and stopped, one after the other as by
/// FoundationNetworking: a mock has no locks. Nobody waits for it, because a mock may block it, or send a request itself.
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
        return isForHTTP ? .http : .session
    }

    var hasCallersProtocols: Bool {
        protocolClasses?.contains { !Self.isOwn($0) } == true
    }

    /// Whether a class is not the caller's: it is one of FoundationNetworking, or that of listed tasks. `URLSession.shared` has
    /// all classes that were registered before it was made.
    private static func isOwn(_ loadingClass: AnyClass) -> Bool {
        // To print the name takes longer.
        usualClasses.contains(ObjectIdentifier(loadingClass)) || loadingClass == ListedTaskProtocol.self
            || String(reflecting: loadingClass).hasPrefix("FoundationNetworking.")
    }

    static let classesForHTTP = httpProtocol.map { [$0] } ?? []

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
    func completed(by configuration: URLSessionConfiguration) -> URLRequest {
        var request = self
        let timeout = wholeTimeout(sessionTimeout: configuration.timeoutIntervalForRequest)
        // A change copies the request.
        if request.timeoutInterval != timeout { request.timeoutInterval = timeout }
        for (name, value) in configuration.httpAdditionalHeaders ?? [:] {
            let name = "\(name)"
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
