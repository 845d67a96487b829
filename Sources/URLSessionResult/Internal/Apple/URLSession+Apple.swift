#if !canImport(FoundationNetworking)

import Foundation

// Apple's URLSession completes every task, keeps credentials with their origin and counts bytes. On Linux, only the types
// of this file are checked.
extension URLSession {
    func guarded<Task: URLSessionTask>(
        _ outcomeHandler: @escaping OutcomeHandler, sending body: Data = Data(),
        _ makeTask: (@escaping OutcomeHandler) -> Task
    ) -> Task {
        makeTask(outcomeHandler)
    }

    /// Makes a task that sends a file, or a task that fails with the reason why the file cannot be read.
    func makeUploadTask(
        for request: URLRequest, fromFile file: URL, outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionUploadTask {
        do {
            let body = try file.mapped()
            let target = file.resolvingSymlinksInPath()
            guard try target.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else {
                // A pipe cannot be read a second time.
                return makeUploadTask(for: request, from: body, outcomeHandler: outcomeHandler)
            }
            return uploadTask(with: request, fromFile: file) { data, response, error in
                outcomeHandler(TaskOutcome(data: data, response: response, error: error))
            }
        } catch {
            return makeFailingTask(with: error, outcomeHandler: outcomeHandler) { request, handler in
                makeUploadTask(for: request, from: nil, outcomeHandler: handler)
            }
        }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    func makeUploadTask(resumeData: Data, outcomeHandler: @escaping OutcomeHandler) -> URLSessionUploadTask {
        let task = uploadTask(withResumeData: resumeData) { data, response, error in
            outcomeHandler(TaskOutcome(data: data, response: response, error: error))
        }
        guard isNull(task) else { return task }
        return makeFailingTask(with: URLError(.unsupportedURL), outcomeHandler: outcomeHandler) { request, handler in
            makeUploadTask(for: request, from: nil, outcomeHandler: handler)
        }
    }

    func makeDownloadTask(resumeData: Data, outcomeHandler: @escaping OutcomeHandler) -> URLSessionDownloadTask {
        downloadTask(withResumeData: resumeData) { file, response, error in
            outcomeHandler(TaskOutcome(file: file, response: response, error: error))
        }
    }

    /// Makes a task report its progress, and returns the task to resume.
    func reporting(_ task: URLSessionTask, to meter: ProgressMeter) -> URLSessionTask {
        let isUpload = task is URLSessionUploadTask
        let queue = delegateQueue
        let observedCount: KeyPath<URLSessionTask, Int64> = isUpload ? \.countOfBytesSent : \.countOfBytesReceived
        let observation = task.observe(observedCount) { [weak meter] task, _ in
            guard let meter else { return }
            let completed = isUpload ? task.countOfBytesSent : task.countOfBytesReceived
            let expected = isUpload ? task.countOfBytesExpectedToSend : task.countOfBytesExpectedToReceive
            // Counts change on a queue of the task's own.
            queue.addOperation { meter.update(completed, of: expected) }
        }
        meter.keep(observation)
        return task
    }
}

/// Whether a task is null although its type says otherwise.
///
/// The documentation of `uploadTask(withResumeData:)` says "nil if the resumeData is invalid"; its declaration says that
/// the task is never nil.
private func isNull(_ task: URLSessionUploadTask) -> Bool {
    unsafeBitCast(task, to: Int.self) == 0
}

#endif
