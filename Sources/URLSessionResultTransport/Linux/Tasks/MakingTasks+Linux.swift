#if canImport(FoundationNetworking)

import Foundation

extension URLSession {
    package func makeDataTask(
        for request: URLRequest, collecting metrics: CollectedMetrics? = nil, outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionDataTask {
        CallersDataTask(
            Transfer(
                session: self, request: request, kind: .data, collecting: metrics, handler: outcomeHandler))
    }

    /// Makes a task that hands its response on while it arrives.
    package func makeStreamTask(
        for request: URLRequest, collecting metrics: CollectedMetrics? = nil, response: any ResponseReceiver
    ) -> URLSessionTask {
        CallersDataTask(
            Transfer(session: self, request: request, kind: .data, receiver: response, collecting: metrics) { outcome in
                response.complete(with: outcome.error)
            })
    }

    /// Makes a task that sends a body and hands its response on while it arrives.
    package func makeStreamTask(
        for request: URLRequest, uploading body: UploadedBody, collecting metrics: CollectedMetrics? = nil,
        response: any ResponseReceiver
    ) -> URLSessionTask {
        makeUploadTask(for: request, sending: body, receiver: response, collecting: metrics) { outcome in
            response.complete(with: outcome.error)
        }
    }

    package func makeDownloadTask(
        for request: URLRequest, collecting metrics: CollectedMetrics? = nil, outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionDownloadTask {
        CallersDownloadTask(
            Transfer(
                session: self, request: request, kind: .download, collecting: metrics, handler: outcomeHandler))
    }

    /// Makes a task that sends data.
    package func makeUploadTask(
        for request: URLRequest, from body: Data?, collecting metrics: CollectedMetrics? = nil,
        outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionUploadTask {
        // FoundationNetworking crashes if the body is nil.
        // Workaround: uploadOfNil
        makeUploadTask(
            for: request, sending: .data(body ?? Data()), collecting: metrics, handler: outcomeHandler)
    }

    /// Makes a task that sends a file, or a task that fails with the reason why the file cannot be read.
    package func makeUploadTask(
        for request: URLRequest, fromFile file: URL, collecting metrics: CollectedMetrics? = nil,
        outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionUploadTask {
        makeUploadTask(for: request, sending: .file(file), collecting: metrics, handler: outcomeHandler)
    }

    /// Makes a task that fails: FoundationNetworking does not resume uploads.
    package func makeUploadTask(resumeData: Data, outcomeHandler: @escaping OutcomeHandler) -> URLSessionUploadTask {
        makeUploadTask(for: .forNothing, failingWith: URLError(.unsupportedURL), handler: outcomeHandler)
    }

    /// Makes a task that goes on with an interrupted download, or a task that fails if the resume data is none of the library's.
    package func makeDownloadTask(
        resumeData: Data, collecting metrics: CollectedMetrics? = nil, outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionDownloadTask {
        // Workaround: resumeData
        if let resumeData = ResumeData(propertyList: resumeData) {
            return CallersDownloadTask(
                Transfer(
                    session: self, request: resumeData.request, kind: .resumedDownload(resumeData),
                    collecting: metrics, handler: outcomeHandler))
        }
        return makeFailingDownloadTask(
            for: .forNothing, with: URLError(.unsupportedURL), outcomeHandler: outcomeHandler)
    }

    private func makeUploadTask(
        for request: URLRequest, sending body: UploadedBody, receiver: (any ResponseReceiver)? = nil,
        collecting metrics: CollectedMetrics?, handler: @escaping OutcomeHandler
    ) -> URLSessionUploadTask {
        do {
            let kind = try TaskKind(uploading: body)
            guard let pipe = kind.pipe else {
                return makeUploadTask(for: request, kind, receiver: receiver, collecting: metrics, handler: handler)
            }
            return makeUploadTask(for: request, kind, receiver: receiver, collecting: metrics) { outcome in
                // The pipe is closed before the handler is called: the caller may send the rest of it by another task. The end of a
                // stream may be on the event loop, which must not wait.
                guard receiver == nil else { return pipe.afterClosing { handler(outcome) } }
                pipe.waitUntilClosed()
                handler(outcome)
            }
        } catch {
            return makeUploadTask(for: request, failingWith: error, receiver: receiver, handler: handler)
        }
    }

    private func makeUploadTask(
        for request: URLRequest, _ kind: TaskKind = .upload(.data(Data())), failingWith reason: (any Error)? = nil,
        receiver: (any ResponseReceiver)? = nil, collecting metrics: CollectedMetrics? = nil,
        handler: @escaping OutcomeHandler
    ) -> URLSessionUploadTask {
        CallersUploadTask(
            Transfer(
                session: self, request: request, kind: kind, failingWith: reason, receiver: receiver,
                collecting: metrics, handler: handler))
    }

    /// Makes a task that sends nothing, and fails when it is resumed, or is cancelled before.
    package func makeFailingDownloadTask(
        for request: URLRequest, with reason: any Error, outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionDownloadTask {
        CallersDownloadTask(
            Transfer(session: self, request: request, kind: .download, failingWith: reason, handler: outcomeHandler))
    }

    /// There are no background sessions.
    package var reasonAgainstAwaiting: (any Error)? { nil }

    /// Resumes a task on behalf of a Swift task.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - delegate: The delegate of this request.
    ///   - counter: What counts the bytes, if the caller asked for reports.
    ///   - willStart: A function that is called before the task is resumed, and may cancel it.
    /// - Returns: An object to keep as long as bytes are to be counted: nil, because the task keeps the counter.
    package func resume(
        _ task: URLSessionTask, delegate: (any URLSessionTaskDelegate)?, reportingTo counter: ByteCounter?,
        afterCalling willStart: () -> Void
    ) -> AnyObject? {
        willStart()
        guard let transfer = (task as? any TransferTask)?.transfer else {
            task.resume()
            return nil
        }
        if let delegate { transfer.taskDelegate = delegate }
        transfer.resume(task, countingWith: counter)
        return nil
    }
}

#endif
