import AlbumsClient
import Foundation
import TestSupport
import URLSessionResult

/// The two ways to call the client, which promise the same.
enum Style: CaseIterable {
    case callback, async
}

/// The client, called in one of the two ways.
struct StyledClient: Sendable {
    let client: AlbumsClient
    let style: Style

    func getAlbums() async -> Result<[Album], NetworkError> {
        switch style {
        case .async: await client.getAlbums()
        case .callback: await withCheckedContinuation { done in client.getAlbums { done.resume(returning: $0) } }
        }
    }

    func getAlbum(id: String) async -> Result<Album?, NetworkError> {
        switch style {
        case .async: await client.getAlbum(id: id)
        case .callback: await withCheckedContinuation { done in client.getAlbum(id: id) { done.resume(returning: $0) } }
        }
    }

    func putAlbum(_ album: Album) async -> Result<Void, NetworkError> {
        switch style {
        case .async: await client.putAlbum(album)
        case .callback:
            await withCheckedContinuation { done in
                client.putAlbum(album) { error in done.resume(returning: error.map(Result.failure) ?? .success(())) }
            }
        }
    }

    func getCover(at url: URL) async -> DataResult {
        switch style {
        case .async: await client.getCover(at: url)
        case .callback:
            await withCheckedContinuation { done in client.getCover(at: url) { done.resume(returning: $0) } }
        }
    }
}

/// Calls `body` with a client of an example server.
func withAlbums(_ style: Style, _ body: @escaping @Sendable (StyledClient) async throws -> Void) async throws {
    try await withExampleServer { root async throws in
        try await body(StyledClient(client: AlbumsClient(baseURL: root.appending(path: "albums")), style: style))
    }
}
