import FlyingFox
import Foundation

/// The name of an album in the database, spelled within Firebase's limits.
struct AlbumID {
    let rawValue: String

    /// Reads `/albums/<id>.json`; `/albums.json` and `/albums/.json` name the collection and give nil.
    init?(path: String) throws {
        guard path.hasSuffix(".json") else {
            throw Refusal(.notFound, "A path of this database ends in .json.")
        }
        let prefix = "/albums/"
        guard path.hasPrefix(prefix), path != prefix + ".json" else { return nil }
        let encoded = path.dropFirst(prefix.count).dropLast(".json".count)
        guard let id = encoded.removingPercentEncoding, Self.isValid(id) else {
            throw Refusal(.badRequest, "An id has 1 to 768 bytes, no control characters and none of . $ # [ ] / in it.")
        }
        rawValue = id
    }

    private init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes an id that sorts after the ones made before.
    static func generate() -> AlbumID {
        let milliseconds = Int(Date().timeIntervalSince1970 * 1000)
        return AlbumID("-" + String(milliseconds, radix: 36) + "-" + UUID().uuidString.prefix(8).lowercased())
    }

    private static func isValid(_ id: String) -> Bool {
        (1...768).contains(id.utf8.count)
            && id.unicodeScalars.allSatisfy { scalar in
                scalar.properties.generalCategory != .control && !".$#[]/".unicodeScalars.contains(scalar)
            }
    }
}
