import Foundation

// All that differs between platforms: how a task is made so that it keeps the library's promises.

#if canImport(FoundationNetworking)

import FoundationNetworking

extension URLSession {
    /// Makes a task and arms it: its handler is called whatever the server does, and its credentials stay with the
    /// origin that they are for.
    func guarded<Task: URLSessionTask, Body>(
        _ makeTask: (@escaping CompletionHandler<Body>) -> Task,
        completionHandler: @escaping CompletionHandler<Body>
    ) -> Task {
        let taskGuard = TaskGuard()
        let task = makeTask { taskGuard.complete($0, $1, $2, completionHandler) }
        task.delegate = taskGuard
        return task
    }

    /// Makes a task that sends a file.
    ///
    /// FoundationNetworking reads a file while it sends it, and ends the process when the transfer ends before the
    /// reading does, as after a cancellation or a reset (`_BodyFileSource`). So it is given the bytes instead.
    func fileUploadTask(
        with request: URLRequest,
        fromFile fileURL: URL,
        completionHandler: @escaping CompletionHandler<Data>
    ) -> URLSessionUploadTask {
        do {
            let bodyData = try Data(mapping: fileURL)
            return guarded(
                { uploadTask(with: request, from: bodyData, completionHandler: $0) },
                completionHandler: completionHandler)
        } catch {
            // A task without a file to read fails when it is resumed and sends nothing.
            return uploadTask(with: request, fromFile: URL(fileURLWithPath: "/dev/null/none")) { _, _, failure in
                let isCancelled = (failure as? URLError)?.code == .cancelled
                completionHandler(nil, nil, isCancelled ? failure : error)
            }
        }
    }

    /// Makes a task that reports its progress.
    ///
    /// FoundationNetworking tells only the delegate of a session how far a task is, so this one runs in a session made
    /// for it, with the configuration and the queue of the caller's. Challenges and redirects go to the delegate of the
    /// caller's session, and a stand-in that is never resumed ties the task to that session: invalidating it cancels
    /// the task or waits for it.
    func observedTask<Body>(
        for transfer: Transfer<Body>,
        meter: ProgressMeter,
        completionHandler: @escaping CompletionHandler<Body>
    ) -> URLSessionTask {
        let observer =
            transfer.kind == .download
            ? ObservedDownload(of: transfer, for: self, meter: meter)
            : ObservedBytes(of: transfer, for: self, meter: meter)
        let session = URLSession(configuration: configuration, delegate: observer, delegateQueue: delegateQueue)
        let task = transfer.taskForDelegate(session)
        let standIn = transfer.task(self) { _, _, _ in task.cancel() }
        observer.onCompletion { body, response, error in
            standIn.cancel()
            completionHandler(body, response, error)
        }
        session.finishTasksAndInvalidate()
        return task
    }
}

extension Transfer where Body == Data {
    /// Sends a file, which is read at once: see `fileUploadTask`.
    static func upload(_ request: URLRequest, fromFile fileURL: URL) throws -> Self {
        try upload(request, from: Data(mapping: fileURL))
    }
}

#else

// Apple's URLSession completes every task and keeps credentials with their origin. Not tested on Linux.
extension URLSession {
    /// Makes a task.
    func guarded<Task: URLSessionTask, Body>(
        _ makeTask: (@escaping CompletionHandler<Body>) -> Task,
        completionHandler: @escaping CompletionHandler<Body>
    ) -> Task {
        makeTask(completionHandler)
    }

    /// Makes a task that sends a file.
    func fileUploadTask(
        with request: URLRequest,
        fromFile fileURL: URL,
        completionHandler: @escaping CompletionHandler<Data>
    ) -> URLSessionUploadTask {
        uploadTask(with: request, fromFile: fileURL, completionHandler: completionHandler)
    }

    /// Makes a task that reports its progress.
    func observedTask<Body>(
        for transfer: Transfer<Body>,
        meter: ProgressMeter,
        completionHandler: @escaping CompletionHandler<Body>
    ) -> URLSessionTask {
        // Written before the task starts, and cleared once, when it is over.
        nonisolated(unsafe) var observation: NSKeyValueObservation?
        let task = transfer.task(self) { body, response, error in
            observation = nil
            completionHandler(body, response, error)
        }
        switch transfer.kind {
        case .data, .download:
            observation = task.observe(\.countOfBytesReceived) { task, _ in
                meter.update(completed: task.countOfBytesReceived, expected: task.countOfBytesExpectedToReceive)
            }
        case .upload:
            observation = task.observe(\.countOfBytesSent) { task, _ in
                meter.update(completed: task.countOfBytesSent, expected: task.countOfBytesExpectedToSend)
            }
        }
        return task
    }
}

extension Transfer where Body == Data {
    /// Sends a file.
    static func upload(_ request: URLRequest, fromFile fileURL: URL) throws -> Self {
        Transfer(
            kind: .upload,
            task: { $0.uploadTask(with: request, fromFile: fileURL, completionHandler: $1) },
            taskForDelegate: { $0.uploadTask(with: request, fromFile: fileURL) },
            body: { bytes, _ in bytes }
        )
    }
}

#endif
