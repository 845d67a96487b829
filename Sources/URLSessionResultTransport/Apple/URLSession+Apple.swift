#if canImport(Darwin)

import Foundation

/// The tasks of Apple's platforms. By its documentation, Apple's URLSession completes every task, and repeats a request itself
/// after a redirect or a challenge. On Linux, this file is compiled (`make apple-check`), and run against a
/// model of URLSession (`make apple-run`).
extension URLSession {
    package func makeDataTask(
        for request: URLRequest, collecting metrics: CollectedMetrics? = nil, outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionDataTask {
        let handler = handing(dataTo: outcomeHandler, metrics)
        return guarded(dataTask(with: request, completionHandler: handler), collecting: metrics)
    }

    package func makeDownloadTask(
        for request: URLRequest, collecting metrics: CollectedMetrics? = nil, outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionDownloadTask {
        let handler = handing(fileTo: outcomeHandler, metrics)
        return guarded(downloadTask(with: request, completionHandler: handler), collecting: metrics)
    }

    package func makeUploadTask(
        for request: URLRequest, from body: Data?, collecting metrics: CollectedMetrics? = nil,
        outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionUploadTask {
        let handler = handing(dataTo: outcomeHandler, metrics)
        return guarded(uploadTask(with: request, from: body, completionHandler: handler), collecting: metrics)
    }

    /// Makes a task that sends a file, or a task that fails with the reason why the file cannot be read.
    package func makeUploadTask(
        for request: URLRequest, fromFile file: URL, collecting metrics: CollectedMetrics? = nil,
        outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionUploadTask {
        do {
            guard try file.isRegularFile else {
                // A pipe, for example. It can be read only once, and URLSession may read a file again after a redirect.
                return makeUploadTask(
                    for: request, from: try file.mapped(), collecting: metrics, outcomeHandler: outcomeHandler)
            }
            try file.checkThatItOpens()
            let task = uploadTask(
                with: request, fromFile: file, completionHandler: handing(dataTo: outcomeHandler, metrics))
            return guarded(task, collecting: metrics)
        } catch {
            return makeFailingUploadTask(with: error, outcomeHandler: outcomeHandler)
        }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    package func makeUploadTask(resumeData: Data, outcomeHandler: @escaping OutcomeHandler) -> URLSessionUploadTask {
        let task = uploadTask(withResumeData: resumeData, completionHandler: handing(dataTo: outcomeHandler))
        guard isNull(task) else { return guarded(task) }
        return makeFailingUploadTask(with: URLError(.unsupportedURL), outcomeHandler: outcomeHandler)
    }

    package func makeDownloadTask(
        resumeData: Data, collecting metrics: CollectedMetrics? = nil, outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionDownloadTask {
        let task = downloadTask(withResumeData: resumeData, completionHandler: handing(fileTo: outcomeHandler, metrics))
        guard isNull(task) else { return guarded(task, collecting: metrics) }
        return makeFailingDownloadTask(
            for: .forNothing, with: URLError(.unsupportedURL), outcomeHandler: outcomeHandler)
    }

    /// The completion handler of a task that keeps its body in memory.
    private func handing(
        dataTo outcomeHandler: @escaping OutcomeHandler, _ metrics: CollectedMetrics? = nil
    ) -> @Sendable (Data?, URLResponse?, (any Error)?) -> Void {
        { data, response, error in
            outcomeHandler(TaskOutcome(data: data, response: response, error: error, metrics: metrics))
        }
    }

    /// The completion handler of a task that writes its body to a file.
    private func handing(
        fileTo outcomeHandler: @escaping OutcomeHandler, _ metrics: CollectedMetrics?
    ) -> @Sendable (URL?, URLResponse?, (any Error)?) -> Void {
        { file, response, error in
            outcomeHandler(TaskOutcome(file: file, response: response, error: error, metrics: metrics))
        }
    }

    /// Gives a task the library's delegate if it needs one. It gets the delegate when it is made, because the caller resumes it.
    private func guarded<Task: URLSessionTask>(_ task: Task, collecting metrics: CollectedMetrics? = nil) -> Task {
        if let delegate = makeDelegate(for: task, collecting: metrics) { task.delegate = delegate }
        return task
    }

    /// Makes a delegate that keeps secret header fields from other origins, if the current Swift task wants that, and collects
    /// metrics, if somebody has asked for them. It passes messages on to the delegate that the session's delegate may have set in
    /// `urlSession(_:didCreateTask:)`.
    func makeDelegate(
        for task: URLSessionTask, collecting metrics: CollectedMetrics?
    ) -> (any URLSessionTaskDelegate)? {
        let redirectGuard = RedirectGuard.make(for: self)
        let own: (any URLSessionTaskDelegate)? =
            if let metrics { MetricsCollector(metrics, for: self, next: redirectGuard) } else { redirectGuard }
        return task.delegate.map { own.forwarding(to: $0) } ?? own
    }

    /// Makes a task that sends nothing, and fails when it is resumed or cancelled.
    ///
    /// A task of URLSession has to load something: this one loads an empty `data` URL. A `URLProtocol` of the session may load it:
    /// its answer does not matter.
    package func makeFailingDownloadTask(
        for request: URLRequest, with reason: any Error, outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionDownloadTask {
        downloadTask(with: .forNothing) { _, _, error in
            outcomeHandler(TaskOutcome(failingWith: reason, unlessCancelledBy: error))
        }
    }

    private func makeFailingUploadTask(
        with reason: any Error, outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionUploadTask {
        uploadTask(with: .forNothing, from: Data()) { _, _, error in
            outcomeHandler(TaskOutcome(failingWith: reason, unlessCancelledBy: error))
        }
    }

    /// Why a task cannot be awaited, or nil. A background session raises an exception for a completion handler, and for a delegate
    /// of a task ("Task delegate is not supported on background session task").
    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/identifier
    package var reasonAgainstAwaiting: (any Error)? {
        configuration.identifier == nil ? nil : CocoaError(.featureUnsupported)
    }

    /// Resumes a task on behalf of a Swift task.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - delegate: The delegate of this request.
    ///   - counter: What counts the bytes, if the caller asked for reports.
    ///   - willStart: A function that is called before the task is resumed, and may cancel it. The task has its delegate by then: a
    ///     delegate after `resume()` raises an exception, and one after `cancel()` may.
    /// - Returns: An object to keep as long as bytes are to be counted.
    package func resume(
        _ task: URLSessionTask, delegate: (any URLSessionTaskDelegate)?, reportingTo counter: ByteCounter?,
        afterCalling willStart: () -> Void
    ) -> AnyObject? {
        if let delegate {
            // URLSession asks the delegate of a task before that of the session:
            // https://developer.apple.com/documentation/foundation/urlsessiontask/delegate
            task.delegate = task.delegate.forwarding(to: delegate)
        }
        if #available(macOS 13, iOS 16, tvOS 16, watchOS 9, *) {
            // URLSession's own methods that take a delegate tell it this, too. The session's delegate was told when the task was
            // made. The method is optional, so this is nil if the delegate does not have it.
            let tell = delegate?.urlSession(_:didCreateTask:)
            tell?(self, task)
        }
        let observation = counter.map { observe(task, for: $0) }
        willStart()
        task.resume()
        return observation
    }

    /// Counts the bytes of a task.
    ///
    /// The counts can be observed, as "all task properties":
    /// https://developer.apple.com/documentation/foundation/urlsessiontask
    private func observe(_ task: URLSessionTask, for counter: @escaping ByteCounter) -> NSKeyValueObservation {
        // The default is `false` for a task with a completion handler and for a download. Such a task may deliver its
        // data only when it is complete:
        // https://developer.apple.com/documentation/foundation/urlsessiontask/prefersincrementaldelivery
        task.prefersIncrementalDelivery = true
        let isUpload = task is URLSessionUploadTask
        let queue = delegateQueue
        let observedCount: KeyPath<URLSessionTask, Int64> = isUpload ? \.countOfBytesSent : \.countOfBytesReceived
        return task.observe(observedCount) { task, _ in
            let completed = isUpload ? task.countOfBytesSent : task.countOfBytesReceived
            // `countOfBytesExpectedToReceive` may be the length of a compressed body, if a `URLProtocol` of the caller says so.
            let lengthOfBody = task.response?.lengthOfBody ?? task.countOfBytesExpectedToReceive
            let expected = isUpload ? task.countOfBytesExpectedToSend : lengthOfBody
            // Counts change often, and outside the delegate queue. Only a report that is due becomes an operation.
            guard let report = counter(completed, expected) else { return }
            queue.addOperation(report)
        }
    }
}

extension TaskOutcome {
    /// The outcome of a task that has to fail: the reason, or the cancellation if the task was cancelled before.
    fileprivate init(failingWith reason: any Error, unlessCancelledBy error: (any Error)?) {
        let isCancelled = (error as? URLError)?.code == .cancelled
        self.init(error: isCancelled ? error : reason)
    }
}

extension URL {
    /// Throws the reason why a file cannot be read.
    ///
    /// URLSession opens the file itself, when it sends it. Opening it costs the same for a file of any size.
    /// https://developer.apple.com/documentation/foundation/filehandle/init(forreadingfrom:)
    fileprivate func checkThatItOpens() throws {
        try FileHandle(forReadingFrom: self).close()
    }
}

/// Whether a task is null although its type says otherwise.
///
/// The documentation of an upload says "nil if the resumeData is invalid", and its declaration that the task is never nil. That of a
/// download says neither, and its header has the same declaration:
/// https://developer.apple.com/documentation/foundation/urlsession/uploadtask(withresumedata:completionhandler:)
///
/// The bytes of the reference are read, because the compiler may take for granted that a reference is not null.
private func isNull(_ task: some URLSessionTask) -> Bool {
    withUnsafeBytes(of: task) { bytes in bytes.allSatisfy { $0 == 0 } }
}

#endif
