import FlyingSocks
import Foundation

/// A body in pieces, with a pause after each.
struct PacedPieces: AsyncBufferedSequence {
    typealias Element = UInt8

    let pieces: [Data]
    let interval: Duration
    /// Whether the connection breaks after the last piece.
    var breaksOff = false

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pieces: pieces[...], interval: interval, breaksOff: breaksOff)
    }

    struct AsyncIterator: AsyncBufferedIteratorProtocol {
        fileprivate var pieces: ArraySlice<Data>
        fileprivate let interval: Duration
        fileprivate let breaksOff: Bool
        private var rest = Data()
        private var isFirst = true

        fileprivate init(pieces: ArraySlice<Data>, interval: Duration, breaksOff: Bool) {
            self.pieces = pieces
            self.interval = interval
            self.breaksOff = breaksOff
        }

        mutating func next() async throws -> UInt8? {
            try await nextBuffer(suggested: 1)?.first
        }

        mutating func nextBuffer(suggested count: Int) async throws -> Data? {
            if rest.isEmpty {
                guard let piece = pieces.popFirst() else {
                    if breaksOff { throw SocketError.disconnected }
                    return nil
                }
                if !isFirst { try await Task.sleep(for: interval) }
                isFirst = false
                rest = piece
            }
            let part = rest.prefix(count)
            rest = Data(rest.dropFirst(count))
            return Data(part)
        }
    }
}
