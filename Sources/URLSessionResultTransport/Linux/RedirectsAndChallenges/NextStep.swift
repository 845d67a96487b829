#if canImport(FoundationNetworking)

import Foundation

/// What a transfer does after a response that asks for another request.
enum NextStep: Sendable {
    case send(PreparedRequest)

    /// Ask the delegate for a new body stream, because the first was read, and send this request with it. Without one, end.
    case renewStream(PreparedRequest, orEndWith: TaskOutcome)
    case end(TaskOutcome)

    /// Sends a request, or ends if there is none.
    init(sending prepared: PreparedRequest?, orEndWith outcome: @autoclosure () -> TaskOutcome) {
        if let prepared {
            // Workaround: streamAfterChallenge
            let needsStream = prepared.request.httpBodyStream != nil && !prepared.kind.isUpload
            self = needsStream ? .renewStream(prepared, orEndWith: outcome()) : .send(prepared)
        } else {
            self = .end(outcome())
        }
    }
}

#endif
