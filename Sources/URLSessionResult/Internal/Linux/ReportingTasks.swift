#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking

extension URLSession {
    /// Makes a task report its progress, and returns the task to resume.
    ///
    /// FoundationNetworking reports progress to the delegate of a session only. So another task runs instead, in an
    /// `InnerSession`. The task that was asked for is never resumed. It ties the other one to the caller's session:
    /// invalidating that session cancels both tasks or waits for both.
    ///
    /// A task of another `URLProtocol` than that of HTTP stays as it is: FoundationNetworking crashes when the delegate of
    /// a session is told about a download by such a protocol.
    func reporting(_ task: URLSessionTask, to meter: ProgressMeter) -> URLSessionTask {
        guard let taskGuard = task.delegate as? TaskGuard, let request = task.originalRequest,
            configuration.loadsOverHTTP(request)
        else { return task }
        let isUpload = task is URLSessionUploadTask
        let replacement = taskGuard.makeCollectingTask(
            for: request, sending: isUpload ? taskGuard.takeBodyOfReplacement() : nil,
            isDownload: task is URLSessionDownloadTask, reportingTo: meter, countsSentBytes: isUpload)
        taskGuard.completion.replace(task, by: replacement)
        return replacement
    }
}

#endif
