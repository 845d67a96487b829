#if canImport(Darwin)

import Foundation

/// A task's delegate that keeps secret header fields from other origins. Every other message goes to the delegate of the request.
/// URLSession gives the session's delegate the messages that neither takes.
final class RedirectGuard: NSObject, ForwardingDelegate, Sendable {
    private let delegate: (any URLSessionTaskDelegate)?

    /// The session's delegate. This object asks it about a redirect if the delegate of the request has no method for that, because
    /// URLSession asks this object alone.
    private let delegateOfSession: (any URLSessionTaskDelegate)?

    private init(delegate: (any URLSessionTaskDelegate)?, delegateOfSession: (any URLSessionTaskDelegate)?) {
        self.delegate = delegate
        self.delegateOfSession = delegateOfSession
    }

    /// Makes a guard if the current Swift task wants one.
    static func make(for session: URLSession) -> RedirectGuard? {
        guard RedirectedFields.current == .descriptive else { return nil }
        return RedirectGuard(delegate: nil, delegateOfSession: session.delegate as? any URLSessionTaskDelegate)
    }

    func forwarding(to delegate: any URLSessionTaskDelegate) -> any URLSessionTaskDelegate {
        RedirectGuard(delegate: delegate, delegateOfSession: delegateOfSession)
    }

    override func responds(to selector: Selector!) -> Bool {
        super.responds(to: selector) || delegate?.responds(to: selector) == true
    }

    override func forwardingTarget(for selector: Selector!) -> Any? { delegate }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        var proposal = request
        // A delegate may have added a secret to the request that this redirect answers.
        for earlier in [task.originalRequest, task.currentRequest].compactMap({ $0 }) {
            proposal.removeSecrets(of: earlier)
        }
        // The method is optional: each of these is nil if the delegate does not have it.
        let decide =
            delegate?.urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)
            ?? delegateOfSession?.urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)
        guard let decide else { return completionHandler(proposal) }
        decide(session, task, response, proposal, completionHandler)
    }
}

#endif
