import Foundation
internal import URLSessionResultTransport

/// A response that is judged when its head arrives: the body of an accepted one is streamed, the body of an error response
/// is kept up to a limit.
final class StreamedResponse: ResponseReceiver {
    /// Decides whether a response with this body is an error.
    private let failure: @Sendable (URLResponse, Data) -> NetworkError?
    private let metrics: CollectedMetrics?
    private let headHandler: ResultHandler<NetworkResponse<ResponseBytes>>
    private let state = Locked(State.waitingForHead)

    /// - Parameters:
    ///   - codes: The HTTP status codes that count as success, such as `[200, 404]`.
    ///   - metrics: Where the task puts its metrics. Nil if nobody asks for them.
    ///   - headHandler: A function that is called once: with the head of an accepted response, or with the reason why
    ///     there is none.
    init(
        accepting codes: some StatusCodes, collecting metrics: CollectedMetrics? = nil,
        headHandler: @escaping ResultHandler<NetworkResponse<ResponseBytes>>
    ) {
        failure = { response, body in NetworkError(data: body, response: response, error: nil, accepting: codes) }
        self.metrics = metrics
        self.headHandler = headHandler
    }

    /// Takes the head of the response.
    func receive(_ head: URLResponse, of task: URLSessionTask, isTimed: Bool) {
        if failure(head, Data()) == nil {
            let stream = BodyStream(of: task)
            guard state.withLock({ $0.begin(.streaming(stream)) }) else { return }
            let body = ResponseBytes(stream, of: head)
            let response = NetworkResponse(body: body, urlResponse: head, collecting: metrics)
            afterStoringCookies(of: task) { [headHandler] in headHandler(.success(response)) }
        } else if state.withLock({ $0.begin(.refused(Refusal(head: head, task: task))) }), !isTimed {
            awaitErrorBody(from: task)
        }
    }

    /// Takes the next bytes of the body.
    func receive(_ data: Data, of task: URLSessionTask) {
        switch state.withLock({ $0.receive(data) }) {
        case .streamed(let tellReader):
            tellReader?()
        case .nothing:
            break
        case .limitReached:
            end(task)
        case .withoutHead:
            // On Linux, libcurl ends a head at `\r\n\r\r\n`. This is no end to the library, so bytes come without a head.
            end(task, with: URLError(.cannotParseResponse))
        }
    }

    /// Takes the end of the task.
    func complete(with error: (any Error)?) {
        let error = error.flatMap { NetworkError(data: nil, response: nil, error: $0) }
        switch state.withLock({ $0.finish() }) {
        case .streaming(let stream):
            stream.finish(with: error)
        case .refused(let refusal):
            let error = self.error(of: refusal, endedBy: error)
            afterStoringCookies(of: refusal.task) { [headHandler] in headHandler(.failure(error)) }
        case .waitingForHead:
            offEventLoop { [headHandler] in headHandler(.failure(error ?? .noData)) }
        case .over:
            break
        }
    }

    /// Ends the task if the response is an error response: enough time has passed since its head came.
    func patienceIsOver(with task: URLSessionTask) {
        if state.withLock({ $0.isRefused }) { end(task) }
    }

    /// Reports the result, and cancels the task without waiting for the end of the body.
    private func end(_ task: URLSessionTask, with error: (any Error)? = nil) {
        complete(with: error)
        task.cancel()
    }

    /// Limits the wait for the body of an error response. The timeout of its request does not, because each piece restarts it.
    private func awaitErrorBody(from task: URLSessionTask) {
        DispatchQueue.global().asyncAfter(deadline: .now() + longestWaitForErrorBody) { [weak self, weak task] in
            // If the response is over, this changes nothing.
            if let task { self?.patienceIsOver(with: task) }
        }
    }

    /// The error of a rejected response, with the bytes that came, even if another error cut off the body. A cancellation is
    /// returned as it is.
    private func error(of refusal: Refusal, endedBy error: NetworkError?) -> NetworkError {
        if let error, error.isCancelled { return error }
        return failure(refusal.head, refusal.body)?.adding(metrics) ?? .noData
    }
}

extension StreamedResponse {
    /// An error response on its way.
    private struct Refusal {
        let head: URLResponse
        let task: URLSessionTask
        var body = Data()
    }

    /// What to do with bytes that arrive.
    private enum Reception {
        case streamed(tellingReader: (@Sendable () -> Void)?)
        case nothing
        case limitReached
        case withoutHead
    }

    /// How much of a response has arrived.
    private enum State: Sendable {
        case waitingForHead
        case streaming(BodyStream)
        case refused(Refusal)
        case over

        /// - Returns: Whether the head is the first.
        mutating func begin(_ next: Self) -> Bool {
            guard case .waitingForHead = self else { return false }
            self = next
            return true
        }

        var isRefused: Bool {
            if case .refused = self { true } else { false }
        }

        mutating func receive(_ data: Data) -> Reception {
            switch self {
            case .streaming(let stream):
                return .streamed(tellingReader: stream.receive(data))
            case .refused(var refusal):
                // Otherwise the state would own the bytes, too, and appending would copy them.
                self = .over
                defer { self = .refused(refusal) }
                return refusal.body.keep(data) ? .limitReached : .nothing
            case .waitingForHead:
                return .withoutHead
            case .over:
                return .nothing
            }
        }

        /// - Returns: The state that the response was in.
        mutating func finish() -> Self {
            defer { self = .over }
            return self
        }
    }
}
