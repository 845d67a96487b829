#if canImport(FoundationNetworking)

import Foundation

/// What a redirect may do: how many there are, where it leads, and what of the request goes along.
///
/// FoundationNetworking proposes a request, too. That one goes to a wrong URL if `Location` is relative, makes a GET of
/// every HEAD after a 303, and takes all header fields along to any origin (`_HTTPURLProtocol.redirectRequest`).
struct Redirect: Sendable {
    let response: HTTPURLResponse

    /// What is sent unless the delegate wants another request.
    let proposal: Outgoing

    /// Is nil if `Location` is malformed.
    ///
    /// - Parameters:
    ///   - response: The response that redirects.
    ///   - outgoing: The request that it answers.
    ///   - proposal: The next request if a `URLProtocol` of the caller says it.
    ///   - configuration: The configuration of the session.
    ///   - cookies: The cookies that the delegate is shown.
    ///   - fields: The header fields that go along to another origin.
    init?(
        _ response: HTTPURLResponse, of outgoing: Outgoing, proposing proposal: URLRequest? = nil,
        configuration: URLSessionConfiguration, adding cookies: Cookies,
        keeping fields: RedirectedFields = .allButCredentials
    ) {
        guard
            var next = proposal
                ?? outgoing.request.redirected(
                    by: response, inSessionAdding: configuration.namesOfAdditionalFields)
        else { return nil }
        if fields == .descriptive { next.removeSecrets(of: outgoing.request) }
        self.response = response
        var following = Outgoing(next, outgoing.kind)
        following.storedCookies = outgoing.storedCookies
        cookies.add(to: &following)
        self.proposal = following
    }

    /// The step after the decision of the delegate.
    ///
    /// - Parameters:
    ///   - answer: The request that the delegate wants to send, or nil to stop here.
    ///   - hasTimedOut: Whether the timeout of the request has fired while the delegate decided.
    /// - Returns: The step.
    func nextStep(_ answer: URLRequest?, hasTimedOut: Bool) -> NextStep {
        if hasTimedOut { return .end(.failure(.timedOut, at: response.url)) }
        // A redirect must not read a file or reach a server that speaks another protocol.
        if let url = answer?.url, !url.isForHTTP { return .end(.failure(.unsupportedURL, at: url)) }
        return NextStep(
            sending: answer.map(outgoing),
            orEndWith: TaskOutcome(data: Data(), response: response))
    }

    private func outgoing(_ answer: URLRequest) -> Outgoing {
        var next = proposal
        next.request = answer
        // An upload without a body, or with one that the delegate has set, is sent as any other request.
        let hasOwnBody = answer.httpBody != nil && answer.httpBody != proposal.request.httpBody
        let hasNoBody = answer.httpMethod == "GET" || answer.httpMethod == "HEAD"
        // Workaround: bodyAfterRedirect
        if proposal.kind.isUpload, hasOwnBody || hasNoBody { next.kind = .data }
        return next
    }
}

#endif
