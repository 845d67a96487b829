#if canImport(FoundationNetworking)

import Foundation

/// The task that a caller gets. It sends nothing: its exchange does, with tasks of the inner session.
protocol CallersTask: URLSessionTask {
    var exchange: Exchange { get }
}

/// Generic, because the program would need each method of the superclass by name otherwise.
///
/// Unchecked like its superclass: it has only constants of its own.
final class CallersDataTask: URLSessionDataTask, CallersTask, @unchecked Sendable {
    let exchange: Exchange

    init(_ exchange: Exchange) { self.exchange = exchange }

    override func resume() { exchange.resume(self, reportingTo: nil) }
    override func suspend() { exchange.suspend() }
    override func cancel() { exchange.cancel() }
    override var state: State { exchange.shown.state }
    override var originalRequest: URLRequest? { exchange.request }
    override var currentRequest: URLRequest? { exchange.shown.request }
    override var response: URLResponse? { exchange.shown.response }
    override var error: (any Error)? { exchange.shown.error }
    override var taskIdentifier: Int { exchange.anchor.taskIdentifier }
    override var countOfBytesReceived: Int64 { exchange.shown.received }
    override var countOfBytesExpectedToReceive: Int64 { exchange.shown.toReceive }
    override var countOfBytesSent: Int64 { exchange.shown.sent }
    override var countOfBytesExpectedToSend: Int64 { exchange.shown.toSend }
    override var progress: Progress { exchange.show(super.progress, of: self) }
    override var delegate: (any URLSessionTaskDelegate)? {
        get { exchange.callersDelegate }
        set { exchange.askFirst(newValue) }
    }
}

final class CallersUploadTask: URLSessionUploadTask, CallersTask, @unchecked Sendable {
    let exchange: Exchange

    init(_ exchange: Exchange) { self.exchange = exchange }

    override func resume() { exchange.resume(self, reportingTo: nil) }
    override func suspend() { exchange.suspend() }
    override func cancel() { exchange.cancel() }
    override var state: State { exchange.shown.state }
    override var originalRequest: URLRequest? { exchange.request }
    override var currentRequest: URLRequest? { exchange.shown.request }
    override var response: URLResponse? { exchange.shown.response }
    override var error: (any Error)? { exchange.shown.error }
    override var taskIdentifier: Int { exchange.anchor.taskIdentifier }
    override var countOfBytesReceived: Int64 { exchange.shown.received }
    override var countOfBytesExpectedToReceive: Int64 { exchange.shown.toReceive }
    override var countOfBytesSent: Int64 { exchange.shown.sent }
    override var countOfBytesExpectedToSend: Int64 { exchange.shown.toSend }
    override var progress: Progress { exchange.show(super.progress, of: self) }
    override var delegate: (any URLSessionTaskDelegate)? {
        get { exchange.callersDelegate }
        set { exchange.askFirst(newValue) }
    }
}

final class CallersDownloadTask: URLSessionDownloadTask, CallersTask, @unchecked Sendable {
    let exchange: Exchange

    init(_ exchange: Exchange) { self.exchange = exchange }

    override func resume() { exchange.resume(self, reportingTo: nil) }
    override func suspend() { exchange.suspend() }
    override func cancel() { exchange.cancel() }
    override func cancel(byProducingResumeData completionHandler: @escaping (Data?) -> Void) {
        cancel()
        completionHandler(nil)
    }
    override var state: State { exchange.shown.state }
    override var originalRequest: URLRequest? { exchange.request }
    override var currentRequest: URLRequest? { exchange.shown.request }
    override var response: URLResponse? { exchange.shown.response }
    override var error: (any Error)? { exchange.shown.error }
    override var taskIdentifier: Int { exchange.anchor.taskIdentifier }
    override var countOfBytesReceived: Int64 { exchange.shown.received }
    override var countOfBytesExpectedToReceive: Int64 { exchange.shown.toReceive }
    override var countOfBytesSent: Int64 { exchange.shown.sent }
    override var countOfBytesExpectedToSend: Int64 { exchange.shown.toSend }
    override var progress: Progress { exchange.show(super.progress, of: self) }
    override var delegate: (any URLSessionTaskDelegate)? {
        get { exchange.callersDelegate }
        set { exchange.askFirst(newValue) }
    }
}

/// What a caller's task shows of its exchange.
struct ShownTask {
    var state = URLSessionTask.State.suspended
    var request: URLRequest?
    var response: URLResponse?
    var error: (any Error)?
    var sent: Int64 = 0
    var toSend: Int64 = 0
    var received: Int64 = 0
    var toReceive: Int64 = 0

    mutating func read(_ hop: Hop) {
        let task = hop.task
        request = task.currentRequest
        response = task.response
        sent = task.countOfBytesSent
        toSend = task.countOfBytesExpectedToSend
        received = hop.count
        toReceive = task.countOfBytesExpectedToReceive
    }
}

// Part of: Exchange

#endif
