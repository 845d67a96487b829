import Foundation

// All that differs between platforms: how a task is made so that it keeps the library's promises.

#if canImport(FoundationNetworking)

import FoundationNetworking

extension URLSession {
    /// Makes a task and arms it: its handler is called whatever the server does, and its credentials stay with the
    /// origin that they are for.
    func guarded<Task: URLSessionTask>(
        _ handler: @escaping OutcomeHandler, _ makeTask: (@escaping OutcomeHandler) -> Task
    ) -> Task {
        let delegate = TaskDelegate()
        let task = makeTask { handler(delegate.verdict ?? $0) }
        task.delegate = delegate
        return task
    }

    /// Makes a task that sends a file.
    ///
    /// FoundationNetworking reads a file while it sends it, and ends the process when the transfer ends before the
    /// reading does, as after a cancellation or a reset (`_BodyFileSource`). So it is given the bytes instead.
    func uploadTask(
        with request: URLRequest, fromFile file: URL, outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionUploadTask {
        do {
            return uploadTask(with: request, from: try Data(mapping: file), outcomeHandler: outcomeHandler)
        } catch {
            return uploadTask(with: .unsendable, from: Data()) { _, _, _ in outcomeHandler(TaskOutcome(error: error)) }
        }
    }

    /// Makes a task that fails: FoundationNetworking does not resume downloads, and may end the process when asked to.
    func downloadTask(withResumeData data: Data, outcomeHandler: @escaping OutcomeHandler) -> URLSessionDownloadTask {
        downloadTask(with: .unsendable, outcomeHandler: outcomeHandler)
    }

    /// Makes a task that reports its progress.
    ///
    /// FoundationNetworking tells only the delegate of a session how far a task is, so this one runs in a session made
    /// for it, with the configuration and the queue of the caller's. Challenges and redirects go to the delegate of the
    /// caller's session, and a stand-in that is never resumed ties the task to that session: invalidating it cancels
    /// the task or waits for it.
    func observedTask(
        for transfer: Transfer, meter: ProgressMeter, handler: @escaping OutcomeHandler
    ) -> URLSessionTask {
        let observer = TaskObserver(of: transfer, in: self, meter: meter)
        let session = URLSession(configuration: configuration, delegate: observer, delegateQueue: delegateQueue)
        defer { session.finishTasksAndInvalidate() }
        guard let task = try? transfer.taskForDelegate(of: session) else {
            // A file that cannot be read fails as it should without being observed.
            return transfer.task(in: self, handler: handler)
        }
        let standIn = transfer.task(in: self) { _ in task.cancel() }
        observer.onCompletion { outcome in
            standIn.cancel()
            handler(outcome)
        }
        return task
    }
}

extension URLRequest {
    /// A request whose task fails when it is resumed.
    fileprivate static var unsendable: URLRequest { URLRequest(url: URL(fileURLWithPath: "/")) }
}

extension Transfer {
    fileprivate func taskForDelegate(of session: URLSession) throws -> URLSessionTask {
        switch self {
        case .data(let request): session.dataTask(with: request)
        case .upload(let request, let data): session.uploadTask(with: request, from: data)
        case .uploadOfFile(let request, let file): session.uploadTask(with: request, from: try Data(mapping: file))
        case .download(let request): session.downloadTask(with: request)
        case .resumedDownload: session.downloadTask(with: .unsendable)
        }
    }
}

#else

// Apple's URLSession completes every task, keeps credentials with their origin and counts bytes. Here on Linux only its
// types are checked.
extension URLSession {
    func guarded<Task: URLSessionTask>(
        _ handler: @escaping OutcomeHandler, _ makeTask: (@escaping OutcomeHandler) -> Task
    ) -> Task {
        makeTask(handler)
    }

    func uploadTask(
        with request: URLRequest, fromFile file: URL, outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionUploadTask {
        uploadTask(with: request, fromFile: file) { outcomeHandler(TaskOutcome(data: $0, response: $1, error: $2)) }
    }

    func downloadTask(withResumeData data: Data, outcomeHandler: @escaping OutcomeHandler) -> URLSessionDownloadTask {
        downloadTask(withResumeData: data) { outcomeHandler(TaskOutcome(file: $0, response: $1, error: $2)) }
    }

    func observedTask(
        for transfer: Transfer, meter: ProgressMeter, handler: @escaping OutcomeHandler
    ) -> URLSessionTask {
        // Written before the task starts, and read once, when it is over.
        nonisolated(unsafe) var observation: NSKeyValueObservation?
        let task = transfer.task(in: self) { outcome in
            observation?.invalidate()
            handler(outcome)
        }
        observation = task.observe(transfer.isUpload ? \.countOfBytesSent : \.countOfBytesReceived) { task, _ in
            if transfer.isUpload {
                meter.update(completed: task.countOfBytesSent, expected: task.countOfBytesExpectedToSend)
            } else {
                meter.update(completed: task.countOfBytesReceived, expected: task.countOfBytesExpectedToReceive)
            }
        }
        return task
    }
}

#endif
