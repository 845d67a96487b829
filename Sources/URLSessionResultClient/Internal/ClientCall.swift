import Foundation

/// What a client or a retry knows of a call and the request does not show.
///
/// A task-local value, because other middleware may stand between.
struct ClientCall: Sendable {
    @TaskLocal static var current: ClientCall?

    /// A call whose request shows all that matters.
    static var withoutClient: ClientCall {
        ClientCall(conditions: Conditions(session: nil, statusCodes: [], maximumBodySize: nil))
    }

    /// What calls have in common that may have one response.
    struct Conditions: Hashable, Sendable {
        /// Whoever waits for the response keeps the session.
        let session: ObjectIdentifier?
        let statusCodes: [Int]
        let maximumBodySize: Int?
    }

    /// What is sent with the request.
    var content: RequestBody.Content?

    /// Nil for a call whose response is for nobody else.
    var conditions: Conditions?

    /// Where the reports go.
    var progress: ProgressHandler?

    var history = CallHistory()
}

extension APIClient {
    /// A call whose response is read into memory.
    func call(
        sending body: RequestBody?, accepting codes: [Int], of history: CallHistory, progress: ProgressHandler?
    ) -> ClientCall {
        var call = ClientCall(content: body?.content, progress: progress, history: history)
        // Files and forms are not compared.
        if call.content?.isUploaded != true {
            call.conditions = ClientCall.Conditions(
                session: ObjectIdentifier(session), statusCodes: codes, maximumBodySize: maximumBodySize)
        }
        return call
    }
}
