#if canImport(FoundationNetworking)

import Foundation

/// Bytes in a temporary file without a name: written at its end, read from its beginning, gone with its handle.
///
/// Not `Sendable`: the backlog has it alone.
final class BacklogFile {
    /// How many bytes are read at once.
    private static let readSize = 256 * 1024

    /// How many bytes have been written.
    private(set) var count = 0

    /// How many bytes have been taken.
    private var takenCount = 0
    private let handle: FileHandle

    init() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        // For this user alone: a body may be confidential.
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError.latest }
        unlink(path)
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func append(_ data: Data) throws {
        try data.withUnsafeBytes { bytes in
            try Self.move(bytes.count) { moved in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[moved...])
                return pwrite(handle.fileDescriptor, rest.baseAddress, rest.count, count + moved)
            }
        }
        count += data.count
    }

    /// Takes the next bytes, or returns `nil` when all have been taken.
    func take() -> Backlog.Bytes? {
        guard takenCount < count else { return nil }
        let range = takenCount..<min(count, takenCount + Self.readSize)
        takenCount = range.upperBound
        return { [handle] in try Self.read(range, of: handle) }
    }

    private static func read(_ range: Range<Int>, of handle: FileHandle) throws -> Data {
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: range.count, alignment: 1)
        do {
            try move(range.count) { moved in
                pread(handle.fileDescriptor, bytes + moved, range.count - moved, range.lowerBound + moved)
            }
        } catch {
            bytes.deallocate()
            throw error
        }
        // `Data` copies a few bytes and gives this memory back at once, so it is made when they are there.
        return Data(bytesNoCopy: bytes, count: range.count, deallocator: .custom { bytes, _ in bytes.deallocate() })
    }

    /// Writes or reads as often as it takes: the system may move fewer bytes at once.
    ///
    /// Not with `FileHandle`, which needs several times as long for the small pieces in which a body arrives.
    private static func move(_ count: Int, _ moveMore: (_ moved: Int) -> Int) throws {
        var moved = 0
        while moved < count {
            let result = moveMore(moved)
            guard result > 0 || result < 0 && errno == EINTR else { throw POSIXError.latest }
            moved += max(result, 0)
        }
    }
}

// Part of: Backlog

#endif
