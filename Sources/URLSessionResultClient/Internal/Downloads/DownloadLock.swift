import Foundation
internal import URLSessionResultTransport

/// A file that is locked while a download runs, so that no other download, in this process or in another, has the same part. If the
/// process ends, the system releases the lock.
///
/// A lock belongs to a file and not to its name. The part itself cannot be locked, because it is renamed to the destination in the
/// end. The lock file is removed in the end, too, but only by the download that holds its lock.
struct DownloadLock {
    private let url: URL
    private let file: FileHandle

    /// Takes the lock. Nil if somebody else has it.
    ///
    /// - Throws: The reason why it cannot be taken. The lock file then stays, because another download may hold the lock of a file
    ///   with this name. The next download that takes the lock removes the file.
    init?(at url: URL) throws {
        while true {
            let file = try SystemCalls.openOrCreateFile(at: url.path)
            guard try SystemCalls.lock(file) else { return nil }
            // Between opening and locking, another download may have removed the file, and a third one may have made another file
            // of this name. So this download writes a mark, and looks for it in the file that has the name now.
            let mark = Data(UUID().uuidString.utf8)
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: mark)
            if try url.hasContents(mark) {
                self.url = url
                self.file = file
                return
            }
        }
    }

    func release() {
        SystemCalls.removeName(url.path)
        try? file.close()
    }
}

extension URL {
    fileprivate func hasContents(_ expected: Data) throws -> Bool {
        do {
            return try Data(contentsOf: self) == expected
        } catch CocoaError.fileReadNoSuchFile {
            return false
        }
    }
}
