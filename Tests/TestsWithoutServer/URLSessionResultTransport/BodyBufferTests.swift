import Foundation
import Testing
import URLSessionResultTransport

@testable import TestSupport

/// What is kept of a body that is ahead of its reader, and how its task is held back.
struct BodyBufferTests {
    private final class CountingTask: ReceivingTask {
        let counts = Locked((suspended: 0, resumed: 0))

        var isSuspended: Bool { counts.withLock { $0.suspended > $0.resumed } }

        func pauseReceiving() { counts.withLock { $0.suspended += 1 } }
        func resumeReceiving() { counts.withLock { $0.resumed += 1 } }
    }

    private let task = CountingTask()
    private let queue = DispatchQueue(label: "BodyBufferTests")

    @Test("Every byte comes once and in order, and a task is resumed as often as it is suspended", arguments: 0..<20)
    func randomOrder(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var buffer = BodyBuffer(of: task, on: queue)
        var sent = Data()
        var received = Data()
        for number in 0..<200 {
            if Int.random(in: 0..<8, using: &random) > 0 {
                // A task may send a little more after it was suspended.
                let piece = Data(repeating: UInt8(number), count: .random(in: 1...300_000, using: &random))
                sent += piece
                buffer.append(piece)
            } else if let bytes = buffer.take() {
                received += bytes
            }
            queue.sync {}
            let counts = task.counts.withLock { $0 }
            #expect(counts.suspended - counts.resumed == (sent.count - received.count >= 1 << 20 ? 1 : 0))
        }
        if let bytes = buffer.take() { received += bytes }
        #expect(received == sent)
        queue.sync {}
        #expect(task.counts.withLock { $0.suspended == $0.resumed && $0.suspended > 0 })
    }

    @Test("What is dropped resumes its task once")
    func removal() {
        var buffer = BodyBuffer(of: task, on: queue)
        buffer.append(Data(count: 2 << 20))
        queue.sync {}
        #expect(task.isSuspended)
        _ = buffer.removeAll()
        _ = buffer.removeAll()
        #expect(buffer.take() == nil)
        queue.sync {}
        #expect(task.counts.withLock { $0 == (1, 1) })
    }

    @Test("A task is suspended and resumed by a queue, in that order, and not by those who fill and empty the buffer")
    func order() {
        var buffer = BodyBuffer(of: task, on: queue)
        queue.suspend()
        buffer.append(Data(count: 2 << 20))
        #expect(buffer.take() != nil)
        #expect(task.counts.withLock { $0 == (0, 0) })
        queue.resume()
        queue.sync {}
        #expect(task.counts.withLock { $0 == (1, 1) })
    }
}
