#if canImport(FoundationNetworking)

import Foundation

/// A redirect: the request that a delegate is asked about, and what is sent after its answer.
///
/// `Shared/Redirects/RedirectedRequest.swift` says where it leads, and what it keeps of the request. FoundationNetworking proposes a
/// request, too, which is not used: that one goes to a wrong URL if `Location` is relative, makes a GET of every HEAD after a
/// 303, and takes all header fields along to any origin (`_HTTPURLProtocol.redirectRequest`).
struct Redirect: Sendable {
    let response: HTTPURLResponse

    /// What is sent unless the delegate wants another request.
    let proposal: PreparedRequest

    /// Is nil if `Location` is missing or malformed.
    ///
    /// - Parameters:
    ///   - response: The response that redirects.
    ///   - prepared: The request that it answers.
    ///   - request: The next request if a `URLProtocol` of the caller has made it.
    ///   - configuration: The configuration of the session.
    ///   - cookies: The cookies of the transfer.
    ///   - fields: The header fields that go along to another origin.
    /// - Throws: The error that the transfer ends with: there were too many redirects.
    init?(
        _ response: HTTPURLResponse, of prepared: PreparedRequest, to request: URLRequest?,
        configuration: URLSessionConfiguration, adding cookies: Cookies,
        keeping fields: RedirectedFields
    ) throws {
        guard prepared.redirectCount < URLRequest.mostRedirects else {
            throw URLError(.httpTooManyRedirects, at: response.url)
        }
        guard var next = request ?? prepared.request.redirected(by: response) else { return nil }
        // FoundationNetworking crashes if a request without a URL is changed.
        guard let target = next.url else { throw URLError(.unsupportedURL, at: response.url) }
        var earlier = prepared.request
        if request != nil {
            // The protocol was given the fields of the session, too.
            earlier = prepared.completed(by: configuration)
            if target.origin != prepared.request.url?.origin { next.removeCredentials(of: earlier) }
        }
        if fields == .descriptive { next.removeSecrets(of: earlier) }
        var proposal = prepared.redirected(to: next)
        cookies.add(to: &proposal)
        self.response = response
        self.proposal = proposal
    }

    /// The request after the decision of the delegate.
    ///
    /// - Parameter answer: The request that the delegate wants to send, or nil to stop here.
    /// - Returns: The request, or nil if none follows.
    /// - Throws: The error that the transfer ends with.
    func next(_ answer: URLRequest?) throws -> PreparedRequest? {
        guard let answer else { return nil }
        // A redirect must not read a file or reach a server that speaks another protocol.
        guard let url = answer.url, url.isForHTTP else { throw URLError(.unsupportedURL, at: answer.url) }
        return proposal(changedTo: answer)
    }

    private func hasNewStream(_ request: URLRequest) -> Bool {
        guard let stream = request.httpBodyStream else { return false }
        return stream !== proposal.request.httpBodyStream
    }

    private func proposal(changedTo request: URLRequest) -> PreparedRequest {
        var prepared = proposal.changed(to: request, after: response)
        // An upload without a body, or with one that the delegate has set, is sent as any other request.
        let hasNewData = request.httpBody != nil && request.httpBody != proposal.request.httpBody
        let hasOwnBody = hasNewData || hasNewStream(request)
        let hasNoBody = request.httpMethod == "GET" || request.httpMethod == "HEAD"
        // Workaround: bodyAfterRedirect
        if proposal.kind.isUpload, hasOwnBody || hasNoBody { prepared.kind = .data }
        return prepared
    }
}

#endif
