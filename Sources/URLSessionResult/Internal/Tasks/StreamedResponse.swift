import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A response that is judged when its head arrives: the body of an accepted one is streamed, the body of an error response
/// is kept up to a limit.
final class StreamedResponse: Sendable {
    typealias HeadHandler = ResultHandler<NetworkResponse<ResponseBytes>>

    /// Decides whether an outcome is a failure.
    private let failure: @Sendable (TaskOutcome) -> NetworkError?
    private let headHandler: HeadHandler
    private let state = Locked(State.waitingForHead)

    /// - Parameters:
    ///   - codes: The HTTP status codes that count as success.
    ///   - headHandler: A function that is called once: with the head of an accepted response, or with the reason why
    ///     there is none.
    init(accepting codes: some StatusCodes, headHandler: @escaping HeadHandler) {
        failure = { outcome in
            NetworkError(data: outcome.data, response: outcome.response, error: outcome.error, accepting: codes)
        }
        self.headHandler = headHandler
    }

    /// Whether the body is being read. The task must not start again then, as it does after a challenge.
    var isStreaming: Bool { state.withLock { $0.stream } != nil }

    /// Takes the head of a response. That of a challenge may be followed by that of the answer.
    func receive(_ head: URLResponse, of task: URLSessionTask) {
        let isRefused = failure(TaskOutcome(data: Data(), response: head)) != nil
        if isRefused {
            state.withLock { $0.refuse(head) }
        } else {
            stream(bodyOf: head, filledBy: task)
        }
    }

    /// Notes that the task is redirected. What was received before, as the response to a challenge, does not count.
    func taskIsRedirected() {
        state.withLock { $0.restart() }
    }

    /// Takes the next bytes of the body.
    func receive(_ data: Data, of task: URLSessionTask) {
        if let stream = state.withLock({ $0.stream }) { return stream.receive(data) }
        let isEnough = state.withLock { $0.keep(data) }
        guard isEnough else { return }
        complete(with: TaskOutcome())
        task.cancelSoon()
    }

    /// Takes the outcome of the task.
    func complete(with outcome: TaskOutcome) {
        switch state.withLock({ $0.finish() }) {
        case .streaming(let stream):
            stream.finish(with: outcome.error.map(NetworkError.transportError))
        case .refused(let head, let body):
            let refusal = TaskOutcome(data: body, response: head, error: outcome.error)
            headHandler(.failure(failure(refusal) ?? .noData))
        case .waitingForHead:
            headHandler(responseWithoutBody(of: outcome))
        case .over:
            break
        }
    }

    private func stream(bodyOf head: URLResponse, filledBy task: URLSessionTask) {
        let stream = BodyStream(of: task)
        guard state.withLock({ $0.accept(stream) }) else { return }
        headHandler(.success(NetworkResponse(body: ResponseBytes(stream), urlResponse: head)))
    }

    /// The result of a task that ends before it announces a head: a failure, or a response without a body.
    private func responseWithoutBody(of outcome: TaskOutcome) -> Result<NetworkResponse<ResponseBytes>, NetworkError> {
        if let failure = failure(outcome) { return .failure(failure) }
        guard let head = outcome.response else { return .failure(.noData) }
        let stream = BodyStream(of: nil)
        stream.finish(with: nil)
        return .success(NetworkResponse(body: ResponseBytes(stream), urlResponse: head))
    }
}

extension StreamedResponse {
    /// How much of a response has arrived.
    private enum State: Sendable {
        case waitingForHead
        case streaming(BodyStream)
        case refused(URLResponse, body: Data)
        case over

        /// How much of an error body is kept.
        private static let errorBodyLimit = 1 << 20

        var stream: BodyStream? {
            if case .streaming(let stream) = self { stream } else { nil }
        }

        private var mayReceiveHead: Bool {
            switch self {
            case .waitingForHead, .refused: true
            case .streaming, .over: false
            }
        }

        mutating func restart() {
            if mayReceiveHead { self = .waitingForHead }
        }

        mutating func refuse(_ head: URLResponse) {
            if mayReceiveHead { self = .refused(head, body: Data()) }
        }

        /// - Returns: Whether the stream is the first.
        mutating func accept(_ stream: BodyStream) -> Bool {
            guard mayReceiveHead else { return false }
            self = .streaming(stream)
            return true
        }

        /// - Returns: Whether that is all that is kept.
        mutating func keep(_ data: Data) -> Bool {
            guard case .refused(let head, var body) = self else { return false }
            self = .over  // so that the body is not copied
            body.append(data.prefix(Self.errorBodyLimit - body.count))
            self = .refused(head, body: body)
            return body.count == Self.errorBodyLimit
        }

        /// - Returns: The state that the response was in.
        mutating func finish() -> Self {
            defer { self = .over }
            return self
        }
    }
}
