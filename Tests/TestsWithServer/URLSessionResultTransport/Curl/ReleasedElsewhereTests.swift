#if canImport(FoundationNetworking)

import Foundation
import Glibc
import Testing
import URLSessionResult

@testable import URLSessionResultTransport
@testable import TestSupport

/// What a caller has given to a request is released on no thread that others wait for.
@Suite(.inTurn)
struct ReleasedElsewhereTests {
    /// How a request ends.
    enum End: CaseIterable {
        case cancellation, response, redirect, timeout

        var response: LoopbackServer.Response {
            switch self {
            case .response: .ok("abc")
            case .redirect: .redirect(to: "/target", then: .ok("abc"))
            // A stream has its head before it ends.
            case .cancellation, .timeout: .stalled(after: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n")
            }
        }
    }

    /// What is requested.
    enum Kind: CaseIterable { case data, uploadOfData, uploadOfFile, uploadOfStream, download, bytes }

    /// Whose delegate is watched.
    enum Owner: CaseIterable { case session, task }

    /// A delegate that notes the thread on which it is released.
    private final class Delegate: NSObject, URLSessionTaskDelegate {
        private let threads: Monitor<[pthread_t]>

        init(_ threads: Monitor<[pthread_t]>) { self.threads = threads }

        deinit { threads.withLock { $0.append(pthread_self()) } }
    }

    private let folder = TemporaryFolder()

    @Test(
        "A session or a delegate that goes with its last request is not released on the event loop",
        arguments: Kind.allCases.flatMap { kind in End.allCases.map { (kind, $0) } }, Owner.allCases)
    func request(_ request: (kind: Kind, end: End), of owner: Owner) async throws {
        let count = 100
        let threads = Monitor<[pthread_t]>([])
        let server = try LoopbackServer(request.end.response)
        let file = folder.file("file", Data("sent".utf8))
        for _ in 0..<count {
            if request.kind == .bytes {
                await stream(server.url(), endingBy: request.end, of: owner, noting: threads)
            } else {
                let isOver = Gate()
                start(request, server.url(), file, of: owner, noting: threads) { isOver.open() }
                try await isOver.opened()
            }
        }
        // The connections of some sessions look at their owners for a moment.
        try await threads.value { $0.count >= count / 2 }
        let loop = try await threadOfLoop()
        #expect(!threads.value.contains(loop))
    }

    @Test("What is released on the event loop is seen there")
    func control() async throws {
        let threads = Monitor<[pthread_t]>([])
        let delegate = Monitor<Delegate?>(Delegate(threads))
        try EventLoop.running().perform { delegate.withLock { $0 = nil } }
        try await threads.value { !$0.isEmpty }
        let loop = try await threadOfLoop()
        #expect(threads.value == [loop])
    }

    private func threadOfLoop() async throws -> pthread_t {
        let loop = try EventLoop.running()
        return await withCheckedContinuation { continuation in
            loop.perform { continuation.resume(returning: pthread_self()) }
        }
    }

    // Each of these has a frame of its own, so that nothing of the test keeps what it is given.

    private func session(_ end: End, _ delegate: Delegate?) -> URLSession {
        let configuration = URLSessionConfiguration.forTests
        if end == .timeout { configuration.timeoutIntervalForRequest = 0.001 }
        return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    private func start(
        _ request: (kind: Kind, end: End), _ url: URL, _ file: URL, of owner: Owner,
        noting threads: Monitor<[pthread_t]>,
        handler: @escaping @Sendable () -> Void
    ) {
        let delegate = Delegate(threads)
        let session = session(request.end, owner == .session ? delegate : nil)
        var upload = URLRequest(url: url, method: .put)
        let task: URLSessionTask
        switch request.kind {
        case .data, .bytes:
            task = session.dataTask(with: url) { (_: DataResult) in handler() }
        case .uploadOfData:
            task = session.uploadTask(with: upload, from: Data("sent".utf8)) { (_: DataResult) in handler() }
        case .uploadOfFile:
            task = session.uploadTask(with: upload, fromFile: file) { (_: DataResult) in handler() }
        case .uploadOfStream:
            upload.httpBodyStream = InputStream(data: Data("sent".utf8))
            task = session.dataTask(with: upload) { (_: DataResult) in handler() }
        case .download:
            task = session.downloadTask(with: url) { _ in handler() }
        }
        if owner == .task { task.delegate = delegate }
        task.resume()
        if request.end == .cancellation { task.cancel() }
    }

    private func stream(_ url: URL, endingBy end: End, of owner: Owner, noting threads: Monitor<[pthread_t]>) async {
        guard let body = await body(from: url, endingBy: end, of: owner, noting: threads), end != .cancellation
        else { return }
        do {
            for try await _ in body.chunks {}
        } catch {
            #expect(error.urlError?.code == .timedOut)
        }
    }

    private func body(
        from url: URL, endingBy end: End, of owner: Owner, noting threads: Monitor<[pthread_t]>
    ) async -> ResponseBytes? {
        let delegate = Delegate(threads)
        let session = session(end, owner == .session ? delegate : nil)
        return try? await session.bytesResult(from: url, delegate: owner == .task ? delegate : nil).get().body
    }
}

#endif
