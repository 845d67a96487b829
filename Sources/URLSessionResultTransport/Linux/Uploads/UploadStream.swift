#if canImport(FoundationNetworking)

import Foundation

/// Reads a body from its beginning, once.
///
/// FoundationNetworking reads it on the work queue, as fast as libcurl sends. So two pieces are in memory.
final class UploadStream: InputStream {
    private var body: ReadAhead

    /// Why the body could not be read to its end. The work queue reads, and a cancellation asks on another one.
    let failure = Locked<(any Error)?>(nil)

    /// What is done when FoundationNetworking opens the stream: on the work queue, before libcurl begins.
    var whenOpened: (() -> Void)?

    /// The task that sends the body, which has this stream.
    weak var task: URLSessionTask?

    convenience init(of body: UploadBody) { self.init(ReadAhead(of: body)) }

    init(_ body: ReadAhead) {
        self.body = body
        super.init(data: Data())
    }

    override func open() { whenOpened?() }
    override var hasBytesAvailable: Bool { !body.isAtEnd }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
        do {
            return try body.read(
                UnsafeMutableRawBufferPointer(start: buffer, count: maxLength), pausing: pauseSending)
        } catch {
            failure.withLock { $0 = error }
            return -1
        }
    }

    private func pauseSending(until piece: FilePiece) -> Bool {
        guard let task, let transfer = task.libcurlTransfer() else { return false }
        // This is the work queue, so that the function is called after the pause, even if the piece is there by now.
        let isExpected = piece.whenRead { onWorkQueue { task.libcurlTransfer()?.resume() } }
        if isExpected { transfer.pauseSending() }
        return isExpected
    }
}

#endif
