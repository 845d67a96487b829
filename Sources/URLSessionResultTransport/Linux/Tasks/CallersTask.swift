#if canImport(FoundationNetworking)

import Foundation

/// The task that a caller gets. It sends nothing itself: its transfer does.
package protocol CallersTask: URLSessionTask {}

/// A caller's task, as this module sees it.
///
/// Each kind of task has a class of its own, because callers ask for `URLSessionUploadTask`, for example. The classes repeat the
/// same overrides: Swift has no way to share them.
protocol TransferTask: CallersTask {
    var transfer: Transfer { get }
}

/// Unchecked like its superclass: it has only a constant of its own.
final class CallersDataTask: URLSessionDataTask, TransferTask, @unchecked Sendable {
    let transfer: Transfer

    init(_ transfer: Transfer) { self.transfer = transfer }

    override func resume() { transfer.resume(self) }
    override func suspend() { transfer.suspend() }
    override func cancel() { transfer.cancel() }
    override var taskIdentifier: Int { transfer.taskIdentifier }
    override var taskDescription: String? { didSet { transfer.listedTask?.show(description: taskDescription) } }
    override var state: State { transfer.taskState }
    override var originalRequest: URLRequest? { transfer.request }
    override var currentRequest: URLRequest? { transfer.shown.request }
    override var response: URLResponse? { transfer.shown.response }
    override var error: (any Error)? { transfer.shown.error }
    override var countOfBytesReceived: Int64 { transfer.shown.received }
    override var countOfBytesExpectedToReceive: Int64 { transfer.shown.expectedToReceive }
    override var countOfBytesSent: Int64 { transfer.shown.sent }
    override var countOfBytesExpectedToSend: Int64 { transfer.shown.expectedToSend }
    override var progress: Progress { transfer.updating(super.progress) }
    override var delegate: (any URLSessionTaskDelegate)? {
        get { transfer.taskDelegate }
        set { transfer.taskDelegate = newValue }
    }
}

/// Unchecked like its superclass: it has only a constant of its own.
final class CallersUploadTask: URLSessionUploadTask, TransferTask, @unchecked Sendable {
    let transfer: Transfer

    init(_ transfer: Transfer) { self.transfer = transfer }

    override func resume() { transfer.resume(self) }
    override func suspend() { transfer.suspend() }
    override func cancel() { transfer.cancel() }
    override var taskIdentifier: Int { transfer.taskIdentifier }
    override var taskDescription: String? { didSet { transfer.listedTask?.show(description: taskDescription) } }
    override var state: State { transfer.taskState }
    override var originalRequest: URLRequest? { transfer.request }
    override var currentRequest: URLRequest? { transfer.shown.request }
    override var response: URLResponse? { transfer.shown.response }
    override var error: (any Error)? { transfer.shown.error }
    override var countOfBytesReceived: Int64 { transfer.shown.received }
    override var countOfBytesExpectedToReceive: Int64 { transfer.shown.expectedToReceive }
    override var countOfBytesSent: Int64 { transfer.shown.sent }
    override var countOfBytesExpectedToSend: Int64 { transfer.shown.expectedToSend }
    override var progress: Progress { transfer.updating(super.progress) }
    override var delegate: (any URLSessionTaskDelegate)? {
        get { transfer.taskDelegate }
        set { transfer.taskDelegate = newValue }
    }
}

/// Unchecked like its superclass: it has only a constant of its own.
final class CallersDownloadTask: URLSessionDownloadTask, TransferTask, @unchecked Sendable {
    let transfer: Transfer

    init(_ transfer: Transfer) { self.transfer = transfer }

    override func resume() { transfer.resume(self) }
    override func suspend() { transfer.suspend() }
    override func cancel() { transfer.cancel() }

    override func cancel(byProducingResumeData completionHandler: @escaping (Data?) -> Void) {
        transfer.cancel(producingResumeData: completionHandler)
    }

    override var taskIdentifier: Int { transfer.taskIdentifier }
    override var taskDescription: String? { didSet { transfer.listedTask?.show(description: taskDescription) } }
    override var state: State { transfer.taskState }
    override var originalRequest: URLRequest? { transfer.request }
    override var currentRequest: URLRequest? { transfer.shown.request }
    override var response: URLResponse? { transfer.shown.response }
    override var error: (any Error)? { transfer.shown.error }
    override var countOfBytesReceived: Int64 { transfer.shown.received }
    override var countOfBytesExpectedToReceive: Int64 { transfer.shown.expectedToReceive }
    override var countOfBytesSent: Int64 { transfer.shown.sent }
    override var countOfBytesExpectedToSend: Int64 { transfer.shown.expectedToSend }
    override var progress: Progress { transfer.updating(super.progress) }
    override var delegate: (any URLSessionTaskDelegate)? {
        get { transfer.taskDelegate }
        set { transfer.taskDelegate = newValue }
    }
}

/// What a caller's task shows of its transfer.
struct ShownTask: Sendable {
    var request: URLRequest?
    var response: URLResponse?
    var error: (any Error)?
    var sent: Int64 = 0
    var expectedToSend: Int64 = 0
    var received: Int64 = 0

    /// The length of a file that is resumed, with the bytes that were there before.
    var wholeCount: Int64?

    /// The number of bytes that the body has when it is whole, or a number below 1 while it is unknown.
    var expectedToReceive: Int64 { wholeCount ?? response?.lengthOfBody ?? 0 }
}

#endif
