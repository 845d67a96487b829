import Foundation
import Testing
import URLSessionResultTransport

@testable import TestSupport

/// What is kept of a body that is ahead of its reader, and how its task is held back.
struct BodyBufferTests {
    /// How often the task was paused, and how often it was let go on.
    private let counts = Locked((paused: 0, resumed: 0))

    private func makeBuffer() -> BodyBuffer {
        BodyBuffer(pausingBy: { [counts] isPaused in
            counts.withLock { if isPaused { $0.paused += 1 } else { $0.resumed += 1 } }
        })
    }

    @Test("Every byte comes once and in order, and a task is let go on as often as it is paused", arguments: 0..<20)
    func randomOrder(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var buffer = makeBuffer()
        var sent = Data()
        var received = Data()
        for number in 0..<200 {
            if Int.random(in: 0..<8, using: &random) > 0 {
                // A task may send a little more after it was paused.
                let piece = Data(repeating: UInt8(number), count: .random(in: 1...300_000, using: &random))
                sent += piece
                buffer.append(piece)
            } else if let bytes = buffer.take() {
                received += bytes
            }
            let counts = counts.withLock { $0 }
            #expect(counts.paused - counts.resumed == (sent.count - received.count >= 1 << 20 ? 1 : 0))
        }
        if let bytes = buffer.take() { received += bytes }
        #expect(received == sent)
        #expect(counts.withLock { $0.paused == $0.resumed && $0.paused > 0 })
    }

    @Test("What is dropped lets its task go on once")
    func removal() {
        var buffer = makeBuffer()
        buffer.append(Data(count: 2 << 20))
        #expect(counts.withLock { $0 == (1, 0) })
        _ = buffer.removeAll()
        _ = buffer.removeAll()
        #expect(buffer.take() == nil)
        #expect(counts.withLock { $0 == (1, 1) })
    }
}
