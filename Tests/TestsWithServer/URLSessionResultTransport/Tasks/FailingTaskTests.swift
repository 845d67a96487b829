#if os(Linux)

import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting

@testable import TestSupport

/// Tasks that fail without a request.
@Suite(.inTurn)
struct FailingTaskTests {
    @Test("A request without a URL is an error, and no mock is asked about it", arguments: APIForm.all, [false, true])
    func withoutURL(_ form: APIForm, isMocked: Bool) async {
        let stub = SessionStub(.text("mocked"))
        let session = isMocked ? stub.session : URLSession(configuration: .forTests)
        var request = URLRequest(url: URL(fileURLWithPath: "/"), method: form.uploads ? .put : .get)
        request.url = nil
        #expect(await form.run(session, request).error?.urlError?.code == .unsupportedURL)
        #expect(stub.requests.isEmpty)
    }

    @Test("A redirect to a request without a URL is an error", arguments: APIForm.some)
    func redirectWithoutURL(_ form: APIForm) async throws {
        let server = try LoopbackServer(.redirect(to: "/target"))
        let session = SessionDelegate(redirect: { proposal in
            var request = proposal
            request.url = nil
            return request
        }).session()
        #expect(await form(server.url(), in: session).error?.urlError?.code == .unsupportedURL)
        #expect(server.requests.count == 1)
    }

    @Test("A task that cannot do what it is asked says why, and asks no mock", arguments: ImpossibleTask.all)
    private func impossible(_ task: ImpossibleTask) async throws {
        let url = try #require(URL(string: "http://\(UUID().uuidString).test/"))
        let configuration = URLSessionConfiguration.forTests
        configuration.protocolClasses = [SilentProtocol.self]
        let error = await task.run(URLSession(configuration: configuration), URLRequest(url: url, method: .put))
        #expect(task.isMeant(error), "\(error as Any)")
        #expect(SilentProtocol.asked.value.isEmpty)
    }

    @Test(
        "No answer of a mock comes before the reason, or is its own", arguments: ImpossibleTask.all,
        [.text("mocked"), .failure(URLError(.timedOut))] as [SessionStub.Answer])
    private func answeredImpossible(_ task: ImpossibleTask, answer: SessionStub.Answer) async throws {
        let url = try #require(URL(string: "http://stub.test/"))
        let stub = SessionStub(answer)
        let error = await task.run(stub.session, URLRequest(url: url, method: .put))
        #expect(task.isMeant(error), "\(error as Any)")
        #expect(stub.requests.isEmpty)
    }

    @Test("A task that cannot do what it is asked may be cancelled before", arguments: [false, true])
    func cancelledImpossible(isResumed: Bool) async throws {
        let session = URLSession(configuration: .forTests)
        session.delegateQueue.isSuspended = true
        let request = URLRequest(url: try #require(URL(string: "http://stub.test/")))
        let error = await withCheckedContinuation { continuation in
            let task = session.downloadTask(with: request, to: FileManager.default.temporaryDirectory) { result in
                continuation.resume(returning: result.error)
            }
            if isResumed { task.resume() }
            #expect(task.originalRequest == request)
            task.cancel()
            session.delegateQueue.isSuspended = false
        }
        #expect(error?.isCancelled == true)
    }
}

// MARK: - Tasks that are made to fail

/// A task that cannot do what it is asked, which is known before it sends anything.
private struct ImpossibleTask: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let isMeant: @Sendable (NetworkError?) -> Bool
    let run: @Sendable (URLSession, URLRequest) async -> NetworkError?

    init(
        _ testDescription: String, isMeant: @escaping @Sendable (NetworkError?) -> Bool,
        _ run: @escaping @Sendable (URLSession, URLRequest) async -> NetworkError?
    ) {
        self.testDescription = testDescription
        self.isMeant = isMeant
        self.run = run
    }

    private static let folder = FileManager.default.temporaryDirectory
    private static let missingFile = folder.appendingPathComponent("missing-\(UUID().uuidString)")
    private static let invalidData = Data("no resume data".utf8)
    private static let isOfFile: @Sendable (NetworkError?) -> Bool = { $0?.underlyingError is CocoaError }
    private static let isUnsupported: @Sendable (NetworkError?) -> Bool = { $0?.urlError?.code == .unsupportedURL }

    static let all = [
        ImpossibleTask("download to a folder", isMeant: isOfFile) { session, request in
            await session.downloadResult(for: request, to: folder).error
        },
        ImpossibleTask("download to a folder, by handler", isMeant: isOfFile) { session, request in
            await withCheckedContinuation { continuation in
                session.downloadTask(with: request, to: folder) { continuation.resume(returning: $0.error) }.resume()
            }
        },
        ImpossibleTask("resumed download to a folder", isMeant: isOfFile) { session, _ in
            await session.downloadResult(resumeFrom: invalidData, to: folder).error
        },
        ImpossibleTask("resumed download to a folder, by handler", isMeant: isOfFile) { session, _ in
            await withCheckedContinuation { continuation in
                session.downloadTask(withResumeData: invalidData, to: folder) { result in
                    continuation.resume(returning: result.error)
                }.resume()
            }
        },
        ImpossibleTask("upload of a missing file", isMeant: isOfFile) { session, request in
            await session.uploadResult(for: request, fromFile: missingFile).error
        },
        ImpossibleTask("upload of a missing file, by handler", isMeant: isOfFile) { session, request in
            await withCheckedContinuation { continuation in
                session.uploadTask(with: request, fromFile: missingFile) { (result: DataResult) in
                    continuation.resume(returning: result.error)
                }.resume()
            }
        },
        ImpossibleTask("upload of a missing file, as a stream", isMeant: isOfFile) { session, request in
            await session.bytesResult(
                for: request, uploading: .file(missingFile), accepting: 200..<300, progress: nil
            ).error
        },
        ImpossibleTask("resumed upload", isMeant: isUnsupported) { session, _ in
            await session.uploadResult(resumeFrom: invalidData).error
        },
        ImpossibleTask("resumed download", isMeant: isUnsupported) { session, _ in
            await session.downloadTaskError(resumingFrom: invalidData)
        },
    ]
}

extension URLSession {
    fileprivate func downloadTaskError(resumingFrom data: Data) async -> NetworkError? {
        await withCheckedContinuation { continuation in
            downloadTask(withResumeData: data) { (result: Result<URL, NetworkError>) in
                continuation.resume(returning: result.error)
            }.resume()
        }
    }
}

/// Takes every request, and never answers. Notes what it is asked.
private final class SilentProtocol: URLProtocol {
    static let asked = Monitor<[URL?]>([])

    override class func canInit(with request: URLRequest) -> Bool {
        asked.withLock { $0.append(request.url) }
        return true
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func startLoading() {}
    override func stopLoading() {}
}

#endif
