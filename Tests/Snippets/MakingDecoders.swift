import Foundation
import Testing
import URLSessionResult
import URLSessionResultTesting

// snippet.decoder-constant
extension ResultDecoder where T == [Album] {
    nonisolated static let albums = ResultDecoder.json().map { albums in
        albums.sorted { $0.year < $1.year }
    }
}
// snippet.end

// snippet.decoder-of-another-type
nonisolated struct Release: Decodable {
    let artistName: String
    let collectionName: String
    let year: Int

    var album: Album {
        Album(artist: artistName, name: collectionName, year: year)
    }
}

extension ResultDecoder where T == [Album] {
    nonisolated static let found = ResultDecoder<[Release]>
        .json(at: "results")
        .map { releases in releases.map(\.album) }
}
// snippet.end

// snippet.decoder-with-strategy
nonisolated struct Concert: Decodable {
    let startsAt: Date
}

extension ResultDecoder where T == [Concert] {
    nonisolated static let concerts: ResultDecoder = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        return .json(using: decoder)
    }()
}
// snippet.end

/// Making decoders.
struct MakingDecoders {
    private let session: URLSession
    private let url: URL

    init() throws {
        url = try #require(URL(string: "https://albums.test/"))
        session = SessionStub(.json(albumsJSON)).session
    }

    @Test("A decoder is made once and passed with a leading dot")
    func constant() async throws {
        // snippet.use-decoder-constant
        let sorted = await session.dataResult(from: url, decoder: .albums)
        // snippet.end
        #expect(try sorted.get().map(\.year) == [1972, 1976])
    }

    @Test("A decoder may begin with another type")
    func anotherType() throws {
        let body = #"{"results": [{"artistName": "A", "collectionName": "N", "year": 1976}]}"#
        #expect(try ResultDecoder.found.decode(body).get() == [Album(artist: "A", name: "N", year: 1976)])
    }

    @Test("Strategies belong to the decoder")
    func strategies() throws {
        #expect(try ResultDecoder.concerts.decode(#"[{"starts_at": "2026-01-01T00:00:00Z"}]"#).get().count == 1)
    }

    @Test("A decoder may read headers")
    func headers() async throws {
        // snippet.decoder-of-response
        let isStale = ResultDecoder.response { response in
            response.header("Warning")?.hasPrefix("110") == true
        }
        // snippet.end
        #expect(try await session.dataResult(from: url, decoder: isStale).get() == false)
    }

    @Test("A function may be generic over models")
    func generic() async throws {
        // snippet.generic
        func get<T: Decodable & SendableMetatype>(
            _ url: URL
        ) async -> Result<T, NetworkError> {
            await session.dataResult(from: url, decoder: .json())
        }
        // snippet.end
        let albums: [Album] = try await get(url).get()
        #expect(albums.count == 2)
    }
}
