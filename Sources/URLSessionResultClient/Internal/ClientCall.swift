import Foundation

/// What a client or a retry knows of a call and the request does not show.
struct ClientCall: Sendable {
    /// A call without a client. Its request shows all that matters.
    static var withoutClient: ClientCall {
        var call = ClientCall(conditions: Conditions(session: nil, statusCodes: [], maximumBodySize: nil))
        call.isBeingSent = true
        return call
    }

    /// What has to be equal, besides the request, if calls are to get one response.
    struct Conditions: Hashable, Sendable {
        /// The session by its identity, which stays valid: each call that waits for the response keeps the session.
        let session: ObjectIdentifier?
        let statusCodes: [Int]
        let maximumBodySize: Int?
    }

    /// Tells a request of the call from other requests that its middleware makes.
    struct Target: Equatable, Sendable {
        private let url: URL?
        private let method: String?

        init(of request: URLRequest) {
            url = request.url
            method = request.httpMethod
        }

        /// Whether a request has this target, perhaps with another query.
        func mayBe(of request: URLRequest) -> Bool {
            guard method == request.httpMethod else { return false }
            let other = request.url
            return url == other || url?.withoutQuery == other?.withoutQuery
        }
    }

    let id = Surroundings.ID()

    /// What is sent with the request.
    var content: RequestBody.Content?

    /// Nil for a call that is never joined with others.
    var conditions: Conditions?

    /// Where the reports go.
    var progress: ProgressHandler?

    var user = CallUser()
    let advances = CallProgress(0)

    /// The target of the request, as the middleware so far has changed it.
    var target: Target?

    /// The call, the place or the shared work that this call was sent from within. Nil if there was none.
    var enclosing: Surroundings.ID?

    /// Whether the request has passed all middleware of the client.
    var isBeingSent = false
}

extension APIClient {
    /// A call whose response is read into memory.
    func call(
        sending body: RequestBody?, accepting codes: [Int], of user: CallUser, progress: ProgressHandler?
    ) -> ClientCall {
        var call = ClientCall(content: body?.content, progress: progress, user: user)
        // Files and forms are not compared.
        if call.content?.isUploaded != true {
            call.conditions = ClientCall.Conditions(
                session: ObjectIdentifier(session), statusCodes: codes, maximumBodySize: maximumBodySize)
        }
        return call
    }
}

extension URL {
    fileprivate var withoutQuery: Substring { absoluteString.prefix { $0 != "?" && $0 != "#" } }
}
