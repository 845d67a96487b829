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
        // Checks the destination before it sends the request.
        let download = await session.downloadResult(
            from: parameters.url, to: parameters.destination,
            progress: { transfer in
                if let fraction = transfer.fractionCompleted { progress(fraction) }
            })
        let file = try download.get()
        guard let image = Image(data: try Data(contentsOf: file, options: .mappedIfSafe)) else {
            throw ImageError(file: file)
        }
        return image
    }
}

struct ImageError: LocalizedError {
    let file: URL

    var errorDescription: String? { "\(file.lastPathComponent) was saved, but it is not a PNG or JPEG image." }
}
