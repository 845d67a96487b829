#if canImport(FoundationNetworking)

import Foundation

/// A request to send, and the body of an upload.
struct Outgoing: Sendable {
    var request: URLRequest
    var kind: TaskKind

    /// The credential in the request, if it answers a challenge.
    var usedCredential: UsedCredential?

    /// The `Cookie` field of the request if a storage filled it, not the caller.
    var storedCookies: String?

    /// When the request was sent. Nil for a `URLProtocol` of the caller, which stores its cookies itself, as on Apple's platforms
    /// (https://github.com/lionheart/openradar-mirror/issues/18349).
    private(set) var dateOfSending: Date?

    /// How often the request was sent before, by connections that were lost.
    private var repetitions = 0

    init(_ request: URLRequest, _ kind: TaskKind) {
        self.request = request
        self.kind = kind
    }

    /// The request once it is sent.
    func sent(by loader: Loader) -> Outgoing {
        var sent = self
        sent.dateOfSending = if case .http = loader { Date() } else { nil }
        return sent
    }

    /// The request to send after its connection was lost. Nil if nobody knows whether the server may act on it twice (RFC 9110,
    /// section 9.2.2), or if that was tried often enough: the server may have closed all connections that are kept.
    var repeated: Outgoing? {
        guard isIdempotent, repetitions < Self.mostRepetitions else { return nil }
        var next = self
        next.repetitions += 1
        return next
    }

    private static let mostRepetitions = 5

    private var isIdempotent: Bool {
        ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"].contains(request.httpMethod ?? "GET")
    }
}

/// What an exchange does after a response that asks for another request.
enum NextStep: Sendable {
    case send(Outgoing)

    /// Ask the delegate for a new body stream, because the first was read, and send this request with it. Without one, end.
    case renewStream(Outgoing, orEndWith: TaskOutcome)
    case end(TaskOutcome)

    /// Sends a request again, or another one, or ends if there is none.
    init(sending outgoing: Outgoing?, orEndWith outcome: TaskOutcome) {
        if let outgoing {
            // Workaround: streamAfterChallenge
            let needsStream = outgoing.request.httpBodyStream != nil && !outgoing.kind.isUpload
            self = needsStream ? .renewStream(outgoing, orEndWith: outcome) : .send(outgoing)
        } else {
            self = .end(outcome)
        }
    }
}

#endif
