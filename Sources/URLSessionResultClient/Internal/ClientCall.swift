import Foundation

/// What a client or a retry knows of a call and the request does not show.
struct ClientCall: Sendable {
    /// A call whose request shows all that matters.
    static var withoutClient: ClientCall {
        var call = ClientCall(conditions: Conditions(session: nil, statusCodes: [], maximumBodySize: nil))
        call.isBeingSent = true
        return call
    }

    /// What calls have in common that may have one response.
    struct Conditions: Hashable, Sendable {
        /// Whoever waits for the response keeps the session.
        let session: ObjectIdentifier?
        let statusCodes: [Int]
        let maximumBodySize: Int?
    }

    /// By what a request of the call is told from others.
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

    /// Nil for a call whose response is for nobody else.
    var conditions: Conditions?

    /// Where the reports go.
    var progress: ProgressHandler?

    var user = CallUser()
    let advances = CallProgress(0)

    /// That of the request, as the last middleware has changed it.
    var target: Target?

    /// The call, the place or the shared work that the call was sent from.
    var outside: Surroundings.ID?

    /// Whether all middleware of the client has changed the request.
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
