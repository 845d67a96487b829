import Foundation
internal import URLSessionResultTransport

extension URL {
    /// Moves a file to its destination in one step. Missing folders are created.
    ///
    /// A failure leaves the destination as it was. The caller has checked the destination with `checkAsDestination()`.
    package func placed(at destination: URL) throws -> URL {
        do {
            try move(to: destination)
        } catch {
            throw error.naming(destination)
        }
        return destination
    }

    /// Renames a file beside its destination in one step.
    ///
    /// A failure leaves both as they were, except that the file may have its mode already. The caller has checked the destination with
    /// `checkAsDestination()`.
    package func renamed(to destination: URL) throws -> URL {
        do {
            let place = StagingPlace(at: self)
            place.setMode(replacing: destination)
            try destination.take(place)
        } catch {
            throw error.naming(destination)
        }
        return destination
    }

    func move(to destination: URL) throws {
        try destination.stage { stagingPlace in
            try FileManager.default.moveItem(at: self, to: stagingPlace.file)
            stagingPlace.setMode(replacing: destination)
        }
    }

    /// Replaces the file here in one step by a new one that only this user may open. Missing folders are created.
    ///
    /// - Parameter write: A function that writes the file. If it fails, what is here stays as it was.
    /// - Returns: What the function returns.
    /// - Throws: The error of the function, or a `CocoaError`.
    package func replaced<T>(byWriting write: (FileHandle) throws -> T) throws -> T {
        try checkAsDestination()
        do {
            return try stage { stagingPlace in
                let output = try SystemCalls.createFile(at: stagingPlace.file.path)
                defer { try? output.close() }
                return try write(output)
            }
        } catch let error as POSIXError {
            throw error.naming(self)
        }
    }

    /// Calls a function that puts a file into a staging place, and renames the file to this URL. Missing folders are created.
    private func stage<T>(_ put: (StagingPlace) throws -> T) throws -> T {
        try deletingLastPathComponent().createFolder()
        // Renaming is atomic only within a volume, and temporary files are often on another one.
        let stagingPlace = StagingPlace(for: self)
        defer { stagingPlace.remove() }
        let value = try put(stagingPlace)
        try take(stagingPlace)
        return value
    }

    /// Renames a file to this URL.
    private func take(_ stagingPlace: StagingPlace) throws {
        // Another process may have put a folder or a device here meanwhile.
        if let reason = reasonAgainstReplacing { throw POSIXError(reason) }
        try SystemCalls.renameFile(at: stagingPlace.file.path, to: path)
    }

    /// Makes the folder at this URL, and those around it.
    package func createFolder() throws {
        do {
            try FileManager.default.createDirectory(at: self, withIntermediateDirectories: true)
        } catch CocoaError.fileWriteFileExists {
            // "File exists" says little about a file in place of a folder.
            throw POSIXError(.ENOTDIR)
        }
    }
}

extension Error {
    /// A `CocoaError` that names the destination, with the error of the system as its underlying error.
    ///
    /// The error of `FileManager` names the file that was moved, or a folder, and may have the error of the system several levels
    /// below.
    package func naming(_ destination: URL) -> any Error {
        let code = (self as? CocoaError)?.code ?? systemError?.code.writingCode ?? .fileWriteUnknown
        let reason = systemError ?? self as any Error
        return CocoaError(code, userInfo: [NSUnderlyingErrorKey: reason, NSURLErrorKey: destination])
    }

    fileprivate var systemError: POSIXError? {
        if let systemError = self as? POSIXError { return systemError }
        let underlyingError = (self as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
        return underlyingError?.systemError
    }
}

extension POSIXErrorCode {
    /// The code that Foundation has for a file that cannot be written.
    fileprivate var writingCode: CocoaError.Code {
        switch self {
        case .EACCES: .fileWriteNoPermission
        case .EROFS: .fileWriteVolumeReadOnly
        default: .fileWriteUnknown
        }
    }
}
