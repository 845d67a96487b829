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
    private let send: Send

    /// What the upload forms send.
    static let uploadedBody = Data("sent".utf8)

    static let all = callbacks + asynchronous

    /// A form of each kind of task and of each way to follow one: by handler, by await, with progress, as a stream.
    static let some = all.filter { form in
        [
            "dataTask(with:resultHandler:)", "dataResult(for:)", "dataResult(for:progress:)",
            "uploadTask(with:from:resultHandler:)", "uploadResult(for:from:progress:)", "downloadResult(for:to:)",
            "downloadResult(for:to:progress:)", "bytesResult(for:)",
        ].contains(form.testDescription)
    }

    static let callbacks = [
        APIForm("dataTask(with:resultHandler:)") { session, request, codes, _ in
            await calling { session.dataTask(with: request, accepting: codes, resultHandler: $0) }
        },
        APIForm("dataTask(with:errorHandler:)", givesBody: false) { session, request, codes, _ in
            await calling { handler in
                session.dataTask(with: request, accepting: codes, errorHandler: { handler($0.result) })
            }
        },
        APIForm("dataTask(with:decoder:resultHandler:)") { session, request, codes, _ in
            await calling { session.dataTask(with: request, decoder: .bytes, accepting: codes, resultHandler: $0) }
        },
        APIForm("uploadTask(with:from:resultHandler:)", uploads: true) { session, request, codes, _ in
            await calling {
                session.uploadTask(with: request, from: uploadedBody, accepting: codes, resultHandler: $0)
            }
        },
        APIForm("uploadTask(with:from:errorHandler:)", givesBody: false, uploads: true) { session, request, codes, _ in
            await calling { handler in
                session.uploadTask(
                    with: request, from: uploadedBody, accepting: codes, errorHandler: { handler($0.result) })
            }
        },
        APIForm("uploadTask(with:from:decoder:resultHandler:)", uploads: true) { session, request, codes, _ in
            await calling {
                session.uploadTask(
                    with: request, from: uploadedBody, decoder: .bytes, accepting: codes, resultHandler: $0)
            }
        },
        APIForm("uploadTask(with:fromFile:resultHandler:)", uploads: true) { session, request, codes, _ in
            await TemporaryFolder().using(uploadedBody) { file in
                await calling { session.uploadTask(with: request, fromFile: file, accepting: codes, resultHandler: $0) }
            }
        },
        APIForm("uploadTask(with:fromFile:errorHandler:)", givesBody: false, uploads: true) {
            session, request, codes, _ in
            await TemporaryFolder().using(uploadedBody) { file in
                await calling { handler in
                    session.uploadTask(
                        with: request, fromFile: file, accepting: codes, errorHandler: { handler($0.result) })
                }
            }
        },
        APIForm("uploadTask(with:fromFile:decoder:resultHandler:)", uploads: true) { session, request, codes, _ in
            await TemporaryFolder().using(uploadedBody) { file in
                await calling {
                    session.uploadTask(
                        with: request, fromFile: file, decoder: .bytes, accepting: codes, resultHandler: $0)
                }
            }
        },
        APIForm("downloadTask(with:resultHandler:)") { session, request, codes, _ in
            await calling { handler in
                session.downloadTask(with: request, accepting: codes) { handler($0.contents) }
            }
        },
        APIForm("downloadTask(with:to:resultHandler:)") { session, request, codes, _ in
            await TemporaryFolder().using { file in
                await calling { handler in
                    session.downloadTask(with: request, to: file, accepting: codes) { handler($0.contents) }
                }
            }
        },
        APIForm("downloadTask(with:decoder:resultHandler:)") { session, request, codes, _ in
            await calling { session.downloadTask(with: request, decoder: .bytes, accepting: codes, resultHandler: $0) }
        },
    ]

    static let asynchronous = [
        APIForm("dataResult(for:)") { await $0.dataResult(for: $1, accepting: $2, delegate: $3) },
        APIForm("dataResult(for:progress:)") { await $0.dataResult(for: $1, accepting: $2, delegate: $3) { _ in } },
        APIForm("dataResult(for:decoder:)") {
            await $0.dataResult(for: $1, decoder: .bytes, accepting: $2, delegate: $3)
        },
        APIForm("dataResult(for:decoder:progress:)") {
            await $0.dataResult(for: $1, decoder: .bytes, accepting: $2, delegate: $3) { _ in }
        },
        APIForm("dataResult(for:decoder: .response)") {
            await $0.dataResult(for: $1, decoder: .response(.bytes), accepting: $2, delegate: $3).map(\.body)
        },
        APIForm("uploadResult(for:from:)", uploads: true) {
            await $0.uploadResult(for: $1, from: uploadedBody, accepting: $2, delegate: $3)
        },
        APIForm("uploadResult(for:from:progress:)", uploads: true) {
            await $0.uploadResult(for: $1, from: uploadedBody, accepting: $2, delegate: $3) { _ in }
        },
        APIForm("uploadResult(for:from:decoder:)", uploads: true) {
            await $0.uploadResult(for: $1, from: uploadedBody, decoder: .bytes, accepting: $2, delegate: $3)
        },
        APIForm("uploadResult(for:fromFile:)", uploads: true) { session, request, codes, delegate in
            await TemporaryFolder().using(uploadedBody) { file in
                await session.uploadResult(for: request, fromFile: file, accepting: codes, delegate: delegate)
            }
        },
        APIForm("uploadResult(for:fromFile:decoder:progress:)", uploads: true) { session, request, codes, delegate in
            await TemporaryFolder().using(uploadedBody) { file in
                await session.uploadResult(
                    for: request, fromFile: file, decoder: .bytes, accepting: codes, delegate: delegate
                ) { _ in }
            }
        },
        APIForm("downloadResult(for:to:)") { session, request, codes, delegate in
            await TemporaryFolder().using { file in
                await session.downloadResult(for: request, to: file, accepting: codes, delegate: delegate).contents
            }
        },
        APIForm("downloadResult(for:to:progress:)") { session, request, codes, delegate in
            await TemporaryFolder().using { file in
                await session.downloadResult(for: request, to: file, accepting: codes, delegate: delegate) { _ in }
                    .contents
            }
        },
        APIForm("downloadResult(for:decoder:)") {
            await $0.downloadResult(for: $1, decoder: .bytes, accepting: $2, delegate: $3)
        },
        APIForm("downloadResult(for:decoder:progress:)") {
            await $0.downloadResult(for: $1, decoder: .bytes, accepting: $2, delegate: $3) { _ in }
        },
        APIForm("downloadResponse(for:to:)") { session, request, codes, delegate in
            await TemporaryFolder().using { file in
                await session.downloadResponse(for: request, to: file, accepting: codes, delegate: delegate)
                    .map(\.body).contents
            }
        },
        APIForm("bytesResult(for:)") {
            await $0.bytesResult(for: $1, accepting: $2, delegate: $3).collected()
        },
    ]

    /// Forms that make no request but resume one, with data that is none.
    static let resumedDownloads = ResumedDownloadForm.all.map { form in
        APIForm(form.testDescription) { session, _, codes, delegate in
            await form.send(session, resumeData, codes, delegate)
        }
    }

    /// Forms that make no request but resume one, and are younger than the others.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    static let resumedUploads = [
        APIForm("uploadTask(withResumeData:resultHandler:)") { session, _, codes, _ in
            await calling {
                session.uploadTask(withResumeData: resumeData, accepting: codes, resultHandler: $0)
            }
        },
        APIForm("uploadResult(resumeFrom:)") { session, _, codes, delegate in
            await session.uploadResult(resumeFrom: resumeData, accepting: codes, delegate: delegate)
        },
        APIForm("uploadResult(resumeFrom:progress:)") { session, _, codes, delegate in
            await session.uploadResult(resumeFrom: resumeData, accepting: codes, delegate: delegate) { _ in }
        },
    ]

    /// The counterparts that take a URL: each sends what the one for a request sends.
    static let byURL = callbacksByURL + asynchronousByURL

    private static let callbacksByURL = [
        APIForm(byURL: "dataTask(with:resultHandler:)") { session, url, codes, _ in
            await calling { session.dataTask(with: url, accepting: codes, resultHandler: $0) }
        },
        APIForm(byURL: "dataTask(with:errorHandler:)", givesBody: false) { session, url, codes, _ in
            await calling { handler in
                session.dataTask(with: url, accepting: codes, errorHandler: { handler($0.result) })
            }
        },
        APIForm(byURL: "dataTask(with:decoder:resultHandler:)") { session, url, codes, _ in
            await calling { session.dataTask(with: url, decoder: .bytes, accepting: codes, resultHandler: $0) }
        },
        APIForm(byURL: "downloadTask(with:resultHandler:)") { session, url, codes, _ in
            await calling { handler in session.downloadTask(with: url, accepting: codes) { handler($0.contents) } }
        },
        APIForm(byURL: "downloadTask(with:to:resultHandler:)") { session, url, codes, _ in
            await TemporaryFolder().using { file in
                await calling { handler in
                    session.downloadTask(with: url, to: file, accepting: codes) { handler($0.contents) }
                }
            }
        },
        APIForm(byURL: "downloadTask(with:decoder:resultHandler:)") { session, url, codes, _ in
            await calling { session.downloadTask(with: url, decoder: .bytes, accepting: codes, resultHandler: $0) }
        },
    ]

    static let asynchronousByURL = [
        APIForm(byURL: "dataResult(from:)") { await $0.dataResult(from: $1, accepting: $2, delegate: $3) },
        APIForm(byURL: "dataResult(from:decoder:)") {
            await $0.dataResult(from: $1, decoder: .bytes, accepting: $2, delegate: $3)
        },
        APIForm(byURL: "dataResult(from:decoder: .response)") {
            await $0.dataResult(from: $1, decoder: .response(.bytes), accepting: $2, delegate: $3).map(\.body)
        },
        APIForm(byURL: "downloadResult(from:to:)") { session, url, codes, delegate in
            await TemporaryFolder().using { file in
                await session.downloadResult(from: url, to: file, accepting: codes, delegate: delegate).contents
            }
        },
        APIForm(byURL: "downloadResult(from:decoder:)") {
            await $0.downloadResult(from: $1, decoder: .bytes, accepting: $2, delegate: $3)
        },
        APIForm(byURL: "downloadResponse(from:to:)") { session, url, codes, delegate in
            await TemporaryFolder().using { file in
                await session.downloadResponse(from: url, to: file, accepting: codes, delegate: delegate)
                    .map(\.body).contents
            }
        },
        APIForm(byURL: "bytesResult(from:)") {
            await $0.bytesResult(from: $1, accepting: $2, delegate: $3).collected()
        },
    ]

    private static let resumeData = Data("not what URLSession makes".utf8)
}

