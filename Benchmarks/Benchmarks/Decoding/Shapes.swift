import Foundation

/// An element of the documents that are decoded.
protocol Shape: Decodable, Sendable {
    static var name: String { get }

    /// The element at a position, as JSON.
    static func json(at index: Int) -> String
}

/// Rows as a table or a search gives them.
struct Row: Shape {
    var id: Int
    var name: String
    var email: String
    var isActive: Bool
    var score: Double

    static let name = "flat rows"

    static func json(at index: Int) -> String {
        """
        {"id": \(index), "name": "Person \(index * 7919 % 10_007)", "email": "person.\(index)@example.org", \
        "isActive": \(index % 3 == 0), "score": \(Double(index % 1_000) / 8)}
        """
    }
}

/// Albums with songs inside, as in the examples.
struct Album: Shape {
    struct CoverArt: Decodable {
        var small: URL
        var large: URL
    }

    struct Song: Decodable {
        var id: String
        var title: String
        var duration: Double
    }

    var id: String
    var artist: String
    var name: String
    var genres: [String]
    var coverArt: CoverArt
    var songs: [Song]

    static let name = "nested albums"

    static func json(at index: Int) -> String {
        let songs = (1...9).map { song in
            #"{"id": "\#(index)-\#(song)", "title": "Song \#(song) of \#(index)", "duration": \#(180 + song).25}"#
        }
        return """
            {"id": "\(index)", "artist": "Artist \(index % 97)", "name": "Album \(index)", "genres": ["Jazz", "Folk"], \
            "coverArt": {"small": "https://example.org/\(index)/s.jpg", "large": "https://example.org/\(index)/l.jpg"}, \
            "songs": [\(songs.joined(separator: ", "))]}
            """
    }
}

/// Texts in which much is escaped.
struct Message: Shape {
    var id: Int
    var subject: String
    var text: String

    static let name = "escaped strings"

    static func json(at index: Int) -> String {
        let sentence =
            #"\"\#(index)\":\n\tGr\u00fc\u00dfe, \u65e5\u672c\u8a9e \ud83c\udfb5 [a, {b}] C:\\temp\\\#(index) "#
        let text = String(repeating: sentence, count: 3)
        return #"{"id": \#(index), "subject": "Re: \\\"\#(index)\\\"", "text": "\#(text)"}"#
    }
}

/// Measurements.
struct Sample: Shape {
    var time: Int
    var values: [Double]

    static let name = "numbers"

    static func json(at index: Int) -> String {
        let values = (0..<12).map { "\(Double((index + 1) * ($0 + 3) * 7919 % 1_000_003) / 1_000)" }
        return #"{"time": \#(1_700_000_000 + index), "values": [\#(values.joined(separator: ", "))]}"#
    }
}
