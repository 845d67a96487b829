import Foundation
import Testing
import URLSessionResult

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// snippet.decoder-constant
extension ResultDecoder where T == [Album] {
    static let albums = ResultDecoder.jsonValues(of: Album.self).map { albums in
        albums.sorted { $0.year < $1.year }
    }
}
// snippet.end

struct SearchResult: Decodable {
    let artistName: String
    let collectionName: String
    let year: Int
}

// snippet.decoder-of-another-type
extension ResultDecoder where T == [Album] {
    static let found = ResultDecoder<[SearchResult]>.json(at: "results").map { results in
        results.map { Album(artist: $0.artistName, name: $0.collectionName, year: $0.year) }
    }
}
// snippet.end

// snippet.decoder-with-strategy
extension ResultDecoder where T == [Event] {
    static let events: ResultDecoder = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        return .jsonArray(using: decoder)
    }()
}
// snippet.end

struct Event: Decodable {
    let startsAt: Date
}

@Suite("Decoding responses")
struct DecodingResponses {
    @Test("A decoder is made once and passed with a leading dot")
    func constant() async throws {
        let url = try #require(URL(string: "https://albums.test/constant.json"))
        let session = StubProtocol.session(answering: url, with: .response(body: albumsJSON))
        // snippet.use-decoder-constant
        let result = await session.dataResult(from: url, decoder: .albums)
        // snippet.end
        #expect(try result.get().map(\.year) == [1972, 1976])
    }

    @Test("A decoder may begin with another type")
    func anotherType() throws {
        let body = #"{"results": [{"artistName": "A", "collectionName": "N", "year": 1976}]}"#
        let albums = try ResultDecoder.found.decode(.success(Data(body.utf8))).get()
        #expect(albums == [Album(artist: "A", name: "N", year: 1976)])
    }

    @Test("A function of one's own may be generic")
    func generic() async throws {
        let url = try #require(URL(string: "https://albums.test/generic.json"))
        let session = StubProtocol.session(answering: url, with: .response(body: "[1, 2]"))
        // snippet.generic
        func get<T: Decodable & SendableMetatype>(_ url: URL) async -> Result<T, NetworkError> {
            await session.dataResult(from: url, decoder: .json())
        }
        // snippet.end
        let numbers: [Int] = try await get(url).get()
        #expect(numbers == [1, 2])
    }

    @Test("What has not changed need not be sent", arguments: [200, 304])
    func conditionalRequest(status: Int) async throws {
        let url = try #require(URL(string: "https://albums.test/conditional-\(status).json"))
        let session = StubProtocol.session(
            answering: url,
            with: .response(statusCode: status, headers: ["ETag": "new"], body: status == 200 ? "[]" : ""))
        let tag = "old"
        var shown: [String] = []
        func keep(_ albums: [Album], _ tag: String?) { shown.append(tag ?? "none") }
        func showWhatWasKept() { shown.append("kept") }
        func show(_ error: NetworkError) { shown.append("\(error)") }

        // snippet.conditional-request
        var request = URLRequest(url: url)
        request.setValue(tag, forHTTPHeaderField: "If-None-Match")
        switch await session.dataResult(for: request, decoder: .response(.jsonArray(of: Album.self))) {
        case .success(let response): keep(response.body, response.header("ETag"))
        case .failure(let error) where error.statusCode == 304: showWhatWasKept()
        case .failure(let error): show(error)
        }
        // snippet.end
        #expect(shown == [status == 200 ? "new" : "kept"])
    }

    @Test("Strategies belong to the decoder")
    func strategies() throws {
        let body = Data(#"[{"starts_at": "2026-01-01T00:00:00Z"}]"#.utf8)
        #expect(try ResultDecoder.events.decode(.success(body)).get().count == 1)
    }

    @Test("An envelope is named by a path")
    func envelope() throws {
        // snippet.envelope
        // {"data": {"items": [{"artist": "Joni Mitchell", …}, …]}}
        let albums = ResultDecoder.json([Album].self, at: "data.items")
        let first = ResultDecoder.json(Album.self, at: "data.items.0")
        // snippet.end
        let body = Data(#"{"data": {"items": [{"artist": "Joni Mitchell", "name": "Hejira", "year": 1976}]}}"#.utf8)
        #expect(try albums.decode(.success(body)).get() == [first.decode(.success(body)).get()])
    }

    @Test("Invalid elements may be left out")
    func invalidElements() throws {
        let log = Log()
        @Sendable func report(_ text: String) { log.append(text) }

        // snippet.skip
        let albums = ResultDecoder.jsonArray(
            of: Album.self,
            invalidElements: .skip { index, error in
                report("album \(index) is left out: \(NetworkError.decodingError(error, response: nil))")
            })
        // snippet.end
        let body = Data(
            #"[{"artist": "A", "name": "N", "year": 1976}, {"artist": "B", "name": "N", "year": "?"}]"#.utf8)
        #expect(try albums.decode(.success(body)).get().count == 1)
        #expect(log.texts == ["album 1 is left out: decodingError([1].year: expected Int, found a string)"])
    }

    @Test("Any initializer is a decoder")
    func initializers() throws {
        // snippet.binary
        let image = ResultDecoder.binary(PNG.init(data:))
        // snippet.end
        #expect(throws: NetworkError.self) { try image.decode(.success(Data())).get() }
        // snippet.closure
        let lines = ResultDecoder.string().map { $0.split(separator: "\n") }
        // snippet.end
        #expect(try lines.decode(.success(Data("a\nb".utf8))).get() == ["a", "b"])
    }

    @Test("A property list is decoded like JSON")
    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    func propertyLists() throws {
        // snippet.property-list
        let album = ResultDecoder.decodable(Album.self, using: PropertyListDecoder())
        // snippet.end
        let blue = Album(artist: "Joni Mitchell", name: "Blue", year: 1971)
        #expect(try album.decode(.success(PropertyListEncoder().encode(blue))).get() == blue)
    }
}

/// Stands for the image of an app.
private struct PNG {
    init?(data: Data) {
        guard data.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return nil }
    }
}
