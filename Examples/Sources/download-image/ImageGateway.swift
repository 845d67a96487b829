import Foundation
import URLSessionResult

protocol ImageGateway: Sendable {
    /// Downloads an image. `progress` is called with growing fractions up to 1, at most once for each per cent.
    func fetch(with parameters: ImageParameters, progress: @escaping @Sendable (Double) -> Void) async throws -> Image
}

struct ImageParameters {
    let url: URL
    let destination: URL
}

struct NetworkImageGateway: ImageGateway {
    var session: URLSession = .shared

    func fetch(with parameters: ImageParameters, progress: @escaping @Sendable (Double) -> Void) async throws -> Image {
        let destination = parameters.destination
        guard try !isFolder(destination) else { throw ImageError.isFolder(destination) }
        // Beside the destination, so that only an image takes its place.
        let newFile = destination.deletingLastPathComponent()
            .appending(component: ".\(destination.lastPathComponent).download")
        defer { try? FileManager.default.removeItem(at: newFile) }
        // Checks whether the file can be written before it sends the request.
        let download = await session.downloadResult(
            from: parameters.url, to: newFile,
            progress: { transfer in
                if let fraction = transfer.fractionCompleted { progress(fraction) }
            })
        _ = try download.get()
        guard let image = Image(data: try Data(contentsOf: newFile, options: .mappedIfSafe)) else {
            throw ImageError.notAnImage(destination)
        }
        guard rename(newFile.path, destination.path) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        return image
    }

    private func isFolder(_ url: URL) throws -> Bool {
        guard FileManager.default.fileExists(atPath: url.path) else { return false }
        return try url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true
    }
}

enum ImageError: LocalizedError, Equatable {
    case isFolder(URL)
    case notAnImage(URL)

    var errorDescription: String? {
        switch self {
        case .isFolder(let url): "The file \(url.lastPathComponent) could not be written: it is a folder."
        case .notAnImage(let url): "\(url.lastPathComponent) was not written: the response is not a PNG or JPEG image."
        }
    }
}
