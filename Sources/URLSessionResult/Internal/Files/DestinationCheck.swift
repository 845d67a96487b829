import Foundation
internal import URLSessionResultTransport

extension URL {
    /// Throws if a file can certainly not be written here. The error names this URL and the reason of the system.
    ///
    /// A download checks its destination before it starts, so that it does not fail after a gigabyte.
    package func checkAsDestination() throws {
        // The error does not name this URL: a message would show the last path component as the name of a file.
        guard isFileURL else { throw CocoaError(.fileWriteUnsupportedScheme) }
        if let reason = reasonAgainstWriting { throw POSIXError(reason).naming(self) }
    }

    var reasonAgainstWriting: POSIXErrorCode? {
        // `file:a` has no absolute path, and no folder.
        guard path.hasPrefix("/") else { return .EINVAL }
        if let reason = reasonAgainstReplacing { return reason }
        let folder = nearestExistingFolder
        // A symbolic link to nothing is found, and is no folder.
        guard folder.isFolder == true else { return .ENOTDIR }
        #if canImport(Darwin)
        // A sandbox may allow access to a file and not to its folder, so the folder is not checked.
        return nil
        #else
        return SystemCalls.reasonAgainstCreatingFiles(in: folder.path)
        #endif
    }

    /// Why a file must not replace what is at this URL. Nil if it may, or if nothing is there.
    ///
    /// Only a regular file is replaced, or a symbolic link to one or to nothing. A device, a pipe or a socket would be lost.
    var reasonAgainstReplacing: POSIXErrorCode? {
        if let reason = reasonAgainstFinding { return isHidden(by: reason) ? nil : reason }
        guard let isFolder else { return nil }
        if isFolder { return .EISDIR }
        return (try? isRegularFile) == false ? .EPERM : nil
    }

    /// The folder that the file is written to, or the one in which missing folders are created.
    var nearestExistingFolder: URL {
        var folder = deletingLastPathComponent()
        while let reason = folder.reasonAgainstFinding, isHidden(by: reason), folder.path != "/" {
            // Deleting the last component of `a/..` does not make it shorter.
            folder = folder.standardizedFileURL.deletingLastPathComponent()
        }
        return folder
    }

    /// Why nothing is found here. A name may be too long for the system, for example, or a file be in place of a folder.
    private var reasonAgainstFinding: POSIXErrorCode? { SystemCalls.reasonAgainstFinding(path) }

    /// Whether there is nothing here, or it is in a folder that this process may not read.
    private func isHidden(by reason: POSIXErrorCode) -> Bool { [.ENOENT, .EACCES, .EPERM].contains(reason) }

    /// Whether this is a folder or something else, or nil if there is nothing.
    var isFolder: Bool? {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) ? isFolder.boolValue : nil
    }
}
