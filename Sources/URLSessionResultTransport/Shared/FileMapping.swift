import Foundation

extension URL {
    /// Maps a file into memory, or reads a short one, or a pipe. A URL of anything else throws an error; it is never requested.
    package func mapped() throws -> Data {
        let isRegularFile = try isRegularFile
        // For a link, this is the length of the link itself.
        let size = try resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        // A pipe has no size, and only a regular file is mapped. Mapping an empty file leaks on Linux (swift-foundation,
        // `readBytesFromFile`).
        guard isRegularFile, size > 0 else { return try FileHandle(forReadingFrom: self).readToEnd() ?? Data() }
        return try Data(contentsOf: self, options: size < Self.leastMappedSize ? [] : .mapped)
    }

    /// From this size on, in bytes, a file is mapped. To read a smaller one takes no longer.
    ///
    /// Linux gives a process 65,530 mappings, and threads need some, too.
    private static let leastMappedSize = 256 * 1024
}
