#if canImport(FoundationNetworking)

import Foundation

/// Bytes in a temporary file without a name: written at its end, read from its beginning, gone with the last copy.
struct BacklogFile: Sendable {
    /// How many bytes are read at once.
    private static let readSize = 1 << 18

    /// How many bytes have been written.
    private(set) var count = 0
    private var readCount = 0
    private let handle: FileHandle

    init() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        // For this user alone: a body may be confidential.
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        unlink(path)
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    mutating func append(_ data: Data) throws {
        try handle.seek(toOffset: UInt64(count))
        try handle.write(contentsOf: data)
        count += data.count
    }

    /// Reads the next bytes, or returns `nil` when all have been read.
    mutating func take() throws -> Data? {
        guard readCount < count else { return nil }
        try handle.seek(toOffset: UInt64(readCount))
        guard let data = try handle.read(upToCount: Self.readSize), !data.isEmpty else {
            throw CocoaError(.fileReadCorruptFile)
        }
        readCount += data.count
        return data
    }
}

// Part of: Backlog

#endif
