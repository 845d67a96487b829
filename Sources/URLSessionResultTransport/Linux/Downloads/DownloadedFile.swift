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

    /// Takes a file that was kept, and goes on behind its first bytes.
    init(continuing keptFile: URL, at length: Int64) throws {
        handle = try FileHandle(forWritingTo: keptFile)
        try handle.truncate(atOffset: UInt64(length))
        try FileManager.default.moveItem(at: keptFile, to: url)
    }

    func append(_ data: Data) throws { try handle.write(contentsOf: data) }
}

#endif
