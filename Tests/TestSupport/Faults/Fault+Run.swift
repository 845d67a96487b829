import Foundation
import URLSessionResult

extension Fault {
    func server(
        over transport: LoopbackServer.Transport = .tcp, keepsRequests: Bool = true
    ) throws -> LoopbackServer {
        try LoopbackServer(
            over: transport, readsBodies: request.uploadedBytes == nil, keepsRequests: keepsRequests, response.play)
    }

    /// The request to which the fault is an answer.
    func request(to url: URL) -> URLRequest {
        var request = URLRequest(url: url, method: uploadedBody == nil ? .get : .post)
        if let timeout = self.request.timeout { request.timeoutInterval = timeout }
        return request
    }

    /// Sends the request with a handler, and waits for the end of its session.
    ///
    /// - Returns: What the handler was called with, each time that it was called.
    func outcomesOfHandler() async throws -> [Outcome] {
        let server = try server()
        let outcomes = Monitor<[Outcome]>([])
        let end = SessionEnd()
        let session = URLSession(configuration: .forTests, delegate: end, delegateQueue: nil)
        let request = request(to: server.url())
        let handler: @Sendable (DataResult) -> Void = { result in outcomes.withLock { $0.append(Outcome(result)) } }
        let task: URLSessionTask =
            if let uploadedBody {
                session.uploadTask(with: request, from: uploadedBody, resultHandler: handler)
            } else {
                session.dataTask(with: request, resultHandler: handler)
            }
        task.resume()
        try await end.follows(session)
        return outcomes.value
    }

    var uploadedBody: Data? { request.uploadedBytes.map(Data.init(count:)) }

    /// Whether an outcome is one that callers are promised on this platform.
    func permits(_ outcome: Outcome) -> Bool {
        #if canImport(FoundationNetworking)
        outcome == self.outcome || outcome == outcomeOfOtherVersions
        #else
        permitsElsewhere(outcome)
        #endif
    }

    /// Whether an outcome is one that callers are promised where the client is not libcurl.
    func permitsElsewhere(_ outcome: Outcome) -> Bool {
        (outcomesElsewhere ?? [self.outcome]).contains(outcome)
    }
}

extension Fault.Outcome {
    init(_ result: DataResult) {
        switch result {
        case .success(let body): self = .success(String(decoding: body, as: UTF8.self))
        case .failure(.serverError(let status, _)): self = .serverError(status)
        case .failure(.transportError): self = .transportError
        case .failure: self = .other
        }
    }
}
