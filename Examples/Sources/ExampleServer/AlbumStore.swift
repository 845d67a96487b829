import Foundation

/// Albums in a JSON file. Several programs may use the file at the same time.
actor AlbumStore {
    private let file: URL
    private let lockFile: URL

    init(file: URL) {
        self.file = file
        lockFile = file.appendingPathExtension("lock")
    }

    /// Needs no lock, because writers replace the whole file in one step.
    func albums() throws -> JSON {
        guard FileManager.default.fileExists(atPath: file.path) else { return try SampleData.decode(named: "albums") }
        return try JSON(parsing: Data(contentsOf: file))
    }

    func update<Answer: Sendable>(_ change: @Sendable (inout JSON) throws -> Answer) throws -> Answer {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        return try FileLock.holding(lockFile) {
            var albums = try albums()
            let answer = try change(&albums)
            try albums.serialized.write(to: file, options: .atomic)
            return answer
        }
    }
}
