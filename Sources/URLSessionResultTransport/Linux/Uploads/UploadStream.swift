#if canImport(FoundationNetworking)

import Foundation

/// Reads a body from its beginning, once.
///
/// FoundationNetworking reads it on the work queue, as fast as libcurl sends. So one piece is in memory.
final class UploadStream: InputStream {
    private let body: UploadBody
    private var position = 0

    /// Why the body could not be read to its end.
    let failure = Locked<(any Error)?>(nil)

    init(of body: UploadBody) {
        self.body = body
        super.init(data: Data())
    }

    override var hasBytesAvailable: Bool { position < body.length }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
        let count = min(maxLength, body.length - position)
        do {
            try body.read(UnsafeMutableRawBufferPointer(start: buffer, count: count), at: position)
        } catch {
            failure.withLock { $0 = error }
            return -1
        }
        position += count
        return count
    }
}

#endif
