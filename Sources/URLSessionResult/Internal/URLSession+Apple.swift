#if !canImport(FoundationNetworking)

import Foundation

// Apple's URLSession completes every task, keeps credentials with their origin and counts bytes. Here on Linux only its
// types are checked.
extension URLSession {
    func armed<Task: URLSessionTask>(
        _ handler: @escaping OutcomeHandler, body: Data = Data(), _ makeTask: (@escaping OutcomeHandler) -> Task
    ) -> Task { makeTask(handler) }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    func uploadTask(withResumeData data: Data, outcomeHandler: @escaping OutcomeHandler) -> URLSessionUploadTask {
        let task = uploadTask(withResumeData: data) { outcomeHandler(Outcome(data: $0, response: $1, error: $2)) }
        // "nil if the resumeData is invalid", says Apple of what it declares not to be nil.
        guard unsafeBitCast(task, to: Int.self) == 0 else { return task }
        return uploadTask(with: Self.unsendable, from: nil, outcomeHandler: { outcomeHandler($0.failed()) })
    }

    func downloadTask(withResumeData data: Data, outcomeHandler: @escaping OutcomeHandler) -> URLSessionDownloadTask {
        downloadTask(withResumeData: data) { outcomeHandler(Outcome(file: $0, response: $1, error: $2)) }
    }

    func observed(_ task: URLSessionTask, by meter: Locked<ProgressMeter>) -> URLSessionTask {
        let (isUpload, queue) = (task is URLSessionUploadTask, delegateQueue)
        let source = task.observe(isUpload ? \.countOfBytesSent : \.countOfBytesReceived) { [weak meter] task, _ in
            guard let meter else { return }
            let completed = isUpload ? task.countOfBytesSent : task.countOfBytesReceived
            let expected = isUpload ? task.countOfBytesExpectedToSend : task.countOfBytesExpectedToReceive
            // Counts change on a queue of the task's own.
            queue.addOperation { meter.withLock { $0.update(completed, of: expected) } }
        }
        meter.withLock { $0.source = source }
        return task
    }
}

#endif
