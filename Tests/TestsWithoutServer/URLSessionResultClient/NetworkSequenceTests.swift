import Foundation
import Testing
import URLSessionResultClient

@testable import TestSupport

/// A sequence of one's own.
struct NetworkSequenceTests {
    @Test("The copies of an iterator share its elements and its end")
    func copies() async throws {
        let sequence = NetworkSequence {
            var count = 0
            return { _ throws(NetworkError) in
                count += 1
                return count == 3 ? nil : count
            }
        }
        var first = sequence.makeAsyncIterator()
        var second = first
        #expect(try await first.next() == 1)
        #expect(try await second.next() == 2)
        #expect(try await first.next() == nil)
        #expect(try await second.next() == nil)
    }

    @MainActor
    private final class Readers {
        private let iterator: NetworkSequence<Int>.AsyncIterator

        init(of sequence: NetworkSequence<Int>) { iterator = sequence.makeAsyncIterator() }

        func next() async throws(NetworkError) -> Int? {
            var copy = iterator
            return try await copy.next(isolation: MainActor.shared)
        }
    }

    @Test("A second reader at the same time gets an error, and the first one its elements") @MainActor
    func twoReaders() async throws {
        let gate = Gate()
        let count = Monitor(0)
        let sequence = NetworkSequence<Int> {
            { _ throws(NetworkError) in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                if number == 1 { try? await gate.opened() }
                return number
            }
        }
        let readers = Readers(of: sequence)
        let first = Task { try await readers.next() }
        try await count.value { $0 == 1 }
        await #expect(throws: NetworkError.self) { try await readers.next() }
        gate.open()
        #expect(try await first.value == 1)
        #expect(try await readers.next() == 2)
    }

    @Test("It begins anew for each loop, and is over after an error")
    func ownSequence() async throws {
        let begun = Monitor(0)
        let sequence = NetworkSequence {
            begun.withLock { $0 += 1 }
            var count = 0
            return { _ throws(NetworkError) -> Int? in
                count += 1
                if count == 3 { throw .noData }
                return count
            }
        }
        for _ in 0..<2 {
            var iterator = sequence.makeAsyncIterator()
            #expect(try await iterator.next() == 1)
            #expect(try await iterator.next() == 2)
            await #expect(throws: NetworkError.self) { try await iterator.next() }
            #expect(try await iterator.next() == nil)
        }
        #expect(begun.value == 2)
    }

    @Test("It runs on the caller's actor, and ends for good") @MainActor
    func actor() async throws {
        var isFirst = true
        let sequence = NetworkSequence<Bool> {
            { actor throws(NetworkError) in actor === MainActor.shared ? true : nil }
        }
        for try await isMain in sequence {
            #expect(isMain && isFirst)
            isFirst = false
            break
        }
        var iterator = NetworkSequence<Int> { { _ throws(NetworkError) in nil } }.makeAsyncIterator()
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
        #expect(!isFirst)
    }
}
