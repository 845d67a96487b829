import Foundation
import URLSessionResultClient

/// A folder and a server that get what only the other one has, by the names of the files.
struct FolderSync: Sendable {
    let folder: URL
    private let client: APIClient

    init(folder: URL, server: URL, session: URLSession = .shared) {
        self.folder = folder
        // After a broken connection, the next attempt asks for the rest of a file only.
        client = APIClient(baseURL: server, session: session, middleware: [Retry()])
    }

    /// The files that one side lacks.
    struct Plan {
        let uploads: [URL]
        let downloads: [RemoteFile]
    }

    func plan() async throws -> Plan {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let local = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: [.isRegularFileKey], options: .skipsHiddenFiles)
        let files = try local.filter { try $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true }
        let remote = try await client.result(for: .files).get()
        let remoteNames = Set(remote.map(\.name))
        let localNames = Set(local.map(\.lastPathComponent))
        return Plan(
            uploads: files.filter { !remoteNames.contains($0.lastPathComponent) && !isPartial($0) }
                .sorted { $0.lastPathComponent < $1.lastPathComponent },
            downloads: remote.filter { !localNames.contains($0.name) }
        )
    }

    func upload(_ file: URL, progress: @escaping ProgressHandler) async throws -> RemoteFile {
        let modified = try file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
        return try await client.result(for: .upload(file, modified: modified ?? Date()), progress: progress).get()
    }

    func download(_ file: RemoteFile, progress: @escaping ProgressHandler) async throws {
        let result = await client.resumableDownloadResult(
            for: .file(file.name), to: try destination(of: file), progress: progress)
        _ = try result.get()
    }

    private func destination(of file: RemoteFile) throws -> URL {
        // A server must not choose another folder.
        guard !file.name.isEmpty, !file.name.hasPrefix("."), !file.name.contains("/") else {
            throw InvalidName(name: file.name)
        }
        return folder.appending(component: file.name)
    }

    /// Whether the file is the part of a download, or describes one.
    private func isPartial(_ file: URL) -> Bool { ["part", "part-version"].contains(file.pathExtension) }
}

struct InvalidName: LocalizedError {
    let name: String

    var errorDescription: String? { "The server has a file with a name that cannot be used: \(name)." }
}
