import FlyingFox
import Foundation

/// The name of an album in the database, within Firebase's limits.
struct AlbumID {
    let rawValue: String

    /// Reads the id from `/albums/<id>.json`. `/albums.json` and `/albums/.json` name the collection and give `nil`.
    init?(path: String) throws {
        guard path.hasSuffix(".json") else {
            throw ErrorResponse(.notFound, "The paths of this database end in .json.")
        }
        let prefix = "/albums/"
        guard path.hasPrefix(prefix), path != prefix + ".json" else { return nil }
        let encoded = path.dropFirst(prefix.count).dropLast(".json".count)
        guard let id = encoded.removingPercentEncoding, Self.isValid(id) else {
            throw ErrorResponse(
                .badRequest, "An id has 1 to 768 bytes. Control characters and . $ # [ ] / are not allowed.")
        }
        rawValue = id
    }

    private init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes an id that sorts after all earlier ones.
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
