#if canImport(FoundationNetworking)

import Foundation

/// A temporary file that a download goes to.
///
/// Not `Sendable`: its transaction has it alone.
final class DownloadedFile {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).tmp")
    private let handle: FileHandle

    init() throws {
        do {
            handle = try SystemCalls.createFile(at: url.path)
        } catch {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSUnderlyingErrorKey: error])
        }
    }

    /// Takes over a kept file, and goes on behind its first `length` bytes. If that fails, the kept file stays as it was.
    init(continuing keptFile: URL, at length: Int64) throws {
        // The file is moved first: another process may have the same resume data, and only one process can move the file.
        try FileManager.default.moveItem(at: keptFile, to: url)
        do {
            handle = try FileHandle(forWritingTo: url)
            try handle.truncate(atOffset: UInt64(length))
        } catch {
            try? FileManager.default.moveItem(at: url, to: keptFile)
            throw error
        }
    }

    /// Writes, which may wait for the disk: the system keeps what is written in memory until a disk is gigabytes behind.
    func append(_ data: Data) throws { try handle.write(contentsOf: data) }
}

#endif
