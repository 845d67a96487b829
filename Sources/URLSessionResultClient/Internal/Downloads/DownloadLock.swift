import Foundation
internal import URLSessionResultTransport

/// A file that is locked while a download runs, so that no other one has the same part, in this process or in another. If the process
/// ends, the system releases the lock.
///
/// A lock belongs to a file and not to its name. So the part itself cannot be locked: its name goes in the end. The name of the lock
/// file goes, too, but only by the one who holds the lock of the file that has the name.
struct DownloadLock {
    private let url: URL
    private let file: FileHandle

    /// Takes the lock. Nil if somebody else has it.
    ///
    /// - Throws: The reason why it cannot be taken. The file stays then, because its name may be another one's. The next download that
    ///   takes the lock removes it.
    init?(at url: URL) throws {
        while true {
            let file = try SystemCalls.openOrCreateFile(at: url.path)
            guard try SystemCalls.lock(file) else { return nil }
            // Before it was locked, its name may have been removed, and given to another file by the next download.
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
