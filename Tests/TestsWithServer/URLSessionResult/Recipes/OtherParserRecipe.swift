import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

// snippet.other-parser
/// Stands for a JSON parser of another package.
nonisolated struct OtherJSONDecoder {
    func decode<T: Decodable>(
        _ type: T.Type, from data: Data
    ) throws -> T {
        try JSONDecoder().decode(type, from: data)
    }
}

nonisolated extension OtherJSONDecoder: DataDecoding {}

extension ResultDecoder where T == [Album] {
    nonisolated static let otherAlbums = ResultDecoder.decodable(
        using: OtherJSONDecoder())
}
// snippet.end

@Suite("Recipe: another JSON parser", .inTurn)
struct OtherParserRecipe {
    @Test("Another parser decodes a body")
    func otherParser() async throws {
        let server = try LoopbackServer(.ok(#"[{"artist": "A", "name": "N", "year": 1976}]"#))
        let albums = await URLSession(configuration: .ephemeral).dataResult(from: server.url(), decoder: .otherAlbums)
        #expect(try albums.get().map(\.year) == [1976])
    }
}
