#if canImport(FoundationNetworking)

import Foundation

/// What a redirect may do: how many there are, where it leads, and what of the request goes along.
///
/// FoundationNetworking proposes a request, too. That one goes to a wrong URL if `Location` is relative, makes a GET of
/// every HEAD after a 303, and takes all header fields along to any origin (`_HTTPURLProtocol.redirectRequest`).
struct Redirect: Sendable {
    let response: HTTPURLResponse

    /// The request that follows, unless the delegate wants another one. It has no cookies of a storage.
    let proposal: URLRequest
    private let kind: TaskKind

    /// Is nil if `Location` is malformed.
    ///
    /// - Parameters:
    ///   - response: The response that redirects.
    ///   - outgoing: The request that it answers.
    ///   - proposal: The next request if a `URLProtocol` of the caller says it.
    ///   - configuration: The configuration of the session.
    ///   - fields: The header fields that go along to another origin.
    init?(
        _ response: HTTPURLResponse, of outgoing: Outgoing, proposing proposal: URLRequest? = nil,
        configuration: URLSessionConfiguration, keeping fields: RedirectedFields = .allButCredentials
    ) {
        guard
            var next = proposal
                ?? outgoing.request.redirected(
                    by: response, inSessionAdding: configuration.namesOfAdditionalFields)
        else { return nil }
        if fields == .descriptive { next.removeSecrets(of: outgoing.request) }
        self.response = response
        self.proposal = next
        kind = outgoing.kind
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
            sending: answer.map { Outgoing($0, kind(of: $0)) },
            orEndWith: TaskOutcome(data: Data(), response: response))
    }

    /// An upload without a body, or with one that the delegate has set, is sent as any other request.
    private func kind(of answer: URLRequest) -> TaskKind {
        guard kind.isUpload else { return kind }
        let hasOwnBody = answer.httpBody != nil && answer.httpBody != proposal.httpBody
        let hasNoBody = answer.httpMethod == "GET" || answer.httpMethod == "HEAD"
        // Workaround: bodyAfterRedirect
        return hasOwnBody || hasNoBody ? .data : kind
    }
}

#endif
