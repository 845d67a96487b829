#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Body streams whose `read` waits, as those of an app may. Each has a thread of its own.
@Suite(.inTurn)
struct WaitingStreamTests {
    @Test(
        "While streams are read for ever, others are sent, and their own uploads end when they are to",
        arguments: APIForm.some.filter { !$0.uploads })
    func waiting(_ form: APIForm) async throws {
        let mayRead = Gate()
        // Otherwise a test that fails would keep the threads.
        defer { mayRead.open() }
        let isReleased = Gate()
        try await sendAll(by: form, reading: mayRead, on: CanaryQueue(Canary(isReleased)))
        try await isReleased.opened()
    }

    /// In a frame of its own, so that nothing of the test keeps the session.
    private func sendAll(by form: APIForm, reading mayRead: Gate, on queue: OperationQueue) async throws {
        let server = try LoopbackServer(.echo)
        let session = URLSession(configuration: .forTests, delegate: nil, delegateQueue: queue)
        let readers = Monitor(0)
        let releasedCount = Monitor(0)
        func upload(timeout: TimeInterval) -> Task<DataResult, Never> {
            Task {
                let stream = WaitingStream(mayRead, readers, Canary { releasedCount.withLock { $0 += 1 } })
                let request = Self.request(server.url("/waiting"), sending: stream, timeout: timeout)
                return await form.run(session, request)
            }
        }
        let cancelled = upload(timeout: 240)
        let timedOut = upload(timeout: 5)
        let sent = upload(timeout: 240)
        // Each is being read, on a thread that waits.
        try await readers.value { $0 == 3 }

        let others = [session, URLSession(configuration: .forTests)]
        for number in 1...50 {
            for other in others {
                let url = server.url("/other")
                let stream = InputStream(data: Data("\(number)".utf8))
                #expect(try await form.run(other, URLRequest(url: url)).get() == Data())
                let result = await form.run(other, Self.request(url, sending: stream))
                #expect(try result.get() == Data("\(number)".utf8))
            }
        }
        cancelled.cancel()
        #expect(await cancelled.value.error?.isCancelled == true)
        #expect(await timedOut.value.error?.urlError?.code == .timedOut)
        #expect(releasedCount.value == 0)

        mayRead.open()
        #expect(try await sent.value.get() == Data("read".utf8))
        try await releasedCount.value { $0 == 3 }
        #expect(server.requests.count == 201)
    }

    @Test(
        "A session goes with its last upload, though the stream is still read",
        arguments: APIForm.some.filter { !$0.uploads })
    func session(_ form: APIForm) async throws {
        let mayRead = Gate()
        defer { mayRead.open() }
        let isReleased = Gate()
        try await sendAndCancel(by: form, reading: mayRead, on: CanaryQueue(Canary(isReleased)))
        try await isReleased.opened()
    }

    private func sendAndCancel(by form: APIForm, reading mayRead: Gate, on queue: OperationQueue) async throws {
        let server = try LoopbackServer(.echo)
        let session = URLSession(configuration: .forTests, delegate: nil, delegateQueue: queue)
        let readers = Monitor(0)
        let upload = Task {
            let stream = WaitingStream(mayRead, readers, Canary {})
            return await form.run(session, Self.request(server.url(), sending: stream))
        }
        try await readers.value { $0 == 1 }
        upload.cancel()
        #expect(await upload.value.error?.isCancelled == true)
    }

    private static func request(_ url: URL, sending stream: InputStream, timeout: TimeInterval = 240) -> URLRequest {
        var request = URLRequest(url: url, method: .put)
        request.timeoutInterval = timeout
        request.httpBodyStream = stream
        return request
    }
}

/// A stream that gives nothing until a gate is open, and then one piece.
private final class WaitingStream: InputStream {
    private let mayRead: Gate
    private let readers: Monitor<Int>
    private let canary: Canary
    private var isAtEnd = false

    init(_ mayRead: Gate, _ readers: Monitor<Int>, _ canary: Canary) {
        self.mayRead = mayRead
        self.readers = readers
        self.canary = canary
        super.init(data: Data())
    }

    override var streamStatus: Stream.Status { .notOpen }
    override var streamError: (any Error)? { nil }
    override var hasBytesAvailable: Bool { true }
    override func open() {}
    override func close() {}

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        readers.withLock { $0 += 1 }
        mayRead.wait()
        guard !isAtEnd else { return 0 }
        isAtEnd = true
        let piece = Data("read".utf8)
        piece.copyBytes(to: buffer, count: piece.count)
        return piece.count
    }
}

#endif
