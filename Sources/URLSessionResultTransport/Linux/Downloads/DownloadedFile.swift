#if canImport(FoundationNetworking)

import Foundation

/// A temporary file that a download goes to.
final class DownloadedFile: Sendable {
    let url: URL

    /// Guards that nothing is written after the file was closed: it may belong to another download then.
    private let handle: Locked<FileHandle?>

    init(at url: URL, _ handle: FileHandle) {
        self.url = url
        self.handle = Locked(handle)
    }

    convenience init() throws {
        let url = Self.newURL
        do {
            self.init(at: url, try SystemCalls.createFile(at: url.path))
        } catch {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSUnderlyingErrorKey: error])
        }
    }

    /// Takes over a kept file, and goes on behind its first `length` bytes. If that fails, the kept file stays as it was.
    convenience init(continuing keptFile: URL, at length: Int64) throws {
        let url = Self.newURL
        // The file is moved first: another process may have the same resume data, and only one process can move the file.
        try FileManager.default.moveItem(at: keptFile, to: url)
        do {
            let handle = try FileHandle(forWritingTo: url)
            try handle.truncate(atOffset: UInt64(length))
            self.init(at: url, handle)
        } catch {
            try? FileManager.default.moveItem(at: url, to: keptFile)
            throw error
        }
    }

    /// Writes, which may wait for the disk: the system keeps what is written in memory until a disk is gigabytes behind.
    func append(_ data: Data) throws {
        try handle.withLock { handle in
            guard let handle else { throw URLError(.cancelled) }
            try handle.write(contentsOf: data)
        }
    }

    /// Waits for what is being written. Nothing is written afterwards.
    func close() { handle.withLock { $0 = nil } }

    private static var newURL: URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).tmp")
    }
}

#endif
