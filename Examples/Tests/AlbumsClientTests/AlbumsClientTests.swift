import AlbumsClient
import Foundation
import TestSupport
import Testing
import URLSessionResult
import URLSessionResultTesting

@Suite("The albums client", .serialized)
struct AlbumsClientTests {
    private let album = Album(
        id: "x y", artist: "A", name: "N", year: 2001, genres: ["Pop"], coverArtURLs: [],
        songs: [Album.Song(id: "1", title: "Ünï", duration: 61.5)]
    )

    @Test("All albums come in the order of the database", arguments: Style.allCases)
    func getAlbums(style: Style) async throws {
        try await withAlbums(style) { client async throws in
            let names = try await client.getAlbums().get().map(\.id)
            #expect(names == ["a-love-supreme", "autobahn", "homogenic", "kind-of-blue", "wish-you-were-here"])
        }
    }

    @Test(
        "The collection is <base>.json, the root of a database /.json, and a query stays",
        arguments: [
            ("", "/.json"), ("/", "/.json"), ("/albums", "/albums.json"), ("/albums/", "/albums/.json"),
            ("/albums?auth=t", "/albums.json?auth=t"),
        ]
    )
    func address(base: String, target: String) async throws {
        let stub = SessionStub(.json("{}"))
        let baseURL = try #require(URL(string: "https://albums.test\(base)"))
        _ = try await AlbumsClient(baseURL: baseURL, session: stub.session).getAlbums().get()
        #expect(stub.requests.map(\.url?.absoluteString) == ["https://albums.test\(target)"])
    }

    @Test("An album that was put comes back equal", arguments: Style.allCases)
    func putAndGet(style: Style) async throws {
        try await withAlbums(style) { [album] client async throws in
            try await client.putAlbum(album).get()
            #expect(try await client.getAlbum(id: "x y").get() == album)
        }
    }

    @Test("An album that is not there is nil", arguments: Style.allCases)
    func absent(style: Style) async throws {
        try await withAlbums(style) { client async throws in
            #expect(try await client.getAlbum(id: "nothing").get() == nil)
        }
    }

    @Test("A cover is the bytes of a picture, also at a relative address", arguments: Style.allCases)
    func cover(style: Style) async throws {
        try await withAlbums(style) { client async throws in
            let url = try #require(try await client.getAlbum(id: "homogenic").get()?.coverArtURLs.first)
            #expect(try await client.getCover(at: url).get().prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
        }
    }

    @Test("An error of the database is a server error with its reason", arguments: Style.allCases)
    func databaseError(style: Style) async throws {
        try await withAlbums(style) { client async throws in
            let error = try #require(await client.putAlbum(Album(id: "a.b", artist: "A", name: "N")).failure)
            #expect(error.statusCode == 400)
            let reason = try error.response?.decode(with: .json(DatabaseError.self)).get()
            #expect(reason?.error.hasPrefix("An id has") == true)
        }
    }

    @Test("An album that cannot be encoded is an encoding error", arguments: Style.allCases)
    func encodingError(style: Style) async throws {
        let song = Album.Song(id: "1", title: "T", duration: .infinity)
        try await withAlbums(style) { client async throws in
            let error = await client.putAlbum(Album(id: "x", artist: "A", name: "N", songs: [song])).failure
            guard case .encodingError = error else { Issue.record("\(String(describing: error))"); return }
        }
    }

    @Test("An album of the wrong shape is a decoding error")
    func decodingError() async {
        let stub = SessionStub(.json(#"{"a":{"id":"a","artist":"A"}}"#))
        let error = await AlbumsClient(baseURL: URL(filePath: "/albums"), session: stub.session).getAlbums().failure
        guard case .decodingError = error else { Issue.record("\(String(describing: error))"); return }
    }

    @Test("An album without lists has empty ones, as Firebase stores no empty arrays")
    func absentLists() throws {
        let json = #"{"id":"a","artist":"A","name":"N"}"#
        let album = try JSONDecoder().decode(Album.self, from: Data(json.utf8))
        #expect(album == Album(id: "a", artist: "A", name: "N"))
    }
}
