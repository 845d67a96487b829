#if canImport(FoundationNetworking)

import Foundation

/// A download task for what FoundationNetworking makes no file of: what a `URLProtocol` of the caller loads, and `data` URLs
/// (https://github.com/swiftlang/swift-corelibs-foundation/issues/3367).
///
/// It stands for a data task of the same session, which is never resumed. An exchange sends its request instead, and writes the
/// file. What has begun goes on when the task is suspended.
///
/// Generic, because the program would need each method of the superclass by name otherwise: 16 kB.
///
/// Unchecked like its superclass: it has only constants of its own.
final class LoadedDownloadTask<Unused>: URLSessionDownloadTask, @unchecked Sendable {
    let dataTask: URLSessionDataTask

    init(_ dataTask: URLSessionDataTask) { self.dataTask = dataTask }

    override func resume() {
        // From Swift 6.4 on, `cancel()` changes the state later, on the work queue.
        dataTask.waitForWorkQueue()
        // It was neither cancelled nor completed.
        if dataTask.state == .suspended { exchange?.resume(self, reportingTo: nil) }
    }

    override func suspend() {}

    override func cancel() { dataTask.cancel() }

    override func cancel(byProducingResumeData completionHandler: @escaping (Data?) -> Void) {
        cancel()
        completionHandler(nil)
    }

    // MARK: Properties of the data task

    override var state: State {
        let isLoading = exchange?.state.withLock { $0.waitingTask === self } == true
        return isLoading && dataTask.state == .suspended ? .running : dataTask.state
    }

    override var delegate: (any URLSessionTaskDelegate)? {
        get { dataTask.delegate }
        set { dataTask.delegate = newValue }
    }

    override var priority: Float {
        get { dataTask.priority }
        set { dataTask.priority = newValue }
    }

    override var taskIdentifier: Int { dataTask.taskIdentifier }

    override var originalRequest: URLRequest? { dataTask.originalRequest }

    override var currentRequest: URLRequest? { dataTask.currentRequest }

    override var progress: Progress { dataTask.progress }
}

extension TaskOutcome {
    /// The outcome with its data in a temporary file.
    func withFile() -> TaskOutcome {
        guard error == nil, let data else { return self }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).tmp")
        do {
            try data.write(to: file)
            return TaskOutcome(file: file, response: response)
        } catch {
            return TaskOutcome(response: response, error: error)
        }
    }
}

// Workaround: `URLSession` makes no file of a download that a `URLProtocol` of the caller loads, nor of a `data` URL, and
//   crashes if it reports the progress of one
// Instead: the library loads it as data and writes the file
// Kind: crash
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.fileOfProtocol
// Upstream: https://github.com/swiftlang/swift-corelibs-foundation/issues/5465
// May go: this file, and `TaskKind.loading(_:in:)`

#endif
