import Foundation

extension URL {
    /// Maps a file into memory, or reads a short one, or a pipe. A URL of anything else throws an error; it is never requested.
    package func mapped() throws -> Data {
        let isRegularFile = try isRegularFile
        // Of a link, this is the length of the link itself.
        let size = try resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        // A pipe has no size, and only a regular file is mapped. Mapping an empty file leaks on Linux (swift-foundation,
        // `readBytesFromFile`).
        guard isRegularFile, size > 0 else { return try FileHandle(forReadingFrom: self).readToEnd() ?? Data() }
        return try Data(contentsOf: self, options: size < Self.leastMappedSize ? [] : .mapped)
    }

    /// Whether the URL is that of a regular file or of a link to one.
    ///
    /// The system is asked, because some links lead to what has no path, such as `/dev/stdin` to a pipe.
    package var isRegularFile: Bool {
        get throws {
            guard isFileURL else { throw CocoaError(.fileReadUnsupportedScheme) }
            do {
                return try SystemCalls.isRegularFile(at: path)
            } catch {
                throw error.reading(self)
            }
        }
    }

    /// How long a file is that is mapped. A shorter one is read, which takes no longer.
    ///
    /// Linux gives a process 65,530 mappings, and threads need some, too.
    private static let leastMappedSize = 256 * 1024
}

extension POSIXError {
    /// The error of Foundation for a file that cannot be read.
    func reading(_ file: URL) -> CocoaError {
        let readingCode: CocoaError.Code =
            switch code {
            case .ENOENT, .ENOTDIR: .fileReadNoSuchFile
            case .EACCES, .EPERM: .fileReadNoPermission
            default: .fileReadUnknown
            }
        return CocoaError(readingCode, userInfo: [NSURLErrorKey: file, NSUnderlyingErrorKey: self])
    }
}
