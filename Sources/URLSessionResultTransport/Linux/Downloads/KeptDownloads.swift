#if canImport(FoundationNetworking)

import Foundation

/// The files of interrupted downloads, in one folder. There are few of them: the oldest go first.
enum KeptDownloads {
    static let limit = 16

    static let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("URLSessionResult-\(SystemCalls.userIdentifier)", isDirectory: true)

    /// Guards the number of files: two threads that counted at once would both see room for one file, and keep two. The thread that
    /// delivers the end of a download holds it while files are moved.
    private static let lock = NSLock()

    static func url(of file: UUID) -> URL { folder.appendingPathComponent("\(file.uuidString).part") }

    /// The length of a kept file, or nil if it is gone.
    static func length(of file: UUID) -> Int64? {
        guard isOurs, let attributes = try? FileManager.default.attributesOfItem(atPath: url(of: file).path),
            attributes[.type] as? FileAttributeType == .typeRegular
        else { return nil }
        return (attributes[.size] as? NSNumber)?.int64Value
    }

    /// Moves a file into the folder.
    ///
    /// - Returns: Its name, or nil if it cannot be kept.
    static func keep(_ file: URL) -> UUID? {
        let name = UUID()
        return lock.withLock {
            // The folder may go meanwhile: see `removeFolderIfEmpty()`.
            for _ in 0..<3 {
                try? FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
                guard isOurs else { continue }
                makeRoom()
                if (try? FileManager.default.moveItem(at: file, to: url(of: name))) != nil { return name }
            }
            return nil
        }
    }

    static func remove(_ file: UUID) {
        try? FileManager.default.removeItem(at: url(of: file))
        removeFolderIfEmpty()
    }

    /// Removes the folder when its last file is gone. Without the lock, because other processes don't have it either.
    static func removeFolderIfEmpty() { SystemCalls.removeEmptyFolder(folder.path) }

    /// Whether the folder belongs to this user alone. Everybody may make folders in the one for temporary files.
    private static var isOurs: Bool {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path) else { return false }
        return attributes[.type] as? FileAttributeType == .typeDirectory
            && (attributes[.ownerAccountID] as? NSNumber)?.uint32Value == SystemCalls.userIdentifier
            && (attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700
    }

    /// Removes the oldest files, to make room for another one. That one is moved here afterwards, so this call does not remove it. It may
    /// have an older date than the others, if its last byte came long before its end, or if the clock was set.
    private static func makeRoom() {
        let key = URLResourceKey.contentModificationDateKey
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [key])) ?? []
        let dates = files.filter { $0.pathExtension == "part" }.map { file in
            (file: file, date: (try? file.resourceValues(forKeys: [key]))?.contentModificationDate ?? .distantPast)
        }
        for oldest in dates.sorted(by: { $0.date < $1.date }).dropLast(limit - 1) {
            try? FileManager.default.removeItem(at: oldest.file)
        }
    }
}

#endif
