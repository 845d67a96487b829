#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import URLSessionResultTransport
@testable import TestSupport

/// Sends requests with another libcurl than the one of the process, or with none.
struct LibcurlSender: Sendable {
    let curl: Curl?

    /// How a request is sent and its response is taken.
    enum Form: CaseIterable, Sendable {
        case data, upload, download, stream
    }

    struct End: Equatable, Sendable {
        var status: Int?
        var body = ""
        var error: URLError.Code?
    }

    /// What has come for a stream.
    enum StreamEvent: Sendable {
        case head, data
    }

    /// Sends a request by a transfer that differs from any other in its libcurl alone.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - form: The form.
    ///   - session: The session.
    ///   - onEvent: What is called when something has come for a stream.
    /// - Returns: How it has ended.
    /// - Throws: If it does not end.
    func send(
        _ request: URLRequest, by form: Form, in session: URLSession = URLSession(configuration: .forTests),
        onEvent: @escaping @Sendable (StreamEvent, URLSessionTask) -> Void = { _, _ in }
    ) async throws -> End {
        var dependencies = TransferDependencies()
        dependencies.makeLoad = { [curl] loader, request, transaction in
            guard case .http = loader else { throw URLError(.unsupportedURL) }
            return try loader.makeLoad(of: request, for: transaction, using: curl)
        }
        let stream = form == .stream ? Stream(onEvent) : nil
        let end = Monitor<End?>(nil)
        let kind: TaskKind =
            switch form {
            case .data, .stream: .data
            case .upload: .upload(.data(Data("uploaded".utf8)))
            case .download: .download
            }
        let transfer = Transfer(
            session: session, request: request, kind: kind, receiver: stream, dependencies: dependencies
        ) { outcome in
            let file = outcome.file.flatMap { try? Data(contentsOf: $0) }
            let body = stream?.body.value ?? file ?? outcome.data ?? Data()
            let response = stream?.head.value ?? outcome.response
            let noted = End(
                status: (response as? HTTPURLResponse)?.statusCode, body: String(decoding: body, as: UTF8.self),
                error: outcome.error.map { ($0 as? URLError)?.code ?? .unknown })
            end.withLock { $0 = noted }
        }
        let task: URLSessionTask =
            switch form {
            case .data, .stream: CallersDataTask(transfer)
            case .upload: CallersUploadTask(transfer)
            case .download: CallersDownloadTask(transfer)
            }
        task.resume()
        return try await withTaskCancellationHandler {
            // A cancellation ends the task, and not this wait.
            try await Task { try #require(try await end.value { $0 != nil }) }.value
        } onCancel: {
            task.cancel()
        }
    }
}

/// Takes a response while it arrives.
private final class Stream: ResponseReceiver {
    let head = Monitor<URLResponse?>(nil)
    let body = Monitor(Data())
    private let onEvent: @Sendable (LibcurlSender.StreamEvent, URLSessionTask) -> Void

    init(_ onEvent: @escaping @Sendable (LibcurlSender.StreamEvent, URLSessionTask) -> Void) { self.onEvent = onEvent }

    func receive(_ head: URLResponse, of task: URLSessionTask, isTimed: Bool) {
        self.head.withLock { $0 = head }
        onEvent(.head, task)
    }

    func receive(_ data: Data, of task: URLSessionTask) {
        body.withLock { $0 += data }
        onEvent(.data, task)
    }

    func patienceIsOver(with task: URLSessionTask) {}
    func complete(with error: (any Error)?) {}
}

#endif
