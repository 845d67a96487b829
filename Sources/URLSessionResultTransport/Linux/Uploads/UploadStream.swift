#if canImport(FoundationNetworking)

import Foundation

/// Reads a body from its beginning, once.
///
/// FoundationNetworking reads it on the work queue, as fast as libcurl sends. So two pieces are in memory.
final class UploadStream: InputStream {
    private var body: ReadAhead

    /// Why the body could not be read to its end.
    let failure = Locked<(any Error)?>(nil)

    /// What is done when FoundationNetworking opens the stream: on the work queue, before libcurl begins.
    var whenOpened: (() -> Void)?

    init(of body: UploadBody) {
        self.body = ReadAhead(of: body)
        super.init(data: Data())
    }

    override func open() { whenOpened?() }
    override var hasBytesAvailable: Bool { !body.isAtEnd }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
        do {
            return try body.read(UnsafeMutableRawBufferPointer(start: buffer, count: maxLength))
        } catch {
            failure.withLock { $0 = error }
            return -1
        }
    }
}

#endif
