import Foundation

extension URL {
    /// Maps a file into memory, or reads a short one, or a pipe. A URL of anything else throws an error; it is never requested.
    package func mapped() throws -> Data {
        guard isFileURL else { throw CocoaError(.fileReadUnsupportedScheme) }
        // A pipe has the size 0 or none. Mapping an empty file leaks on Linux (swift-foundation, `readBytesFromFile`).
        let size = try resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        guard size > 0 else { return try FileHandle(forReadingFrom: self).readToEnd() ?? Data() }
        return try Data(contentsOf: self, options: size < Self.leastMappedSize ? [] : .mapped)
    }

    /// Whether the URL is that of a regular file or of a link to one.
    package var isRegularFile: Bool {
        get throws {
            try resolvingSymlinksInPath().resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
        }
    }

    /// How long a file is that is mapped. A shorter one is read, which takes no longer.
    ///
    /// Linux gives a process 65,530 mappings, and threads need some, too.
    private static let leastMappedSize = 256 * 1024
}
