#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResult
@testable import URLSessionResultTransport
@testable import TestSupport

/// What is kept of a body that nobody reads.
@Suite(.inTurn)
struct BodyBufferTests {
    @Test(
        "Bytes come out as they went in, whoever is faster",
        arguments: [[1], [1, 1, 1], [1_000_000, 1], [5_000_000], [3_000_000, 3_000_000, 1], [9, 5_000_000, 9]],
        [1, 3, 99])
    func order(sizes: [Int], takingAfter interval: Int) throws {
        let buffer = BodyBuffer(of: nil)
        var written = Data()
        var read = Data()
        for round in 0..<20 {
            let piece = Data(repeating: UInt8(round), count: sizes[round % sizes.count])
            written += piece
            try buffer.append(piece)
            if round % interval == 0, let taken = buffer.take() { read += try taken() }
        }
        while let taken = buffer.take() { read += try taken() }
        #expect(read == written)
        #expect(buffer.take() == nil)
    }

    @Test("No more than 4 MiB are kept in memory, and the rest comes in pieces")
    func memory() throws {
        let buffer = BodyBuffer(of: nil)
        for _ in 0..<20 { try buffer.append(Data(count: 1024 * 1024)) }
        var counts: [Int] = []
        while let taken = buffer.take() { counts.append(try taken().count) }
        #expect(counts.reduce(0, +) == 20 * 1024 * 1024)
        #expect(counts.allSatisfy { $0 <= 4 * 1024 * 1024 }, "\(counts)")
    }

    @Test("A buffer that was emptied can be filled again")
    func again() throws {
        let buffer = BodyBuffer(of: nil)
        for count in [10_000_000, 10, 6_000_000] {
            let piece = Data.blocks(10, ofSize: count / 10)
            try buffer.append(piece)
            var read = Data()
            while let taken = buffer.take() { read += try taken() }
            #expect(read == piece)
        }
        try buffer.append(Data(count: 10_000_000))
        _ = buffer.removeAll()
        #expect(buffer.take() == nil)
    }
}

#endif
