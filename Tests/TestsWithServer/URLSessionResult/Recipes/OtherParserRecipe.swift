import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

// snippet.other-parser
/// Stands for a parser of another package.
nonisolated struct OtherDecoder {
    func decode<T: Decodable>(
        _ type: T.Type, from data: Data
    ) throws -> T {
        try JSONDecoder().decode(type, from: data)
    }
}

extension ResultDecoder where T == [Album] {
    nonisolated static let otherAlbums = ResultDecoder { data in
        try OtherDecoder().decode([Album].self, from: data)
    }
}
// snippet.end

/// Recipe: another parser.
@Suite(.inTurn)
struct OtherParserRecipe {
    @Test("Another parser decodes a body")
    func otherParser() async throws {
        let server = try LoopbackServer(.ok(#"[{"id": 7, "title": "N", "releasedAt": 0}]"#))
        let albums = await URLSession(configuration: .ephemeral).dataResult(from: server.url(), decoder: .otherAlbums)
        #expect(try albums.get().map(\.title) == ["N"])
    }
}
