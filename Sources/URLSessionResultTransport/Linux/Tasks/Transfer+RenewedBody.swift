#if canImport(FoundationNetworking)

import Foundation

extension PreparedRequest {
    /// Whether the request has the same body stream as one that was sent, which has read it.
    func repeatsStream(of sent: PreparedRequest) -> Bool {
        guard !kind.isUpload, let stream = request.httpBodyStream else { return false }
        return stream === sent.request.httpBodyStream
    }
}

extension Transfer {
    /// Asks the delegate for a new body stream, because the first one was read.
    func renewStream(
        of next: PreparedRequest, after transaction: Transaction, _ cause: Transaction.Cause
    ) {
        // Workaround: streamAfterChallenge
        // The delegate is asked later, on its queue: this may run within its answer to another question, on any thread, and the
        // delegate may hold a lock then.
        session.delegateQueue.addWork { [self] in
            guard transaction.mayBeFollowed else { return }
            delegates.renewStream(of: transaction.task, while: { transaction.mayBeFollowed }) { [self] stream in
                endingWithError {
                    guard let stream else { return transaction.keepResponse(of: cause) }
                    var next = next
                    next.request.httpBodyStream = stream
                    send(next, after: transaction, for: transaction.task)
                }
            }
        }
    }
}

#endif
