import Foundation

/// A photograph, and the files that were uploaded to a folder.
struct FileFolder {
    struct File {
        let content: Data
        /// Names this version of the file (RFC 9110, section 8.8.3).
        let tag: String
    }

    let url: URL

    let photograph: File

    /// Zeros behind the photograph, which image viewers ignore, make it large without a large file in the repository.
    init(url: URL) throws {
        self.url = url
        var content = try Data(contentsOf: SampleData.url(of: "photograph.png"))
        content.count = 3_687_708
        photograph = File(content: content, tag: "\"photograph\"")
    }

    func names() throws -> [String] {
        guard FileManager.default.fileExists(atPath: url.path) else { return ["photograph.png"] }
        let uploaded = try FileManager.default.contentsOfDirectory(atPath: url.path).filter(Self.isValid)
        return Set(uploaded + ["photograph.png"]).sorted()
    }

    func file(named name: String) throws -> File? {
        let file = url.appending(component: name)
        guard Self.isValid(name), FileManager.default.fileExists(atPath: file.path) else {
            return name == "photograph.png" ? photograph : nil
        }
        let content = try Data(contentsOf: file)
        let modified = try file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
        return File(content: content, tag: "\"\(content.count)-\(modified?.timeIntervalSince1970 ?? 0)\"")
    }

    func save(_ content: Data, named name: String, modified: Date) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let file = url.appending(component: name)
        try content.write(to: file, options: .atomic)
        try FileManager.default.setAttributes([.modificationDate: modified], ofItemAtPath: file.path)
    }

    /// Whether a name is one of a visible file in this folder.
    static func isValid(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix(".") && !name.contains("/") && !name.contains("\0")
    }
}
