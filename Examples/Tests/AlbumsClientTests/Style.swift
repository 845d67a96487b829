import AlbumsClient
import Foundation
import TestSupport
import URLSessionResultClient

/// The two ways to use the database, which promise the same.
enum Style: CaseIterable {
    case handlers, endpoints
}

/// The database, used in one of the two ways.
struct StyledClient: Sendable {
    private let style: Style
    private let handlers: AlbumsClient
    private let endpoints: APIClient

    init(_ style: Style, baseURL: URL, session: URLSession = .shared) {
        self.style = style
        handlers = AlbumsClient(baseURL: baseURL, session: session)
        endpoints = APIClient(baseURL: baseURL, session: session)
    }

    func getAlbums() async -> Result<[Album], NetworkError> {
        switch style {
        case .endpoints: await endpoints.result(for: .albums)
        case .handlers: await withCheckedContinuation { done in handlers.getAlbums { done.resume(returning: $0) } }
        }
    }

    func putAlbum(_ album: Album) async -> Result<Void, NetworkError> {
        switch style {
        case .endpoints: await endpoints.result(for: .put(album))
        case .handlers:
            await withCheckedContinuation { done in
                handlers.putAlbum(album) { error in done.resume(returning: error.map(Result.failure) ?? .success(())) }
            }
        }
    }
}

/// Calls `body` with the base of the albums of an example server.
func withAlbums(_ body: @escaping @Sendable (URL) async throws -> Void) async throws {
    try await withExampleServer { root async throws in try await body(root.appending(path: "albums")) }
}
