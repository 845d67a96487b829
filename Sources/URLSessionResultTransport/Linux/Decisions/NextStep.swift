#if canImport(FoundationNetworking)

import Foundation

/// What a transfer does after a response that asks for another request.
enum NextStep: Sendable {
    case send(Outgoing)

    /// Ask the delegate for a new body stream, because the first was read, and send this request with it. Without one, end.
    case renewStream(Outgoing, orEndWith: TaskOutcome)
    case end(TaskOutcome)

    /// Sends a request, or ends if there is none.
    init(sending outgoing: Outgoing?, orEndWith outcome: @autoclosure () -> TaskOutcome) {
        if let outgoing {
            // Workaround: streamAfterChallenge
            let needsStream = outgoing.request.httpBodyStream != nil && !outgoing.kind.isUpload
            self = needsStream ? .renewStream(outgoing, orEndWith: outcome()) : .send(outgoing)
        } else {
            self = .end(outcome())
        }
    }
}

#endif
