import AlbumsClient
import Foundation
import TestSupport
import Testing
import URLSessionResultClient
import URLSessionResultTesting

@Suite("Albums, by handlers and by endpoints", .serialized)
struct AlbumsClientTests {
    private let album = Album(
        id: "x y", artist: "A", name: "N", year: 2001, genres: ["Pop"], coverArtURLs: [],
        songs: [Album.Song(id: "1", title: "Ünï", duration: 61.5)]
    )

    @Test("All albums come in the order of the database", arguments: Style.allCases)
    func getAlbums(style: Style) async throws {
        try await withAlbums { base async throws in
            let names = try await StyledClient(style, baseURL: base).getAlbums().get().map(\.id)
            #expect(names == ["a-love-supreme", "autobahn", "homogenic", "kind-of-blue", "wish-you-were-here"])
        }
    }

    @Test(
        "For handlers, the collection is <base>.json, the root of a database /.json, and a query stays",
        arguments: [
            ("", "/.json"), ("/", "/.json"), ("/albums", "/albums.json"), ("/albums/", "/albums/.json"),
            ("/albums?auth=t", "/albums.json?auth=t"),
        ]
    )
    func handlerAddress(base: String, target: String) async throws {
        try await expectAddress(.handlers, base: base, target: target)
    }

    @Test(
        "As an endpoint, the collection is <base>/.json, and a query stays",
        arguments: [
            ("", "/.json"), ("/", "/.json"), ("/albums", "/albums/.json"), ("/albums?auth=t", "/albums/.json?auth=t"),
        ]
    )
    func endpointAddress(base: String, target: String) async throws {
        try await expectAddress(.endpoints, base: base, target: target)
    }

    private func expectAddress(_ style: Style, base: String, target: String) async throws {
        let stub = SessionStub(.json("{}"))
        let baseURL = try #require(URL(string: "https://albums.test\(base)"))
        _ = try await StyledClient(style, baseURL: baseURL, session: stub.session).getAlbums().get()
        #expect(stub.requests.map(\.url?.absoluteString) == ["https://albums.test\(target)"])
    }

    @Test("An album that was put comes back equal", arguments: Style.allCases)
    func putAndGet(style: Style) async throws {
        try await withAlbums { [album] base async throws in
            try await StyledClient(style, baseURL: base).putAlbum(album).get()
            #expect(try await APIClient(baseURL: base).result(for: .album("x y")).get() == album)
        }
    }

    @Test("An album that is not there is nil")
    func absent() async throws {
        try await withAlbums { base async throws in
            #expect(try await APIClient(baseURL: base).result(for: .album("nothing")).get() == nil)
        }
    }

    @Test("A cover is the bytes of a picture, also at a relative address")
    func cover() async throws {
        try await withAlbums { base async throws in
            let client = APIClient(baseURL: base)
            let url = try #require(try await client.result(for: .album("homogenic")).get()?.coverArtURLs.first)
            #expect(try await client.result(for: .cover(at: url)).get().prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
        }
    }

    @Test("An error of the database is a server error with its reason", arguments: Style.allCases)
    func databaseError(style: Style) async throws {
        try await withAlbums { base async throws in
            let album = Album(id: "a.b", artist: "A", name: "N")
            let error = try #require(await StyledClient(style, baseURL: base).putAlbum(album).failure)
            #expect(error.statusCode == 400)
            #expect(error.body(with: .json(DatabaseError.self))?.error.hasPrefix("An id has") == true)
        }
    }

    @Test("An album that cannot be encoded is an encoding error", arguments: Style.allCases)
    func encodingError(style: Style) async throws {
        let song = Album.Song(id: "1", title: "T", duration: .infinity)
        try await withAlbums { base async throws in
            let album = Album(id: "x", artist: "A", name: "N", songs: [song])
            let error = await StyledClient(style, baseURL: base).putAlbum(album).failure
            guard case .encodingError = error else { Issue.record("\(String(describing: error))"); return }
        }
    }

    @Test("An album of the wrong shape is a decoding error", arguments: Style.allCases)
    func decodingError(style: Style) async {
        let stub = SessionStub(.json(#"{"a":{"id":"a","artist":"A"}}"#))
        let client = StyledClient(style, baseURL: URL(filePath: "/albums"), session: stub.session)
        let error = await client.getAlbums().failure
        guard case .decodingError = error else { Issue.record("\(String(describing: error))"); return }
    }

    @Test("An album without lists has empty ones, as Firebase stores no empty arrays")
    func absentLists() throws {
        let json = #"{"id":"a","artist":"A","name":"N"}"#
        let album = try JSONDecoder().decode(Album.self, from: Data(json.utf8))
        #expect(album == Album(id: "a", artist: "A", name: "N"))
    }
}
