import Foundation

/// An album in the database.
package struct Album: Codable, Equatable, Sendable {
    package var id: String
    package var artist: String
    package var name: String
    package var year: Int?
    package var genres: [String]
    package var coverArtURLs: [URL]
    package var songs: [Song]

    package struct Song: Codable, Equatable, Sendable {
        package var id: String
        package var title: String
        /// In seconds.
        package var duration: Double

        package init(id: String, title: String, duration: Double) {
            self.id = id
            self.title = title
            self.duration = duration
        }
    }

    package init(
        id: String,
        artist: String,
        name: String,
        year: Int? = nil,
        genres: [String] = [],
        coverArtURLs: [URL] = [],
        songs: [Song] = []
    ) {
        self.id = id
        self.artist = artist
        self.name = name
        self.year = year
        self.genres = genres
        self.coverArtURLs = coverArtURLs
        self.songs = songs
    }

    /// Decodes an album. Missing lists become empty lists, because Firebase stores no empty arrays.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        artist = try container.decode(String.self, forKey: .artist)
        name = try container.decode(String.self, forKey: .name)
        year = try container.decodeIfPresent(Int.self, forKey: .year)
        genres = try container.decodeIfPresent([String].self, forKey: .genres) ?? []
        coverArtURLs = try container.decodeIfPresent([URL].self, forKey: .coverArtURLs) ?? []
        songs = try container.decodeIfPresent([Song].self, forKey: .songs) ?? []
    }
}
