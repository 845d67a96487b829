#if canImport(FoundationNetworking)

import Foundation

extension URLSession {
    private func makeExchange(
        for request: URLRequest, of kind: TaskKind, to stream: StreamedResponse? = nil,
        outcomeHandler: @escaping OutcomeHandler
    ) -> Exchange {
        Exchange(session: self, request: request, kind: kind, stream: stream, handler: outcomeHandler)
    }

    func makeDataTask(for request: URLRequest, outcomeHandler: @escaping OutcomeHandler) -> URLSessionDataTask {
        CallersDataTask(makeExchange(for: request, of: .data, outcomeHandler: outcomeHandler))
    }

    /// Makes a task that hands its response on while it arrives.
    func makeStreamTask(for request: URLRequest, response: StreamedResponse) -> URLSessionTask {
        CallersDataTask(
            makeExchange(for: request, of: .data, to: response, outcomeHandler: response.complete(with:)))
    }

    func makeDownloadTask(for request: URLRequest, outcomeHandler: @escaping OutcomeHandler) -> URLSessionDownloadTask {
        CallersDownloadTask(makeExchange(for: request, of: .download, outcomeHandler: outcomeHandler))
    }

    /// Makes a task that sends data.
    func makeUploadTask(
        for request: URLRequest, from body: Data?, outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionUploadTask {
        // FoundationNetworking crashes if the body is nil.
        CallersUploadTask(
            makeExchange(for: request, of: .upload(body ?? Data()), outcomeHandler: outcomeHandler))
    }

    /// Makes a task that sends a file, or a task that fails with the reason why the file cannot be read.
    func makeUploadTask(
        for request: URLRequest, fromFile file: URL, outcomeHandler: @escaping OutcomeHandler
    ) -> URLSessionUploadTask {
        do {
            let kind = try TaskKind(uploading: file)
            return CallersUploadTask(makeExchange(for: request, of: kind, outcomeHandler: outcomeHandler))
        } catch {
            return makeFailingTask(with: error, outcomeHandler: outcomeHandler) { request, handler in
                makeUploadTask(for: request, from: nil, outcomeHandler: handler)
            }
        }
    }

    /// Makes a task that fails: FoundationNetworking does not resume uploads.
    func makeUploadTask(resumeData: Data, outcomeHandler: @escaping OutcomeHandler) -> URLSessionUploadTask {
        makeFailingTask(with: URLError(.unsupportedURL), outcomeHandler: outcomeHandler) { request, handler in
            makeUploadTask(for: request, from: nil, outcomeHandler: handler)
        }
    }

    /// Makes a task that fails: FoundationNetworking does not resume downloads, and may crash if it is asked to.
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
    func resume(_ task: URLSessionTask, delegate: (any URLSessionTaskDelegate)?, reportingTo meter: ProgressMeter?) {
        guard let exchange = (task as? any CallersTask)?.exchange else { return task.resume() }
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
