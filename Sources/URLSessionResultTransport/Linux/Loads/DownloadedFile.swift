#if canImport(FoundationNetworking)

import Foundation

/// A temporary file that a download goes to.
///
/// Not `Sendable`: its hop has it alone.
final class DownloadedFile {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).tmp")
    private let handle: FileHandle

    init() throws {
        do {
            let descriptor = try SystemCalls.createFile(at: url.path, alsoForReading: false)
            handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        } catch {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSUnderlyingErrorKey: error])
        }
    }

    func append(_ data: Data) throws { try handle.write(contentsOf: data) }
}

// Part of: Hop

#endif
