import Foundation
import URLSessionResult

/// The albums of a Firebase-style database, with completion handlers: all albums at `<base>.json`, one album at
/// `<base>/<id>.json`.
package struct AlbumsClient: Sendable {
    private let baseURL: URL
    private let session: URLSession

    package init(baseURL: URL, session: URLSession = .shared) {
        self.baseURL = baseURL
        self.session = session
    }

    private static let albums = ResultDecoder.jsonValues(of: Album.self)

    package func getAlbums(resultHandler: @escaping @Sendable (Result<[Album], NetworkError>) -> Void) {
        session.dataTask(with: albumsURL, decoder: Self.albums, resultHandler: resultHandler).resume()
    }

    package func putAlbum(_ album: Album, errorHandler: @escaping @Sendable (NetworkError?) -> Void) {
        do {
            session.dataTask(with: try putRequest(album), errorHandler: errorHandler).resume()
        } catch {
            errorHandler(error)
        }
    }
}

extension AlbumsClient {
    private var albumsURL: URL {
        // The URL of the root has no last component to append the extension to.
        let isNameless = baseURL.path().isEmpty || baseURL.path().hasSuffix("/")
        return isNameless ? baseURL.appending(component: ".json") : baseURL.appendingPathExtension("json")
    }

    private func putRequest(_ album: Album) throws(NetworkError) -> URLRequest {
        let albumURL = baseURL.appending(component: album.id).appendingPathExtension("json")
        return try URLRequest(url: albumURL, method: .put, json: album)
    }
}
