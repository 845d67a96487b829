import Foundation
import URLSessionResult

/// A way to transfer a body, with the library or with `URLSession` alone.
enum Form: String, CaseIterable {
    case upload
    case uploadWithProgress = "upload-progress"
    case uploadAlone = "upload-alone"
    case download
    case downloadAlone = "download-alone"
    case stream
    case streamAlone = "stream-alone"
    case elements
}

/// Transfers the body at a URL, or a file to it.
struct Transfer {
    let url: URL
    let file: URL
    private let session = URLSession(configuration: .ephemeral)

    init(url: URL, file: URL) {
        self.url = url
        self.file = file
    }

    func warmUp() async throws {
        let short = url.deletingLastPathComponent().appendingPathComponent("short")
        _ = try await session.dataResult(from: short).get()
        _ = try await session.data(from: short)
    }

    func run(_ form: Form) async throws {
        let request = URLRequest(url: url, method: .put)
        switch form {
        case .upload:
            _ = try await session.uploadResult(for: request, fromFile: file, delegate: Alone()).get()
        case .uploadWithProgress:
            _ = try await session.uploadResult(
                for: request, fromFile: file, delegate: Alone(), progress: { _ in }
            ).get()
        case .uploadAlone:
            try await Alone.run { $0.uploadTask(with: request, fromFile: file) }
        case .download:
            _ = try await session.downloadResult(from: url, to: file).get()
        case .downloadAlone:
            let (temporaryFile, _) = try await session.download(from: url)
            try FileManager.default.removeItem(at: temporaryFile)
        case .stream:
            for try await _ in try await session.bytesResult(from: url).get().body.chunks {}
        case .streamAlone:
            try await Alone.run { $0.dataTask(with: url) }
        case .elements:
            for try await _ in try await session.bytesResult(from: url).get().body.elements(.json(Album.self)) {}
        }
    }
}

private struct Album: Decodable, Sendable {
    var id: Int
    var name: String
    var artist: String
}
