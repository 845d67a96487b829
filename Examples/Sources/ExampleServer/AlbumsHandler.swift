import FlyingFox
import Foundation

/// A Firebase-style database, in a JSON file: `/albums.json` has the albums by their ids, `/albums/<id>.json` has an album or
/// `null`.
actor AlbumsHandler {
    private let file: URL

    init(file: URL) {
        self.file = file
    }

    /// `GET /albums.json` or `GET /albums/.json`
    func getAll(_ request: HTTPRequest) async throws -> HTTPResponse {
        try .json(albums())
    }

    /// `GET /albums/<id>.json`
    func get(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let id = request.albumID else { return try .invalidAlbumID() }
        return try .json(albums()[id])
    }

    /// `PUT /albums/<id>.json`
    func put(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let id = request.albumID else { return try .invalidAlbumID() }
        let album = try await request.json(Album.self)
        var albums = try albums()
        albums[id] = album
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try JSONEncoder.sortingKeys.encode(albums).write(to: file, options: .atomic)
        return try .json(album)
    }

    private func albums() throws -> [String: Album] {
        guard FileManager.default.fileExists(atPath: file.path) else { return try SampleData.decode("albums.json") }
        return try JSONDecoder().decode([String: Album].self, from: Data(contentsOf: file))
    }
}

private struct Album: Codable {
    let id: String
    let artist: String
    let name: String
    let year: Int?
    let genres: [String]?
    let coverArtURLs: [String]?
    let songs: [Song]?

    struct Song: Codable {
        let id: String
        let title: String
        let duration: Double
    }
}

extension HTTPRequest {
    /// The id in the path, or `nil` if Firebase does not allow it.
    fileprivate var albumID: String? {
        let id = path.wholeMatch(of: /\/albums\/([^.$#\[\]\/\p{Cc}]+)\.json/)?.1
        return id.flatMap { $0.utf8.count <= 768 ? String($0) : nil }
    }
}

extension HTTPResponse {
    fileprivate static func invalidAlbumID() throws -> HTTPResponse {
        let message = "An id has 1 to 768 bytes. Control characters and . $ # [ ] / are not allowed."
        return try .json(["error": message], .badRequest)
    }
}
