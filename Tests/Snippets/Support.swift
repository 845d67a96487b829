import Foundation

// snippet.album
struct Album: Decodable {
    let artist: String
    let name: String
    let year: Int
}
// snippet.end

extension Album: Encodable, Equatable {}

/// What the server answers in the snippets that ask for albums.
let albumsJSON = #"""
    {"-N1": {"artist": "Joni Mitchell", "name": "Hejira", "year": 1976},
     "-N2": {"artist": "Arthur Verocai", "name": "Arthur Verocai", "year": 1972}}
    """#

/// What a snippet shows its user, from whichever thread.
final class Log: Sendable {
    private let lock = NSLock()
    // Safe because every access holds the lock.
    nonisolated(unsafe) private var storage: [String] = []

    var texts: [String] { lock.withLock { storage } }

    func append(_ text: String) { lock.withLock { storage.append(text) } }
}
