#if canImport(FoundationNetworking)

import Foundation

/// A request of a transfer: the caller's, or one that follows a response.
struct PreparedRequest: Sendable {
    var request: URLRequest

    /// The kind of the task that sends it. An upload has its body here.
    var kind: TaskKind

    /// The credential that answers a challenge: that of Basic is in the request, and that of Digest is given to libcurl.
    var usedCredential: UsedCredential?

    /// The credential for the proxy, which libcurl answers with, if the proxy has asked for one.
    private(set) var proxyCredential: UsedCredential?

    var usedCredentials: [UsedCredential] { [usedCredential, proxyCredential].compactMap { $0 } }

    /// The `Cookie` field of the request if a storage filled it, and the caller's, which that one replaces.
    var storedCookies: (field: String, replaced: String?)?

    /// When the request was sent. Nil for a stored response, whose cookies were stored when it came, and for a `URLProtocol` of the
    /// caller, which stores its cookies itself, as on Apple's platforms (https://github.com/lionheart/openradar-mirror/issues/18349).
    private(set) var dateOfSending: Date?

    /// How many redirects have led to the request.
    private(set) var redirectCount = 0

    /// Whether one of them has led to another origin. What the session adds for one origin alone is not added any more.
    private var isElsewhere = false

    /// How many credentials have answered the server since the last redirect. It has refused all but the last.
    private(set) var answerCount = 0

    /// How many credentials have answered the proxy since the last redirect. It has refused all but the last.
    private(set) var proxyAnswerCount = 0

    /// How often the request was sent before, by connections that were lost.
    private var repetitions = 0

    init(_ request: URLRequest, _ kind: TaskKind) {
        self.request = request
        self.kind = kind
    }

    /// The request, sent now.
    func sent(by loader: Loader) -> PreparedRequest {
        var sent = self
        sent.dateOfSending = if case .http = loader { Date() } else { nil }
        return sent
    }

    /// The request that follows a redirect.
    func redirected(to request: URLRequest) -> PreparedRequest {
        var next = PreparedRequest(request, kind)
        next.storedCookies = storedCookies
        next.proxyCredential = proxyCredential
        next.redirectCount = redirectCount + 1
        next.isElsewhere = isElsewhere || request.url?.origin != self.request.url?.origin
        return next
    }

    /// The request that a delegate wants after a redirect, in place of this one.
    func changed(to request: URLRequest, after response: HTTPURLResponse) -> PreparedRequest {
        var next = self
        next.request = request
        next.isElsewhere = isElsewhere || request.url?.origin != response.url?.origin
        return next
    }

    /// The request with what its session's configuration adds to it.
    func completed(by configuration: URLSessionConfiguration) -> URLRequest {
        request.completed(by: configuration, without: isElsewhere ? fieldsOfOrigin : [])
    }

    /// The request that follows a challenge of its proxy.
    func answered(forProxyBy credential: UsedCredential) -> PreparedRequest {
        var next = self
        next.proxyCredential = credential
        next.proxyAnswerCount += 1
        return next
    }

    /// The request that follows a challenge.
    func answered(by credential: UsedCredential, in request: URLRequest) -> PreparedRequest {
        var next = self
        next.request = request
        next.usedCredential = credential
        next.answerCount += 1
        return next
    }

    /// The request to send after its connection was lost. Nil if nobody knows whether the server may act on it twice (RFC 9110,
    /// section 9.2.2), or if that was tried often enough: the server may have closed all connections that are kept.
    var repeated: PreparedRequest? {
        guard request.isIdempotent, repetitions < Self.mostRepetitions else { return nil }
        var next = self
        next.repetitions += 1
        return next
    }

    private static let mostRepetitions = 5

    var asksForRest: Bool { request.value(forHTTPHeaderField: "Range") != nil }

    /// The request for the whole file, in place of one for the rest of it.
    var forWhole: PreparedRequest {
        var next = self
        for field in ["Range", "If-Range"] { next.request.setValue(nil, forHTTPHeaderField: field) }
        return next
    }
}

#endif