extension APIForm {
    init(
        _ name: String,
        givesBody: Bool = true,
        uploads: Bool = false,
        send: @escaping Send
    ) {
        self.init(testDescription: name, givesBody: givesBody, uploads: uploads, send: send)
    }

    private init(
        byURL name: String, givesBody: Bool = true,
        send: @escaping @Sendable (URLSession, URL, Range<Int>, (any URLSessionTaskDelegate)?) async -> DataResult
    ) {
        self.init("\(name) by URL", givesBody: givesBody) { session, request, codes, delegate in
            guard let url = request.url else { return .failure(.noData) }
            return await send(session, url, codes, delegate)
        }
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

/// One way to resume a download.
struct ResumedDownloadForm: Sendable, CustomTestStringConvertible {
    typealias Send = @Sendable (URLSession, Data, Range<Int>, (any URLSessionTaskDelegate)?) async -> DataResult

    let testDescription: String
    let send: Send

    static let all = [
        ResumedDownloadForm("downloadTask(withResumeData:resultHandler:)") { session, resumeData, codes, _ in
            await APIForm.calling { handler in
                session.downloadTask(withResumeData: resumeData, accepting: codes) { handler($0.contents) }
            }
        },
        ResumedDownloadForm("downloadTask(withResumeData:to:resultHandler:)") { session, resumeData, codes, _ in
            await TemporaryFolder().using { file in
                await APIForm.calling { handler in
                    session.downloadTask(withResumeData: resumeData, to: file, accepting: codes) {
                        handler($0.contents)
                    }
                }
            }
        },
        ResumedDownloadForm("downloadResult(resumeFrom:to:)") { session, resumeData, codes, delegate in
            await TemporaryFolder().using { file in
                await session.downloadResult(resumeFrom: resumeData, to: file, accepting: codes, delegate: delegate)
                    .contents
            }
        },
        ResumedDownloadForm("downloadResult(resumeFrom:to:progress:)") { session, resumeData, codes, delegate in
            await TemporaryFolder().using { file in
                await session.downloadResult(resumeFrom: resumeData, to: file, accepting: codes, delegate: delegate) {
                    _ in
                }.contents
            }
        },
        ResumedDownloadForm("downloadResponse(resumeFrom:to:progress:)") { session, resumeData, codes, delegate in
            await TemporaryFolder().using { file in
                await session.downloadResponse(resumeFrom: resumeData, to: file, accepting: codes, delegate: delegate) {
                    _ in
                }.flatMap { response in
                    // The file comes with the headers of the response that brought the rest, or the whole.
                    guard response.statusCode == 200 || response.header("Content-Range") != nil else {
                        return .failure(.noData)
                    }
                    return Result<URL, NetworkError>.success(response.body).contents
                }
            }
        },
    ]

    private init(_ testDescription: String, send: @escaping Send) {
        self.testDescription = testDescription
        self.send = send
    }
}

extension ResultDecoder where T == Data {
    /// The bytes as they came, by way of a decoder.
    static var bytes: Self { ResultDecoder { $0 } }
}

extension NetworkError? {
    fileprivate var result: DataResult { map(Result.failure) ?? .success(Data()) }
}

/// A progress handler that takes no interest.
let ignored: ProgressHandler = { _ in }
