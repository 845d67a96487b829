#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResultTransport
@testable import TestSupport

/// How the bytes of an upload are handed out on the work queue, by a disk that answers when the test says so.
struct ReadAheadTests {
    private static let content = Data((0...3 * FilePiece.size / 8).flatMap { withUnsafeBytes(of: $0, Array.init) })
    private var content: Data { Self.content }
    private let disk = Disk()

    private func readAhead() -> ReadAhead {
        ReadAhead(ofLength: content.count) { [content, disk] range in
            try disk.awaitPiece(range.lowerBound / FilePiece.size)
            return content[range]
        }
    }

    @Test(
        "A file is handed out whole and in order, however many bytes are asked for",
        arguments: [1000, 65_536, 1 << 20])
    func order(count: Int) throws {
        disk.release(pieces: 4)
        var body = readAhead()
        #expect(try body.readAll(count) == content)
    }

    @Test("Data is handed out as it is, also a slice", arguments: [0, 5])
    func data(droppedCount: Int) throws {
        let slice = content.dropFirst(droppedCount)
        var body = ReadAhead(of: .data(slice))
        #expect(try body.readAll(65_536) == Data(slice))
    }

    @Test("While the disk is slower, the end of a piece is handed out little by little, and nothing waits")
    func slowDisk() throws {
        disk.release(pieces: 1)
        var body = readAhead()
        var received = Data()
        while received.count < FilePiece.size - 65_536 { received += try body.read(atMost: 65_536) }
        let sips = try (1...1000).map { _ in try body.read(atMost: 65_536) }
        #expect(sips.allSatisfy { 1...64 ~= $0.count })
        // What is left lasts for longer than what is gone: a quarter of a second.
        let sippedCount = sips.reduce(0) { $0 + $1.count }
        #expect(sippedCount < 65_536 * 2 / 3)
        received += Data(sips.joined())
        disk.release(pieces: 3)
        #expect(try received + body.readAll(65_536) == content)
    }

    @Test("Where sending can be paused until the next piece is there, it is, after a byte")
    func pausedSending() throws {
        disk.release(pieces: 1)
        var body = readAhead()
        var received = Data()
        while received.count < FilePiece.size - 65_536 { received += try body.read(atMost: 65_536) }
        for _ in 1...100 {
            received += try body.read(atMost: 65_536) { _ in true }
            #expect(received.count <= FilePiece.size - 65_536 + 100)
        }
        disk.release(pieces: 3)
        #expect(try received + body.readAll(65_536) == content)
    }

    // The work queue waits for a piece, and what the queues run may wait for the work queue.
    @Test("A file is read although every thread of the queues waits")
    func busyQueues() async {
        await #expect(processExitsWith: .success) {
            alarm(60)
            for _ in 1...300 { DispatchQueue.global().async { DispatchSemaphore(value: 0).wait() } }
            let content = Self.content
            var body = ReadAhead(ofLength: content.count) { content[$0] }
            let received = try body.readAll(65_536)
            precondition(received == content)
        }
    }

    /// The work queue waits for the bytes, so that a piece that nobody reads would hang the process.
    @Test("A file is read although the system has no thread left")
    func withoutThreads() async {
        await #expect(processExitsWith: .success) {
            alarm(60)
            var noThreads = rlimit(rlim_cur: 0, rlim_max: 0)
            setrlimit(__rlimit_resource_t(__RLIMIT_NPROC.rawValue), &noThreads)
            // The superuser has no such limit.
            if getuid() == 0 { setuid(65_534) }
            let content = Self.content
            var body = ReadAhead(ofLength: content.count) { content[$0] }
            let received = try body.readAll(65_536)
            precondition(received == content)
        }
    }

    @Test("An error comes after the bytes before it")
    func error() throws {
        disk.release(pieces: 1, thenFailing: URLError(.requestBodyStreamExhausted))
        var body = readAhead()
        var received = Data()
        #expect(throws: URLError(.requestBodyStreamExhausted)) {
            for _ in 1...2000 { received += try body.read(atMost: 65_536) }
        }
        #expect(received == content.prefix(FilePiece.size))
    }
}

extension ReadAhead {
    fileprivate mutating func read(atMost count: Int, pausing pause: Pause = { _ in false }) throws -> Data {
        var bytes = Data(count: count)
        let read = try bytes.withUnsafeMutableBytes { try self.read($0, pausing: pause) }
        return bytes.prefix(read)
    }

    fileprivate mutating func readAll(_ count: Int) throws -> Data {
        var all = Data()
        while case let bytes = try read(atMost: count), !bytes.isEmpty { all += bytes }
        return all
    }
}

/// Gives pieces to who reads them when the test releases them.
///
/// Unchecked, because its condition is locked on every access.
private final class Disk: @unchecked Sendable {
    private let condition = NSCondition()
    private var releasedCount = 0
    private var failure: (any Error)?

    func release(pieces count: Int, thenFailing failure: (any Error)? = nil) {
        condition.withLock {
            releasedCount += count
            self.failure = failure
            condition.broadcast()
        }
    }

    func awaitPiece(_ index: Int) throws {
        try condition.withLock {
            while index >= releasedCount {
                if let failure { throw failure }
                condition.wait()
            }
        }
    }
}

#endif
