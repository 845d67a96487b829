#if canImport(FoundationNetworking)

import Foundation

/// A task of the caller's session that loads nothing, and ends when it is cancelled.
///
/// It ties an exchange to the session, which shows the anchor among its tasks, waits for it when it finishes its tasks, and
/// cancels it when it is invalidated. Its handler keeps the exchange: a task that the caller drops without resuming it still ends
/// with its session.
final class Anchor: Sendable {
    private let task: URLSessionTask

    /// Whether the task may be resumed: not in a session with a `URLProtocol` of the caller, who would be asked about it. A
    /// session lists only tasks that were resumed.
    private let mayRun: Bool
    private let isCancelled = Locked(false)

    /// - Parameters:
    ///   - session: The session of the caller.
    ///   - request: The request of the caller.
    ///   - configuration: The configuration of the session.
    ///   - kind: The kind of the caller's task, as the session lists it.
    ///   - whenCancelled: A function that is called when the session cancels its tasks, and when `cancel()` does.
    init(
        in session: URLSession, for request: URLRequest, configuration: URLSessionConfiguration, kind: TaskKind,
        whenCancelled: @escaping @Sendable () -> Void
    ) {
        // Others may load it all the same, if they are registered for all sessions and for every scheme.
        let ended: @Sendable ((any Error)?) -> Void = { error in
            if (error as? URLError)?.code == .cancelled { whenCancelled() }
        }
        if let anchor = request.anchor, !configuration.hasCallersProtocols {
            mayRun = AnchorProtocol.isRegistered
            task =
                switch kind {
                case .data: session.dataTask(with: anchor) { ended($2) }
                case .download: session.downloadTask(with: anchor) { ended($2) }
                case .upload, .fileUpload: session.uploadTask(with: anchor, from: Data()) { ended($2) }
                }
        } else {
            mayRun = false
            // A download, because it looks for no cached response.
            task = session.downloadTask(with: Self.requestForNothing) { ended($2) }
        }
    }

    var taskIdentifier: Int { task.taskIdentifier }

    func resume() {
        guard mayRun else { return }
        // The request may be over by now.
        isCancelled.withLock { isCancelled in
            if !isCancelled { task.resume() }
        }
    }

    func cancel() {
        soon { [self] in
            isCancelled.withLock { $0 = true }
            if mayRun { task.cancel() } else { end() }
        }
    }

    /// Ends a task that was not resumed as `cancel()` does, which would make a `URLProtocol` of the caller and stop it.
    private func end() {
        // This waits for the work queue. The session knows the task by then.
        _ = task.priority
        // Safe, although the compiler cannot see it: nobody else has it.
        nonisolated(unsafe) let load = AnchorProtocol(task: task, cachedResponse: nil, client: nil)
        onWorkQueue {
            // Unless the session has cancelled it.
            guard load.task?.state == .suspended else { return }
            load.client?.urlProtocol(load, didFailWithError: URLError(.cancelled))
        }
    }

    private static let requestForNothing = URLRequest(url: URL(string: "data:,") ?? URL(fileURLWithPath: "/"))
}

extension URLRequest {
    /// The request of an anchor for this one, or nil for a request that a `URLProtocol` of the caller may load.
    fileprivate var anchor: URLRequest? {
        guard let url, url.isForHTTP else { return nil }
        return URL(string: "\(AnchorProtocol.scheme):\(url.absoluteString)").map { URLRequest(url: $0) }
    }
}

/// Loads nothing, until it is stopped.
private final class AnchorProtocol: URLProtocol {
    static let scheme = "data+anchor"
    static let isRegistered = URLProtocol.registerClass(AnchorProtocol.self)

    override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == scheme }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func startLoading() {}
    override func stopLoading() {}
}

// Part of: Exchange

#endif
