#if canImport(FoundationNetworking)

import Foundation

extension URLSession {
    /// Makes a task that loads nothing, and ends when it is cancelled. It ties an exchange to the session, which shows it
    /// among its tasks, waits for it, and cancels it when it is invalidated.
    ///
    /// - Returns: The task, and whether it may be resumed: not where a `URLProtocol` of the caller would load it.
    func anchor(
        for request: URLRequest, of kind: TaskKind, whenCancelled: @escaping @Sendable () -> Void
    ) -> (task: URLSessionTask, mayRun: Bool) {
        let mayRun = AnchorRegistration.isDone && configuration.loader(of: request) == .http
        let url = mayRun ? request.url.flatMap { URL(string: "data+anchor:\($0.absoluteString)") } : nil
        let anchor = URLRequest(url: url ?? Self.urlOfNothing)
        guard url != nil, configuration.loader(of: anchor) == .unknown else {
            // A download looks for no cached response.
            return (downloadTask(with: URLRequest(url: Self.urlOfNothing)) { _, _, _ in whenCancelled() }, false)
        }
        switch kind {
        case .data: return (dataTask(with: anchor) { _, _, _ in whenCancelled() }, true)
        case .download: return (downloadTask(with: anchor) { _, _, _ in whenCancelled() }, true)
        case .upload, .fileUpload:
            return (uploadTask(with: anchor, from: Data()) { _, _, _ in whenCancelled() }, true)
        }
    }

    private static let urlOfNothing = URL(string: "data:,") ?? URL(fileURLWithPath: "/")
}

private final class AnchorProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "data+anchor" }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func startLoading() {}
    override func stopLoading() {}
}

private enum AnchorRegistration {
    static let isDone = URLProtocol.registerClass(AnchorProtocol.self)
}

// Part of: Exchange

#endif
