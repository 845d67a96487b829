import Foundation
import URLSessionResult

/// The albums of a Firebase-style database: all albums at `<base>.json`, one album at `<base>/<id>.json`.
package struct AlbumsClient: Sendable {
    private let baseURL: URL
    private let session: URLSession

    package init(baseURL: URL, session: URLSession = .shared) {
        self.baseURL = baseURL
        self.session = session
    }

    private static let albums = ResultDecoder.jsonValues(of: Album.self)
    private static let album = ResultDecoder.json(Album?.self)
}

// MARK: - With completion handlers

extension AlbumsClient {
    package func getAlbums(resultHandler: @escaping @Sendable (Result<[Album], NetworkError>) -> Void) {
        session.dataTask(with: albumsURL, decoder: Self.albums, resultHandler: resultHandler).resume()
    }

    /// The album is `nil` if the database has no album with this id.
    package func getAlbum(id: String, resultHandler: @escaping @Sendable (Result<Album?, NetworkError>) -> Void) {
        session.dataTask(with: albumURL(id), decoder: Self.album, resultHandler: resultHandler).resume()
    }

    package func putAlbum(_ album: Album, errorHandler: @escaping @Sendable (NetworkError?) -> Void) {
        do {
            session.dataTask(with: try putRequest(album), errorHandler: errorHandler).resume()
        } catch {
            errorHandler(error)
        }
    }

    /// The result is the bytes. An app would pass `decoder: .binary(UIImage.init(data:))`.
    package func getCover(at url: URL, resultHandler: @escaping @Sendable (DataResult) -> Void) {
        session.dataTask(with: coverURL(url), resultHandler: resultHandler).resume()
    }
}

// MARK: - With async

extension AlbumsClient {
    package func getAlbums() async -> Result<[Album], NetworkError> {
        await session.dataResult(from: albumsURL, decoder: Self.albums)
    }

    /// The album is `nil` if the database has no album with this id.
    package func getAlbum(id: String) async -> Result<Album?, NetworkError> {
        await session.dataResult(from: albumURL(id), decoder: Self.album)
    }

    package func putAlbum(_ album: Album) async -> Result<Void, NetworkError> {
        do {
            return await session.dataResult(for: try putRequest(album), decoder: .ignored)
        } catch {
            return .failure(error)
        }
    }

    /// The result is the bytes. An app would pass `decoder: .binary(UIImage.init(data:))`.
    package func getCover(at url: URL) async -> DataResult {
        await session.dataResult(from: coverURL(url))
    }
}

// MARK: - Requests

extension AlbumsClient {
    private var albumsURL: URL {
        // The URL of the root has no last component to append the extension to.
        let isNameless = baseURL.path().isEmpty || baseURL.path().hasSuffix("/")
        return isNameless ? baseURL.appending(component: ".json") : baseURL.appendingPathExtension("json")
    }

    private func albumURL(_ id: String) -> URL {
        baseURL.appending(component: id).appendingPathExtension("json")
    }

    /// The URL of a cover may be relative to the URL of the database.
    private func coverURL(_ url: URL) -> URL {
        URL(string: url.relativeString, relativeTo: baseURL) ?? url
    }

    private func putRequest(_ album: Album) throws(NetworkError) -> URLRequest {
        try URLRequest(url: albumURL(album.id), method: .put, json: album)
    }
}
