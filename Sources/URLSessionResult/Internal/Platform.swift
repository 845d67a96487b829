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

#endif
