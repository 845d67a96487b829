#if canImport(Darwin)

import Foundation

/// A delegate of a task that keeps secret header fields from other origins. Every other message goes to the delegate of the request,
/// and those that this one does not take to the session's delegate.
final class RedirectGuard: NSObject, ForwardingDelegate, Sendable {
    private let delegate: (any URLSessionTaskDelegate)?

    /// Asked about a redirect that the delegate of the request leaves to it, because URLSession then asks only this object.
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
        // The method is optional, so that each of these is nil where the delegate has none.
        let decide =
            delegate?.urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)
            ?? delegateOfSession?.urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)
        guard let decide else { return completionHandler(proposal) }
        decide(session, task, response, proposal, completionHandler)
    }
}

#endif
