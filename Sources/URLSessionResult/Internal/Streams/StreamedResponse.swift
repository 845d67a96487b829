import Foundation
import URLSessionResultTransport

/// A response that is judged when its head arrives: the body of an accepted one is streamed, the body of an error response
/// is kept up to a limit.
final class StreamedResponse: ResponseReceiver {
    typealias HeadHandler = ResultHandler<NetworkResponse<ResponseBytes>>

    /// Decides whether an outcome is a failure.
    private let failure: @Sendable (TaskOutcome) -> NetworkError?
    private let headHandler: @Sendable (Result<NetworkResponse<ResponseBytes>, NetworkError>) -> Void
    private let state = Locked(State.waitingForHead)

    /// - Parameters:
    ///   - codes: The HTTP status codes that count as success.
    ///   - headHandler: A function that is called once: with the head of an accepted response, or with the reason why
    ///     there is none.
    init(accepting codes: some StatusCodes, headHandler: @escaping HeadHandler) {
        failure = { outcome in
            NetworkError(data: outcome.data, response: outcome.response, error: outcome.error, accepting: codes)
        }
        self.headHandler = { result in soonAfterStoringCookies { headHandler(result) } }
    }

    /// Whether the body is being read. The task must not start again then, as it does after a challenge.
    var isStreaming: Bool { state.withLock { $0.stream } != nil }

    /// Takes the head of a response. That of a challenge may be followed by that of the answer.
    func receive(_ head: URLResponse, of task: URLSessionTask) {
        guard head.isFinal else { return }
        let isRefused = failure(TaskOutcome(data: Data(), response: head)) != nil
        if isRefused {
            state.withLock { $0.refuse(head) }
            awaitErrorBody(of: head, from: task)
        } else {
            stream(bodyOf: head, filledBy: task)
        }
    }

    /// Notes that the response asks for a credential, and that its body is whole.
    func taskIsChallenged() {
        state.withLock { $0.endBody() }
    }

    /// Notes that another request is sent. What was received before, as the response to a challenge, does not count.
    func restart() {
        state.withLock { $0.restart() }
    }

    /// Takes the next bytes of the body.
    func receive(_ data: Data, of task: URLSessionTask) {
        switch state.withLock({ $0.keep(data) }) {
        case .streamed(let tellReader):
            tellReader?()
        case .kept, .unneeded:
            break
        case .isEnough:
            end(task, as: TaskOutcome())
        case .withoutHead:
            // On Linux, the end of a malformed head is one to libcurl alone (`\r\n\r\r\n`).
            end(task, as: TaskOutcome(error: URLError(.cannotParseResponse)))
        }
    }

    /// Takes the outcome of the task.
    func complete(with outcome: TaskOutcome) {
        switch state.withLock({ $0.finish() }) {
        case .streaming(let stream):
            stream.finish(with: outcome.error.map(NetworkError.transportError))
        case .refused(let refusal):
            headHandler(.failure(error(of: refusal, endedBy: outcome.error)))
        case .waitingForHead:
            headHandler(responseWithoutBody(of: outcome))
        case .over:
            break
        }
    }

    /// Ends the task before FoundationNetworking or a server does.
    private func end(_ task: URLSessionTask, as outcome: TaskOutcome) {
        complete(with: outcome)
        task.cancel()
    }

    /// Waits for the body of an error response, and not forever: each piece of a body renews the timeout of its request.
    private func awaitErrorBody(of head: URLResponse, from task: URLSessionTask) {
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { [weak self, weak head, weak task] in
            guard let self, let head, let task, state.withLock({ $0.isReceivingErrorBody(of: head) }) else { return }
            end(task, as: TaskOutcome())
        }
    }

    /// How long the body of an error response is awaited after its head, in seconds.
    private static let patience: TimeInterval = 2

    private func stream(bodyOf head: URLResponse, filledBy task: URLSessionTask) {
        let stream = BodyStream(of: task)
        guard state.withLock({ $0.accept(stream) }) else { return }
        headHandler(.success(NetworkResponse(body: ResponseBytes(stream, of: head), urlResponse: head)))
    }

    /// The error of a rejected response. If its body is cut off, what came of it matters more than the reason.
    private func error(of refusal: Refusal, endedBy error: (any Error)?) -> NetworkError {
        let transportError = error.map(NetworkError.transportError)
        if let transportError, transportError.isCancelled || refusal.isWhole { return transportError }
        return failure(TaskOutcome(data: refusal.body, response: refusal.head)) ?? .noData
    }

    /// The result of a task that ends before it announces a head: a failure, or a response without a body.
    private func responseWithoutBody(of outcome: TaskOutcome) -> Result<NetworkResponse<ResponseBytes>, NetworkError> {
        if let failure = failure(outcome) { return .failure(failure) }
        guard let head = outcome.response else { return .failure(.noData) }
        let stream = BodyStream(of: nil)
        stream.finish(with: nil)
        return .success(NetworkResponse(body: ResponseBytes(stream, of: head), urlResponse: head))
    }
}

extension StreamedResponse {
    /// An error response on its way.
    ///
    /// Unchecked, because it changes only while the lock of the state is held, and no more once that is over.
    private final class Refusal: @unchecked Sendable {
        let head: URLResponse
        private(set) var body = Data()
        var isWhole = false

        init(head: URLResponse) { self.head = head }

        /// - Returns: Whether that is all that is kept.
        func append(_ data: Data) -> Bool {
            body.append(data.prefix(NetworkError.keptByteCount - body.count))
            return body.count == NetworkError.keptByteCount
        }
    }

    /// What to do with bytes that arrive.
    private enum Reception {
        case streamed(tellingReader: (@Sendable () -> Void)?)
        case kept
        case isEnough
        case withoutHead
        case unneeded
    }

    /// How much of a response has arrived.
    private enum State: Sendable {
        case waitingForHead
        case streaming(BodyStream)
        case refused(Refusal)
        case over

        var stream: BodyStream? {
            if case .streaming(let stream) = self { stream } else { nil }
        }

        private var mayReceiveHead: Bool {
            switch self {
            case .waitingForHead, .refused: true
            case .streaming, .over: false
            }
        }

        func isReceivingErrorBody(of head: URLResponse) -> Bool {
            guard case .refused(let refusal) = self else { return false }
            return refusal.head === head && !refusal.isWhole
        }

        mutating func restart() {
            if mayReceiveHead { self = .waitingForHead }
        }

        mutating func refuse(_ head: URLResponse) {
            if mayReceiveHead { self = .refused(Refusal(head: head)) }
        }

        func endBody() {
            if case .refused(let refusal) = self { refusal.isWhole = true }
        }

        /// - Returns: Whether the stream is the first.
        mutating func accept(_ stream: BodyStream) -> Bool {
            guard mayReceiveHead else { return false }
            self = .streaming(stream)
            return true
        }

        func keep(_ data: Data) -> Reception {
            switch self {
            case .streaming(let stream):
                return .streamed(tellingReader: stream.receive(data))
            case .refused(let refusal):
                return refusal.append(data) ? .isEnough : .kept
            case .waitingForHead:
                return .withoutHead
            case .over:
                return .unneeded
            }
        }

        /// - Returns: The state that the response was in.
        mutating func finish() -> Self {
            defer { self = .over }
            return self
        }
    }
}
