import Foundation
import URLSessionResult

/// The body that the articles show.
let albumsJSON = #"""
    [
        {"artist": "Joni Mitchell", "name": "Hejira", "year": 1976},
        {"artist": "Arthur Verocai", "name": "Arthur Verocai", "year": 1972}
    ]
    """#

extension ResultDecoder {
    /// Decodes a text.
    func decode(_ text: String) -> Result<T, NetworkError> { decode(.success(Data(text.utf8))) }
}

/// What a snippet prints, from whichever thread.
final class Log: Sendable {
    private let lock = NSLock()
    // Safe because every access holds the lock.
    nonisolated(unsafe) private var storage: [String] = []

    var texts: [String] { lock.withLock { storage } }

    func append(_ text: String) { lock.withLock { storage.append(text) } }
}
