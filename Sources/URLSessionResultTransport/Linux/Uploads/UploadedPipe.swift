#if canImport(FoundationNetworking)

import Foundation

/// Something that is read once, to its end: a pipe, or a file whose length is not known before.
final class UploadedPipe: Sendable {
    private let url: URL
    private let isStopped = Locked(false)

    /// How many bytes are read at once: a pipe has room for as many.
    private static let pieceSize = 64 * 1024

    init(_ url: URL) { self.url = url }

    /// Ends reading, because nobody needs the bytes any more. A writer may go on for ever.
    func stop() { isStopped.withLock { $0 = true } }

    /// Waits for a writer, and reads what it writes.
    ///
    /// - Throws: A `CocoaError`, or `URLError.cancelled` if reading was stopped.
    func contents() throws -> Data {
        do {
            let pipe = try SystemCalls.openFile(waitingForWriterAt: url.path)
            var contents = Data()
            while case let piece = try pipe.nextBytes(upTo: Self.pieceSize), !piece.isEmpty {
                guard !isStopped.withLock({ $0 }) else { throw URLError(.cancelled) }
                contents.append(piece)
            }
            return contents
        } catch let error as POSIXError {
            throw error.reading(url)
        }
    }
}

#endif
