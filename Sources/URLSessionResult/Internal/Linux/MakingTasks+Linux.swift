#if canImport(FoundationNetworking)

import Foundation

extension URLSession {
    /// Makes a task, and the exchange that it begins.
    ///
    /// - Parameters:
    ///   - request: The request of the caller.
    ///   - kind: The kind of the task.
    ///   - stream: Where the response goes while it arrives, or nil for a response that the handler gets.
    ///   - outcomeHandler: The handler of the task.
    ///   - makeTask: A function that makes the task from a request, and tells the exchange about its end.
    /// - Returns: The task.
    func makeTask<Task: URLSessionTask>(
        for request: URLRequest, of kind: TaskKind, to stream: StreamedResponse? = nil,
        outcomeHandler: @escaping OutcomeHandler, _ makeTask: (URLRequest, Exchange) -> Task
    ) -> Task {
        let exchange = Exchange(session: self, request: request, kind: kind, stream: stream, handler: outcomeHandler)
        let task = makeTask(exchange.request, exchange)
        exchange.begin(with: task)
        // The cookies are checked afterwards: few tasks get one, and a search for cookies costs more than the exchange.
        guard let cookies = exchange.cookiesToSendInstead() else { return task }
        let refusal = Locked(true)
        let nextRequest = exchange.discard(task, toSend: cookies, while: refusal)
        let next = Exchange(session: self, request: request, kind: kind, stream: stream, handler: outcomeHandler)
        let nextTask = makeTask(nextRequest, next)
        next.begin(with: nextTask, insteadOf: exchange)
        refusal.withLock { $0 = false }
        return nextTask
    }

    @usableFromInline
    func makeDataTask(for request: URLRequest, outcomeHandler: @escaping OutcomeHandler) -> URLSessionDataTask {
        makeDataTask(for: request, to: nil, outcomeHandler: outcomeHandler)
    }

    /// Makes a task that hands its response on while it arrives.
    @usableFromInline
    func makeStreamTask(for request: URLRequest, response: StreamedResponse) -> URLSessionTask {
        makeDataTask(for: request, to: response, outcomeHandler: response.complete(with:))
    }

    private func makeDataTask(
        for request: URLRequest, to stream: StreamedResponse?, outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionDataTask {
        makeTask(for: request, of: .data, to: stream, outcomeHandler: outcomeHandler) { request, exchange in
            dataTask(with: request) { data, response, error in
                exchange.callersTaskEnded(with: TaskOutcome(data: data, response: response, error: error))
            }
        }
    }

    @usableFromInline
    func makeDownloadTask(for request: URLRequest, outcomeHandler: @escaping OutcomeHandler) -> URLSessionDownloadTask {
        makeTask(for: request, of: .download, outcomeHandler: outcomeHandler) { request, exchange in
            guard exchange.makesFile else {
                return LoadedDownloadTask<Never>(
                    dataTask(with: request) { data, response, error in
                        exchange.callersTaskEnded(with: TaskOutcome(data: data, response: response, error: error))
                    })
            }
            return downloadTask(with: request) { file, response, error in
                exchange.callersTaskEnded(with: TaskOutcome(file: file, response: response, error: error))
            }
        }
    }

    /// Makes a task that sends data, unless another one is going to, which reports its progress.
    @usableFromInline
    func makeUploadTask(
        for request: URLRequest, from body: Data?, reportsProgress: Bool = false,
        outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionUploadTask {
        // FoundationNetworking crashes if the body is nil.
        let body = body ?? Data()
        return makeUploadTask(
            for: request, of: .upload(body), sending: reportsProgress ? Data() : body, outcomeHandler: outcomeHandler)
    }

    /// Makes a task that sends a file, or a task that fails with the reason why the file cannot be read.
    @usableFromInline
    func makeUploadTask(
        for request: URLRequest, fromFile file: URL, reportsProgress: Bool = false,
        outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionUploadTask {
        do {
            let kind = try TaskKind(uploading: file)
            let body = try reportsProgress ? Data() : kind.body()
            return makeUploadTask(for: request, of: kind, sending: body, outcomeHandler: outcomeHandler)
        } catch {
            return makeFailingTask(with: error, outcomeHandler: outcomeHandler) { request, handler in
                makeUploadTask(for: request, from: nil, outcomeHandler: handler)
            }
        }
    }

    private func makeUploadTask(
        for request: URLRequest, of kind: TaskKind, sending body: Data, outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionUploadTask {
        makeTask(for: request, of: kind, outcomeHandler: outcomeHandler) { request, exchange in
            uploadTask(with: request.showing(body, in: configuration), from: body) { data, response, error in
                exchange.callersTaskEnded(with: TaskOutcome(data: data, response: response, error: error))
            }
        }
    }

    /// Makes a task that fails: FoundationNetworking does not resume uploads.
    @_alwaysEmitIntoClient
    func makeUploadTask(resumeData: Data, outcomeHandler: @escaping OutcomeHandler) -> URLSessionUploadTask {
        makeFailingTask(with: URLError(.unsupportedURL), outcomeHandler: outcomeHandler) { request, handler in
            makeUploadTask(for: request, from: nil, outcomeHandler: handler)
        }
    }

    /// Makes a task that fails: FoundationNetworking does not resume downloads, and may crash if it is asked to.
    @_alwaysEmitIntoClient
    func makeDownloadTask(resumeData: Data, outcomeHandler: @escaping OutcomeHandler) -> URLSessionDownloadTask {
        makeFailingTask(with: URLError(.unsupportedURL), outcomeHandler: outcomeHandler) { request, handler in
            makeDownloadTask(for: request, outcomeHandler: handler)
        }
    }

    /// Resumes a task on behalf of a Swift task.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - delegate: The delegate of this request.
    ///   - meter: The meter of the progress, if the caller asked for reports.
    @usableFromInline
    func resume(_ task: URLSessionTask, delegate: (any URLSessionTaskDelegate)?, reportingTo meter: ProgressMeter?) {
        guard let exchange = task.exchange else { return task.resume() }
        if let delegate { exchange.askFirst(delegate) }
        exchange.resume(task, reportingTo: meter)
    }
}

// Workaround: `URLSession` crashes if `uploadTask(with:from:completionHandler:)` is given `nil`
// Instead: the library sends an empty body
// Kind: crash
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.uploadOfNil
// Upstream: not reported
// May go: one line of `makeUploadTask(for:from:)`
//
// Workaround: `URLSession` may crash if it is asked to resume a download
// Instead: the library fails with `URLError.unsupportedURL`
// Kind: crash
// Needed by: Swift 6.2 to main
// Shown by: its sources
// Upstream: not reported
// May go: `makeDownloadTask(resumeData:)` and `makeUploadTask(resumeData:)`

#endif
