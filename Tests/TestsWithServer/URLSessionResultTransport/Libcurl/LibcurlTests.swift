#if os(Linux)

import Foundation
import Testing

@testable import URLSessionResultTransport
@testable import TestSupport

/// What the library finds of libcurl, and that it finds nothing by wrong names.
@Suite(.inTurn)
struct LibcurlTests {
    @Test("A transfer that runs is found by its task")
    func transfer() async throws {
        let loading = try await LoadingTask()
        let task = loading.task
        let session = loading.session
        #expect(await onQueue { task.libcurlTransfer()?.statusCode } == 200)
        #expect(await onQueue { session.libcurlMultiHandle() != nil })
        task.cancel()
        try await loading.end.opened()
        #expect(await onQueue { task.libcurlTransfer() == nil })
        session.invalidateAndCancel()
    }

    @Test("A wrong name of a function or of its library finds no libcurl")
    func namesOfFunctions() {
        #expect(Libcurl(LibcurlNames()) != nil)
        #expect(Libcurl(LibcurlNames(library: "libWrong.so")) == nil)
        #expect(Libcurl(LibcurlNames(pause: "wrong")) == nil)
        #expect(Libcurl(LibcurlNames(setOption: "wrong")) == nil)
        #expect(Libcurl(LibcurlNames(getInformation: "wrong")) == nil)
        #expect(Libcurl(LibcurlNames(setOptionOfMulti: "wrong")) == nil)
    }

    @Test("A wrong name of a property finds no transfer, and the task goes on")
    func namesOfProperties() async throws {
        let loading = try await LoadingTask()
        let (task, session) = (loading.task, loading.session)
        let found = await onQueue {
            [
                task.libcurlTransfer(LibcurlNames(transferOfTask: "wrong")) != nil,
                task.libcurlTransfer(LibcurlNames(easyHandle: "wrong")) != nil,
                task.libcurlTransfer(LibcurlNames(rawHandle: "wrong")) != nil,
                task.libcurlTransfer(LibcurlNames(pauseState: "wrong")) != nil,
                session.libcurlMultiHandle(LibcurlNames(multiHandle: "wrong")) != nil,
                session.libcurlMultiHandle(LibcurlNames(rawHandle: "wrong")) != nil,
            ]
        }
        #expect(found.allSatisfy { !$0 })
        #expect(task.state == .running)
        session.invalidateAndCancel()
    }

    @Test("FoundationNetworking's function that watches sockets is found, and by wrong names no session gets another")
    func socketWatch() {
        let session = URLSession(configuration: .forTests)
        #expect(SocketWatch.becomeExact(in: session))
        #expect(!SocketWatch.becomeExact(in: session, LibcurlNames(multiHandle: "wrong")))
        #expect(!SocketWatch.becomeExact(in: session, LibcurlNames(rawHandle: "wrong")))
        session.invalidateAndCancel()
    }

    @Test("A task that was not resumed has no transfer")
    func waitingTask() async throws {
        let session = URLSession(configuration: .forTests)
        let task = session.dataTask(with: try #require(URL(string: "http://127.0.0.1/")))
        #expect(await onQueue { task.libcurlTransfer() == nil })
        session.invalidateAndCancel()
    }
}

/// A task of `URLSession` alone that has got its head, and then nothing.
private struct LoadingTask {
    let server: LoopbackServer
    let session: URLSession
    let task: URLSessionDataTask
    let end = Gate()

    init() async throws {
        server = try LoopbackServer(.stalled(after: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"))
        let configuration = URLSessionConfiguration.forTests
        configuration.urlCache = nil
        let delegate = HeadDelegate(whenEnded: end)
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        task = session.dataTask(with: server.url())
        task.resume()
        try await delegate.head.opened()
    }
}

private func onQueue<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        onWorkQueue {
            let value = work()
            soon { continuation.resume(returning: value) }
        }
    }
}

private final class HeadDelegate: NSObject, URLSessionDataDelegate {
    let head = Gate()
    private let end: Gate

    init(whenEnded end: Gate) { self.end = end }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        head.open()
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        end.open()
    }
}

#endif
