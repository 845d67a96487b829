#if canImport(FoundationNetworking)

import Foundation

/// Bytes in a temporary file without a name: written at its end, read from its beginning, gone with its handle.
///
/// Not `Sendable`: the buffer has it alone.
final class BodyBufferFile {
    /// How many bytes are read at once.
    private static let readSize = 256 * 1024

    /// How many bytes have been written.
    private(set) var count = 0

    /// How many bytes have been taken.
    private var takenCount = 0
    private let handle: FileHandle

    init() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        handle = try SystemCalls.createFile(at: path)
        SystemCalls.removeName(path)
    }

    /// Writes bytes at the end. `FileHandle` would need several times as long for the small pieces in which a body arrives.
    func append(_ data: Data) throws {
        try data.withUnsafeBytes { try SystemCalls.write($0, to: handle.fileDescriptor, at: count) }
        count += data.count
    }

    /// Takes the next bytes, or returns `nil` when all have been taken.
    func take() -> BodyBuffer.Bytes? {
        guard takenCount < count else { return nil }
        let range = takenCount..<min(count, takenCount + Self.readSize)
        takenCount = range.upperBound
        return { [handle] in
            let bytes = try handle.bytes(in: range)
            guard bytes.count == range.count else { throw POSIXError(.EIO) }
            return bytes
        }
    }
}

#endif
