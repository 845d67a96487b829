#if canImport(FoundationNetworking)

import Dispatch
import Foundation

/// Hands out a body from its beginning, once. Of a file, the next piece is read meanwhile on another thread.
///
/// FoundationNetworking asks for bytes on its work queue, and a stream cannot tell it to ask again later (`_BodyStreamSource`
/// takes no bytes for the end). So to wait for the disk there holds up all sessions. If the disk is slower than the connection, sending
/// is paused after one of the last bytes of a piece, until the next piece is there. Where it cannot be paused, they are handed out
/// little by little.
struct ReadAhead {
    /// How much of a piece is kept for that, in bytes. libcurl asks for as many at once.
    private static let reserve = 64 * 1024

    /// Which part of what is left of the reserve is handed out at once, and after which time: it lasts for more than a second.
    private static let sip = (fraction: 1024, time: DispatchTimeInterval.microseconds(250))

    /// What is left of the present piece.
    private var piece: Data
    private var nextPiece: FilePiece?

    init(of body: UploadBody) {
        switch body {
        case .data(let data): self.init(piece: data)
        case .file(let file): self.init(ofLength: file.length, reading: file.contents)
        }
    }

    /// - Parameters:
    ///   - length: The length of the file.
    ///   - read: A function that reads a range of the file. It is called on another thread, for a range after the other.
    init(ofLength length: Int, reading read: @escaping FilePiece.Reading) {
        self.init(piece: Data(), nextPiece: FilePiece(of: read, length: length, from: 0))
    }

    private init(piece: Data, nextPiece: FilePiece? = nil) {
        self.piece = piece
        self.nextPiece = nextPiece
    }

    var isAtEnd: Bool { piece.isEmpty && nextPiece == nil }

    /// Pauses sending until a piece is read.
    ///
    /// - Returns: Whether it is paused, or goes on already.
    typealias Pause = (_ piece: FilePiece) -> Bool

    /// Fills the beginning of memory with the next bytes.
    ///
    /// - Returns: The number of bytes, which is zero at the end.
    mutating func read(_ bytes: UnsafeMutableRawBufferPointer, pausing pause: Pause = { _ in false }) throws -> Int {
        if piece.isEmpty, let nextPiece {
            piece = try nextPiece.bytes()
            self.nextPiece = nextPiece.next
        }
        let handedOut = piece.prefix(min(bytes.count, countToHandOut(pausing: pause)))
        handedOut.copyBytes(to: bytes)
        piece = piece.dropFirst(handedOut.count)
        return handedOut.count
    }

    private func countToHandOut(pausing pause: Pause) -> Int {
        guard let nextPiece else { return piece.count }
        if piece.count > Self.reserve { return piece.count - Self.reserve }
        if nextPiece.isRead(within: .nanoseconds(0)) { return piece.count }
        // Whatever else makes libcurl ask again takes another byte, of many.
        if pause(nextPiece) { return 1 }
        return nextPiece.isRead(within: Self.sip.time) ? piece.count : max(1, piece.count / Self.sip.fraction)
    }
}

#endif
