import Foundation

extension URL {
    /// Throws if a file can certainly not be written here.
    ///
    /// A download checks its destination before it starts, so that it does not fail after a gigabyte.
    func checkAsDestination() throws {
        // Without the URL: a sentence would show its last part as the name of a file.
        guard isFileURL else { throw CocoaError(.fileWriteUnsupportedScheme) }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw fileError(.fileWriteUnknown, reason: .EISDIR)
        }
        try deletingLastPathComponent().checkAsFolderOfDestination()
    }

    private func checkAsFolderOfDestination() throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            // A missing folder is created later, in the folder that it belongs to.
            let parent = deletingLastPathComponent()
            if parent.path != path { try parent.checkAsFolderOfDestination() }
            return
        }
        guard isFolder.boolValue else { throw fileError(.fileWriteUnknown, reason: .ENOTDIR) }
        #if canImport(FoundationNetworking)
        // Not on Apple's platforms: a sandbox may allow a file in a folder that it does not allow.
        guard access(path, W_OK) == 0 else {
            throw fileError(.fileWriteNoPermission, reason: POSIXErrorCode(rawValue: errno) ?? .EACCES)
        }
        #endif
    }

    /// An error that names this file and the reason of the system.
    func fileError(_ code: CocoaError.Code, reason: POSIXErrorCode) -> any Error {
        CocoaError.error(code, userInfo: [NSUnderlyingErrorKey: POSIXError(reason)], url: self)
    }
}
