#if canImport(FoundationNetworking)

import Foundation

/// Reads a body from its beginning, once.
///
/// FoundationNetworking reads it on the work queue, as fast as libcurl sends. So two pieces are in memory.
final class UploadStream: InputStream {
    private let length: Int
    private var body: ReadAhead
    private var position = 0

    /// Why the body could not be read to its end.
    let failure = Locked<(any Error)?>(nil)

    init(of body: UploadBody) {
        length = body.length
        self.body = ReadAhead(of: body)
        super.init(data: Data())
    }

    override var hasBytesAvailable: Bool { position < length }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
        do {
            let count = try body.read(UnsafeMutableRawBufferPointer(start: buffer, count: maxLength))
            position += count
            return count
        } catch {
            failure.withLock { $0 = error }
            return -1
        }
    }
}

#endif
