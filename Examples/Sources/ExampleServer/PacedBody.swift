import FlyingFox
import FlyingSocks
import Foundation

/// A body in pieces, with a pause between them.
struct PacedBody: AsyncBufferedSequence, AsyncBufferedIteratorProtocol {
    typealias Element = UInt8

    var pieces: [Data]
    let pause: Duration
    /// Whether the connection is closed after the last piece.
    var breaksOff = false
    private(set) var needsPause = false

    func makeAsyncIterator() -> PacedBody { self }

    mutating func next() async throws -> UInt8? {
        try await nextBuffer(suggested: 1)?.first
    }

    mutating func nextBuffer(suggested count: Int) async throws -> Data? {
        guard let piece = pieces.first else {
            if breaksOff { throw SocketError.disconnected }
            return nil
        }
        if needsPause { try await Task.sleep(for: pause) }
        pieces[0] = piece.dropFirst(count)
        needsPause = pieces[0].isEmpty
        if needsPause { pieces.removeFirst() }
        return piece.prefix(count)
    }
}

extension HTTPResponse {
    static func paced(_ pieces: [Data], contentType: String, pause: Duration) -> HTTPResponse {
        let body = HTTPBodySequence(from: PacedBody(pieces: pieces, pause: pause))
        return HTTPResponse(statusCode: .ok, headers: [.contentType: contentType], body: body)
    }
}

extension HTTPRequest {
    /// The seconds that `interval` has in the query, at most 60.
    func interval(default standard: Double) -> Duration {
        let seconds = query["interval"].flatMap(Double.init) ?? standard
        return .seconds((0...60).contains(seconds) ? seconds : standard)
    }
}
