#if canImport(FoundationNetworking)

import Foundation

/// A body stream of the caller, whose failure ends the request.
///
/// FoundationNetworking takes a stream that cannot be opened for an empty one (`_BodyStreamSource.getNextChunk`).
final class CallersStream: InputStream {
    private let stream: InputStream

    /// Why it could not be read to its end. The work queue reads, and a cancellation asks on another one.
    let failure = Locked<(any Error)?>(nil)

    init(_ stream: InputStream) {
        self.stream = stream
        super.init(data: Data())
    }

    override func open() { stream.open() }
    override func close() { stream.close() }
    override var streamStatus: Stream.Status { stream.streamStatus }
    override var streamError: (any Error)? { stream.streamError }

    // Workaround: unopenedStream
    override var hasBytesAvailable: Bool { stream.streamStatus == .error || stream.hasBytesAvailable }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
        let count = stream.streamStatus == .error ? -1 : stream.read(buffer, maxLength: maxLength)
        if count < 0 {
            let userInfo = stream.streamError.map { [NSUnderlyingErrorKey: $0 as Any] } ?? [:]
            failure.withLock { $0 = URLError(.requestBodyStreamExhausted, userInfo: userInfo) }
        }
        return count
    }
}

#endif
