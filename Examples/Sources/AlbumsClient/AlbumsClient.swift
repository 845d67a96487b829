import Foundation
import URLSessionResult

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Albums in a Firebase-style database: the collection at `<base>.json`, one album at `<base>/<id>.json`.
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

// MARK: - By callback

extension AlbumsClient {
    package func getAlbums(resultHandler: @escaping @Sendable (Result<[Album], NetworkError>) -> Void) {
        session.dataTask(with: albumsURL, decoder: Self.albums, resultHandler: resultHandler).resume()
    }

    /// Gives `nil` when there is no such album.
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

    /// Gives the bytes; an app writes `decoder: .binary(UIImage.init(data:))`.
    package func getCover(at url: URL, resultHandler: @escaping @Sendable (DataResult) -> Void) {
        session.dataTask(with: coverURL(url), resultHandler: resultHandler).resume()
    }
}

// MARK: - By async

extension AlbumsClient {
    package func getAlbums() async -> Result<[Album], NetworkError> {
        await session.dataResult(for: URLRequest(url: albumsURL), decoder: Self.albums)
    }

    /// Gives `nil` when there is no such album.
    package func getAlbum(id: String) async -> Result<Album?, NetworkError> {
        await session.dataResult(for: URLRequest(url: albumURL(id)), decoder: Self.album)
    }

    package func putAlbum(_ album: Album) async -> Result<Void, NetworkError> {
        do {
            return await session.dataResult(for: try putRequest(album), decoder: .ignored)
        } catch {
            return .failure(error)
        }
    }

    /// Gives the bytes; an app writes `decoder: .binary(UIImage.init(data:))`.
    package func getCover(at url: URL) async -> DataResult {
        await session.dataResult(from: coverURL(url))
    }
}

// MARK: - Requests

extension AlbumsClient {
    private var albumsURL: URL {
        // The root of a database has no name that could take an extension.
        let isNameless = baseURL.path().isEmpty || baseURL.path().hasSuffix("/")
        return isNameless ? baseURL.appending(component: ".json") : baseURL.appendingPathExtension("json")
    }

    private func albumURL(_ id: String) -> URL {
        baseURL.appending(component: id).appendingPathExtension("json")
    }

    /// A cover may be given by an address relative to the database's.
    private func coverURL(_ url: URL) -> URL {
        URL(string: url.relativeString, relativeTo: baseURL) ?? url
    }

    private func putRequest(_ album: Album) throws(NetworkError) -> URLRequest {
        var request = URLRequest(url: albumURL(album.id), method: .put)
        try request.setJSONBody(album)
        return request
    }
}
