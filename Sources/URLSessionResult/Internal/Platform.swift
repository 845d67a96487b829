import Foundation

// All that differs between platforms: how a task is made so that it keeps the library's promises.

#if canImport(FoundationNetworking)

import FoundationNetworking

extension URLSession {
    /// Makes a task and arms it: its handler is called whatever the server does, and its credentials stay with the
    /// origin that they are for.
    func guarded<Task: URLSessionTask>(
        _ handler: @escaping OutcomeHandler, body: Data? = nil, _ makeTask: (@escaping OutcomeHandler) -> Task
    ) -> Task {
        let taskGuard = TaskGuard(of: self, body: body, handler: handler)
        let task = makeTask { taskGuard.complete(with: $0) }
        task.delegate = taskGuard
        return task
    }

    /// Makes a task that fails: FoundationNetworking does not resume uploads.
    func uploadTask(withResumeData data: Data, outcomeHandler: @escaping OutcomeHandler) -> URLSessionUploadTask {
        uploadTask(with: .unsendable, from: Data(), outcomeHandler: failing(outcomeHandler))
    }

    /// Makes a task that fails: FoundationNetworking does not resume downloads, and may end the process when asked to.
    func downloadTask(withResumeData data: Data, outcomeHandler: @escaping OutcomeHandler) -> URLSessionDownloadTask {
        downloadTask(with: .unsendable, outcomeHandler: failing(outcomeHandler))
    }

    /// Has a task report its progress, and returns the task to resume.
    ///
    /// FoundationNetworking tells only the delegate of a session how far a task is. So another task is run in place of
    /// this one, in a session made for it, with the configuration and the queue of the caller's. The one that was asked
    /// for is never resumed, and ties the other to the caller's session: invalidating that cancels both or waits for
    /// both.
    func observed(_ task: URLSessionTask, by meter: ProgressMeter) -> URLSessionTask {
        guard let request = task.originalRequest, isObservable(task, for: request),
            let taskGuard = task.delegate as? TaskGuard
        else { return task }
        let session = URLSession(configuration: configuration, delegate: taskGuard, delegateQueue: serialDelegateQueue)
        defer { session.finishTasksAndInvalidate() }
        let replacement =
            switch task {
            case is URLSessionUploadTask: session.uploadTask(with: request, from: taskGuard.body ?? Data())
            case is URLSessionDownloadTask: session.downloadTask(with: request)
            default: session.dataTask(with: request)
            }
        taskGuard.observe([task, replacement], by: meter)
        // It may have been cancelled meanwhile, with the session.
        if task.state != .suspended { replacement.cancel() }
        return replacement
    }

    /// The delegate queue, or one beside it when it runs several operations at once, which would shuffle the body.
    private var serialDelegateQueue: OperationQueue {
        guard delegateQueue.maxConcurrentOperationCount != 1 else { return delegateQueue }
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.underlyingQueue = delegateQueue.underlyingQueue
        return queue
    }

    /// Whether a task may be observed: something handles its request and, for a download, FoundationNetworking's own
    /// HTTP.
    ///
    /// A download by any other `URLProtocol`, as that of a test, ends the process when a delegate is told of it.
    private func isObservable(_ task: URLSessionTask, for request: URLRequest) -> Bool {
        let handlers = (configuration.protocolClasses ?? []).compactMap { $0 as? URLProtocol.Type }
        let handler = handlers.first { $0.canInit(with: request) }
        // Those registered for all sessions come last.
        guard let handler else { return ["http", "https"].contains(request.url?.scheme) }
        return !(task is URLSessionDownloadTask) || "\(handler)" == "_HTTPURLProtocol"
    }
}

#else

// Apple's URLSession completes every task, keeps credentials with their origin and counts bytes. Here on Linux only its
// types are checked.
extension URLSession {
    func guarded<Task: URLSessionTask>(
        _ handler: @escaping OutcomeHandler, body: Data? = nil, _ makeTask: (@escaping OutcomeHandler) -> Task
    ) -> Task {
        makeTask(handler)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    func uploadTask(withResumeData data: Data, outcomeHandler: @escaping OutcomeHandler) -> URLSessionUploadTask {
        let task = uploadTask(withResumeData: data) { outcomeHandler(TaskOutcome(data: $0, response: $1, error: $2)) }
        // "nil if the resumeData is invalid", says Apple of what it declares not to be nil.
        guard unsafeBitCast(task, to: Int.self) == 0 else { return task }
        return uploadTask(with: .unsendable, from: Data(), outcomeHandler: failing(outcomeHandler))
    }

    func downloadTask(withResumeData data: Data, outcomeHandler: @escaping OutcomeHandler) -> URLSessionDownloadTask {
        downloadTask(withResumeData: data) { outcomeHandler(TaskOutcome(file: $0, response: $1, error: $2)) }
    }

    func observed(_ task: URLSessionTask, by meter: ProgressMeter) -> URLSessionTask {
        let isUpload = task is URLSessionUploadTask
        let queue = delegateQueue
        meter.source = task.observe(isUpload ? \.countOfBytesSent : \.countOfBytesReceived) { [weak meter] task, _ in
            guard let meter else { return }
            let completed = isUpload ? task.countOfBytesSent : task.countOfBytesReceived
            let expected = isUpload ? task.countOfBytesExpectedToSend : task.countOfBytesExpectedToReceive
            // Counts change on a queue of the task's own.
            queue.addOperation { meter.update(completed: completed, expected: expected) }
        }
        return task
    }
}

#endif

extension URLSession {
    /// Makes a task that sends a file, or one that fails with what is wrong with the file.
    func uploadTask(
        with request: URLRequest, fromFile file: URL, outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionUploadTask {
        do {
            #if canImport(FoundationNetworking)
            // FoundationNetworking reads a file while it sends it, and ends the process when the transfer ends before
            // the reading does, as after a cancellation or a reset (`_BodyFileSource`). So it is given the bytes.
            return uploadTask(with: request, from: try Data(mapping: file), outcomeHandler: outcomeHandler)
            #else
            guard file.isFileURL else { throw CocoaError(.fileReadUnsupportedScheme) }
            // What is wrong with a file, Foundation says best. A pipe could not be read again.
            let type = try file.resourceValues(forKeys: [.fileResourceTypeKey]).fileResourceType
            if type != .namedPipe { _ = try FileHandle(forReadingFrom: file).read(upToCount: 1) }
            return uploadTask(with: request, fromFile: file) {
                outcomeHandler(TaskOutcome(data: $0, response: $1, error: $2))
            }
            #endif
        } catch {
            return uploadTask(with: .unsendable, from: Data(), outcomeHandler: failing(outcomeHandler, with: error))
        }
    }

    /// A handler for a task that can only fail.
    fileprivate func failing(
        _ handler: @escaping OutcomeHandler, with error: any Error = URLError(.unsupportedURL)
    ) -> OutcomeHandler {
        { handler(TaskOutcome(error: $0.error ?? error)) }
    }
}

extension URLRequest {
    /// A request that reaches nobody.
    ///
    /// A URL that nothing handles would do as well, but for a task that is cancelled before it is resumed: it never
    /// ends.
    fileprivate static let unsendable = URLRequest(url: URL(string: "data:,") ?? URL(fileURLWithPath: "/"))
}
