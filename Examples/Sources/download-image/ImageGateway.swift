import Foundation
import URLSessionResult

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

protocol ImageGateway {
    /// Fetches an image; `progress` is called with growing fractions from 0 to 1, about one for each per cent.
    func fetch(with parameters: ImageParameters, progress: @escaping @Sendable (Double) -> Void) async throws -> Image
}

struct ImageParameters {
    let url: URL
}

struct NetworkImageGateway: ImageGateway {
    func fetch(with parameters: ImageParameters, progress: @escaping @Sendable (Double) -> Void) async throws -> Image {
        progress(0)
        return try await URLSession.shared
            .dataResult(from: parameters.url, decoder: .binary(Image.init(data:))) { transfer in
                if let fraction = transfer.fractionCompleted { progress(fraction) }
            }
            .get()
    }
}
