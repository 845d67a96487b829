#if canImport(FoundationNetworking)

import Foundation

/// The task that a caller gets. It sends nothing itself: its exchange does.
package protocol CallersTask: URLSessionTask {}

/// A caller's task, as this module sees it.
///
/// Each kind of task has a class of its own, because callers ask for `URLSessionUploadTask`, for example. The classes repeat the
/// same overrides: Swift has no way to share them.
protocol ExchangeTask: CallersTask {
    var exchange: Exchange { get }
}

/// Unchecked like its superclass: it has only a constant of its own.
final class CallersDataTask: URLSessionDataTask, ExchangeTask, @unchecked Sendable {
    let exchange: Exchange

    init(_ exchange: Exchange) { self.exchange = exchange }

    override func resume() { exchange.resume(self) }
    override func suspend() { exchange.suspend() }
    override func cancel() { exchange.cancel() }
    override var taskIdentifier: Int { exchange.taskIdentifier }
    override var state: State { exchange.taskState }
    override var originalRequest: URLRequest? { exchange.request }
    override var currentRequest: URLRequest? { exchange.shown.request }
    override var response: URLResponse? { exchange.shown.response }
    override var error: (any Error)? { exchange.shown.error }
    override var countOfBytesReceived: Int64 { exchange.shown.received }
    override var countOfBytesExpectedToReceive: Int64 { exchange.shown.expectedToReceive }
    override var countOfBytesSent: Int64 { exchange.shown.sent }
    override var countOfBytesExpectedToSend: Int64 { exchange.shown.expectedToSend }
    override var progress: Progress { exchange.updating(super.progress) }
    override var delegate: (any URLSessionTaskDelegate)? {
        get { exchange.taskDelegate }
        set { exchange.taskDelegate = newValue }
    }
}

/// Unchecked like its superclass: it has only a constant of its own.
final class CallersUploadTask: URLSessionUploadTask, ExchangeTask, @unchecked Sendable {
    let exchange: Exchange

    init(_ exchange: Exchange) { self.exchange = exchange }

    override func resume() { exchange.resume(self) }
    override func suspend() { exchange.suspend() }
    override func cancel() { exchange.cancel() }
    override var taskIdentifier: Int { exchange.taskIdentifier }
    override var state: State { exchange.taskState }
    override var originalRequest: URLRequest? { exchange.request }
    override var currentRequest: URLRequest? { exchange.shown.request }
    override var response: URLResponse? { exchange.shown.response }
    override var error: (any Error)? { exchange.shown.error }
    override var countOfBytesReceived: Int64 { exchange.shown.received }
    override var countOfBytesExpectedToReceive: Int64 { exchange.shown.expectedToReceive }
    override var countOfBytesSent: Int64 { exchange.shown.sent }
    override var countOfBytesExpectedToSend: Int64 { exchange.shown.expectedToSend }
    override var progress: Progress { exchange.updating(super.progress) }
    override var delegate: (any URLSessionTaskDelegate)? {
        get { exchange.taskDelegate }
        set { exchange.taskDelegate = newValue }
    }
}

/// Unchecked like its superclass: it has only a constant of its own.
final class CallersDownloadTask: URLSessionDownloadTask, ExchangeTask, @unchecked Sendable {
    let exchange: Exchange

    init(_ exchange: Exchange) { self.exchange = exchange }

    override func resume() { exchange.resume(self) }
    override func suspend() { exchange.suspend() }
    override func cancel() { exchange.cancel() }

    override func cancel(byProducingResumeData completionHandler: @escaping (Data?) -> Void) {
        exchange.cancel(producingResumeData: completionHandler)
    }

    override var taskIdentifier: Int { exchange.taskIdentifier }
    override var state: State { exchange.taskState }
    override var originalRequest: URLRequest? { exchange.request }
    override var currentRequest: URLRequest? { exchange.shown.request }
    override var response: URLResponse? { exchange.shown.response }
    override var error: (any Error)? { exchange.shown.error }
    override var countOfBytesReceived: Int64 { exchange.shown.received }
    override var countOfBytesExpectedToReceive: Int64 { exchange.shown.expectedToReceive }
    override var countOfBytesSent: Int64 { exchange.shown.sent }
    override var countOfBytesExpectedToSend: Int64 { exchange.shown.expectedToSend }
    override var progress: Progress { exchange.updating(super.progress) }
    override var delegate: (any URLSessionTaskDelegate)? {
        get { exchange.taskDelegate }
        set { exchange.taskDelegate = newValue }
    }
}

/// What a caller's task shows of its exchange.
struct ShownTask: Sendable {
    var request: URLRequest?
    var response: URLResponse?
    var error: (any Error)?
    var sent: Int64 = 0
    var expectedToSend: Int64 = 0
    var received: Int64 = 0
    var expectedToReceive: Int64 = 0
}

#endif
