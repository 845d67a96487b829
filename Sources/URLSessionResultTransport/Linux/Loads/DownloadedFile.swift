#if canImport(FoundationNetworking)

import Foundation

/// A temporary file that a download goes to.
///
/// Not `Sendable`: its hop has it alone.
final class DownloadedFile {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).tmp")
    private let handle: FileHandle

    init() throws {
        // For this user alone: a body may be confidential.
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSUnderlyingErrorKey: POSIXError.latest])
        }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func append(_ data: Data) throws { try handle.write(contentsOf: data) }
}

// Part of: Hop

#endif
