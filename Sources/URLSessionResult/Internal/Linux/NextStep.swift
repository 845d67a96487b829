#if canImport(FoundationNetworking)

import Foundation

/// What an exchange does after a response that asks for another request.
enum NextStep: Sendable {
    /// Send this request with a task of this kind.
    case send(URLRequest, TaskKind)

    /// Ask the delegate for a new body stream, because the first was read, and send this request with it. Without one, end.
    case renewStream(URLRequest, TaskKind, orEndWith: TaskOutcome)
    case end(TaskOutcome)

    /// The step after a redirect.
    ///
    /// - Parameters:
    ///   - redirect: The response that redirects.
    ///   - request: The request that the session's delegate wants to send, or nil to stop here.
    ///   - hasTimedOut: Whether the timeout of the task has fired while the delegate decided.
    ///   - kind: The kind of the task that was redirected.
    ///   - configuration: The configuration of the session.
    init(
        after redirect: HTTPURLResponse, to request: URLRequest?, hasTimedOut: Bool, kind: TaskKind,
        configuration: URLSessionConfiguration
    ) {
        if hasTimedOut {
            self = .end(.failure(.timedOut, at: redirect.url))
        } else if let request, !request.isForHTTP {
            // A redirect must not read a file or reach a server that speaks another protocol.
            self = .end(.failure(.unsupportedURL, at: request.url))
        } else {
            let outcome = TaskOutcome(data: Data(), response: redirect)
            let sendsBody = request?.httpMethod != "GET" && request?.httpMethod != "HEAD"
            let nextKind = kind.isUpload && !sendsBody ? .data : kind
            self.init(toSend: request, nextKind, orEndWith: outcome, configuration: configuration)
        }
    }

    /// The step after a challenge.
    ///
    /// - Parameters:
    ///   - challenge: The challenge.
    ///   - request: The request that was challenged.
    ///   - received: What has arrived of the response.
    ///   - disposition: The decision of the session's delegate.
    ///   - credential: The credential of the session's delegate.
    ///   - kind: The kind of the task that was challenged.
    ///   - configuration: The configuration of the session.
    init(
        after challenge: URLAuthenticationChallenge, to request: URLRequest, received: TaskOutcome?,
        disposition: URLSession.AuthChallengeDisposition, credential: URLCredential?, kind: TaskKind,
        configuration: URLSessionConfiguration
    ) {
        guard disposition != .cancelAuthenticationChallenge else {
            self = .end(.failure(.cancelled, at: request.url))
            return
        }
        guard let response = challenge.failureResponse else {
            // A `URLProtocol` of the caller may ask without a response.
            self = .end(.failure(.userAuthenticationRequired, at: request.url))
            return
        }
        let credential =
            switch disposition {
            case .useCredential: credential
            case .performDefaultHandling: challenge.storedCredential(in: configuration.urlCredentialStorage)
            default: nil as URLCredential?
            }
        let answer = credential.flatMap { request.answering(challenge, with: $0) }
        let outcome = TaskOutcome(data: received?.data, file: received?.file, response: response)
        self.init(toSend: answer, kind, orEndWith: outcome, configuration: configuration)
    }

    private init(
        toSend request: URLRequest?, _ kind: TaskKind, orEndWith outcome: TaskOutcome,
        configuration: URLSessionConfiguration
    ) {
        guard let request else {
            self = .end(outcome)
            return
        }
        if request.httpBodyStream != nil, !kind.isUpload {
            self = .renewStream(request, kind, orEndWith: outcome)
        } else {
            self = .send(request, kind)
        }
    }
}

extension URLRequest {
    /// Whether the scheme is that of HTTP, with or without TLS.
    fileprivate var isForHTTP: Bool { url?.scheme == "http" || url?.scheme == "https" }
}

// Workaround: `URLSession` sends an empty body stream after a challenge that was answered
// Instead: the library asks the delegate for a new stream, and ends with the 401 if there is none
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.streamAfterChallenge
// Upstream: not reported
// May go: `renewStream`

#endif
