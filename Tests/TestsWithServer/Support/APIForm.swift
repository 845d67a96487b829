import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// One way to send a request with the library; what holds for one has to hold for all.
struct APIForm: Sendable, CustomTestStringConvertible {
    typealias Send =
        @Sendable (URLSession, URLRequest, Range<Int>, (any URLSessionTaskDelegate)?) async -> DataResult

    let testDescription: String
    /// Whether success comes with the body: `errorHandler:` does without.
    var givesBody = true
    /// Whether a request body is sent.
    var uploads = false
    /// Whether the body is given while it arrives.
    var isStream = false
    private let send: Send

    /// What the upload forms send.
    static let uploadedBody = Data("sent".utf8)

    static let all: [APIForm] = callbacks + asynchronous

    /// A form of each kind of task and of each way to follow one: by handler, by await, with progress, as a stream.
    static let some: [APIForm] = [
        dataTask, uploadTask, dataResult, dataResultWithProgress, uploadResultWithProgress, downloadResult,
        downloadResultWithProgress, bytesResult,
    ]

    static let data: [APIForm] = dataCallbacks + asynchronousData
    static let downloads: [APIForm] = downloadCallbacks + asynchronousDownloads

    /// The form that a process of a test is told by name.
    static func named(_ name: String) -> APIForm? { all.first { $0.testDescription == name } }
}

extension APIForm {
    init(
        _ name: String,
        givesBody: Bool = true,
        uploads: Bool = false,
        isStream: Bool = false,
        send: @escaping Send
    ) {
        self.init(
            testDescription: name, givesBody: givesBody, uploads: uploads, isStream: isStream, send: send)
    }

    /// Runs a request to its end; cancelling the Swift task cancels it. Asynchronous forms have use for a delegate.
    func run(
        _ session: URLSession, _ request: URLRequest, _ codes: Range<Int> = 200..<300,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async -> DataResult {
        await send(session, request, codes, delegate)
    }

    /// Sends a request that suits the form: a POST where it uploads. Invalidates the session.
    func callAsFunction(
        _ url: URL,
        headers: [String: String] = [:],
        in session: URLSession = URLSession(configuration: .forTests),
        accepting codes: Range<Int> = 200..<300,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async -> DataResult {
        var request = URLRequest(url: url, method: uploads ? .post : .get)
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        defer { session.finishTasksAndInvalidate() }
        return await run(session, request, codes, delegate: delegate)
    }

    /// Awaits a handler. One that is called twice ends the test process, as a continuation does.
    static func calling(
        _ makeTask: @Sendable (@escaping @Sendable (DataResult) -> Void) -> URLSessionTask
    ) async -> DataResult {
        let started = Monitor<URLSessionTask?>(nil)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let task = makeTask { continuation.resume(returning: $0) }
                started.withLock { $0 = task }
                if Task.isCancelled { task.cancel() } else { task.resume() }
            }
        } onCancel: {
            started.value?.cancel()
        }
    }
}
