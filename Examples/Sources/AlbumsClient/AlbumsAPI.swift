import Foundation
import URLSessionResultClient

// The same database as endpoints, for an `APIClient` whose base is that of the albums.

extension Endpoint where Value == [Album] {
    package static var albums: Endpoint { Endpoint(.get, ".json", decoder: .jsonValues()) }
}

extension Endpoint where Value == Album? {
    /// The album is `nil` if the database has no album with this id.
    package static func album(_ id: String) -> Endpoint { Endpoint(.get, "\(id).json") }
}

extension Endpoint where Value == Void {
    package static func put(_ album: Album) -> Endpoint {
        Endpoint(.put, "\(album.id).json", body: .json(album))
    }
}

extension Endpoint where Value == Data {
    /// The value is the bytes. An app would have `decoder: .binary(UIImage.init(data:))`.
    ///
    /// The URL of a cover may be relative to the URL of the database.
    package static func cover(at url: URL) -> Endpoint { Endpoint(.get, EndpointPath(url), decoder: .data) }
}
