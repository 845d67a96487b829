// Source: https://developer.apple.com/documentation/foundation/urlprotocol
open class URLProtocol: NSObject {
    public let request: URLRequest
    public let client: (any URLProtocolClient)?
    public fileprivate(set) var task: URLSessionTask?

    public required init(request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?) {
        self.request = request
        self.client = client
    }

    open class func canInit(with request: URLRequest) -> Bool { false }
    open class func canInit(with task: URLSessionTask) -> Bool { task.currentRequest.map(canInit(with:)) ?? false }
    open class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    open func startLoading() {}
    open func stopLoading() {}
}

// Source: https://developer.apple.com/documentation/foundation/urlprotocolclient
public protocol URLProtocolClient: NSObjectProtocol, Sendable {
    func urlProtocol(_ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse)
    func urlProtocol(
        _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy)
    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data)
    func urlProtocolDidFinishLoading(_ protocol: URLProtocol)
    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error)
}

/// Loads a request with a class of the caller's, which is started and stopped on the one thread of all of them.
// Source: https://developer.apple.com/library/archive/samplecode/CustomHTTPProtocol/
final class ProtocolLoad: NSObject, Load, URLProtocolClient, @unchecked Sendable {
    let mayBeRepeated = false
    private let transfer: Transfer
    // Guarded by the condition of the task.
    private var events: [Result<LoadEvent, any Error>] = []
    private var isStopped = false
    /// Used on the thread of the protocols alone.
    private var load: URLProtocol?

    init(by found: URLProtocol.Type, _ request: URLRequest, for transfer: Transfer) throws {
        self.transfer = transfer
        super.init()
        var request = request
        // A protocol sees the body as a stream: kean/Pulse, and Alamofire's tests.
        if let body = try transfer.bodyToSend(with: request) {
            request.httpBody = nil
            request.httpBodyStream = body.stream
        }
        CFRunLoop.ofProtocols.perform { [self, request] in
            let load = found.init(request: request, cachedResponse: nil, client: self)
            load.task = transfer.task
            self.load = load
            load.startLoading()
        }
    }

    func next() throws -> LoadEvent {
        let task = transfer.task
        try transfer.waitUntilResumed()
        var end = Date() + transfer.timeout
        let event: Result<LoadEvent, any Error>? = task.condition.withLock {
            while events.isEmpty, !task.values.isOver, Date() < end {
                _ = task.condition.wait(until: end)
                if task.values.isHeldBack { end = Date() + transfer.timeout }
            }
            return events.isEmpty ? nil : events.removeFirst()
        }
        try transfer.waitUntilResumed()
        guard let event else { throw URLError(.timedOut, at: task.currentRequest?.url) }
        return try event.get()
    }

    func stop() {
        transfer.task.with { _ in isStopped = true }
        CFRunLoop.ofProtocols.perform { [self] in
            load?.stopLoading()
            load = nil
        }
    }

    private func say(_ event: Result<LoadEvent, any Error>) {
        transfer.task.with { _ in if !isStopped { events.append(event) } }
    }

    func urlProtocol(_ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse) {
        if let response = redirectResponse as? HTTPURLResponse { say(.success(.redirect(request, response))) }
    }

    func urlProtocol(
        _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
        say(.success(.response(response)))
    }

    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) { say(.success(.data(data))) }
    func urlProtocolDidFinishLoading(_ protocol: URLProtocol) { say(.success(.end)) }
    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) { say(.failure(error)) }
}
