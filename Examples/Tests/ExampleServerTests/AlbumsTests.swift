import Foundation
import TestSupport
import Testing

@Suite("Albums on the server", .serialized)
struct AlbumsTests {
    @Test("The server starts with a handful of albums, in the order of their names", arguments: ["albums", "albums/"])
    func seed(name: String) async throws {
        try await withExampleServer { root async throws in
            let answer = try await Answer(to: "GET /\(name).json", at: root)
            #expect(answer.status == 200 && answer.header("Content-Type") == "application/json")
            #expect(answer.text.hasPrefix(#"{"a-love-supreme":{"artist":"John Coltrane","#))
        }
    }

    @Test("What is put comes back, at its own address and in the collection")
    func put() async throws {
        let album = #"{"artist":"A","id":"x y","name":"N","songs":[{"duration":61.5,"id":"1","title":"Ünï"}]}"#
        try await withExampleServer { root async throws in
            #expect(try await Answer(to: "PUT /albums/x%20y.json", at: root, body: album).text == album)
            #expect(try await Answer(to: "GET /albums/x%20y.json", at: root).text == album)
            #expect(try await Answer(to: "GET /albums.json", at: root).text.hasSuffix(#","x y":\#(album)}"#))
        }
    }

    @Test("An album that is not there is null")
    func absent() async throws {
        try await withExampleServer { root async throws in
            let answer = try await Answer(to: "GET /albums/x.json", at: root)
            #expect(answer.status == 200 && answer.text == "null")
        }
    }

    @Test(
        "Ids that are too long or have odd characters are answered 400",
        arguments: [
            "a.b", "a%24b", "a%23b", "a%5Bb", "a%5Db", "a%2Fb", "a/b", "a%00b", "a%0Ab", "a%7Fb",
            String(repeating: "a", count: 769),
        ])
    func invalidIDs(id: String) async throws {
        try await withExampleServer { root async throws in
            for line in ["GET /albums/\(id).json", "PUT /albums/\(id).json"] {
                let answer = try await Answer(to: line, at: root)
                #expect(answer.status == 400)
                #expect(answer.text.hasPrefix(#"{"error":"An id has 1 to 768 bytes"#))
            }
        }
    }

    @Test("A cover is a PNG")
    func cover() async throws {
        try await withExampleServer { root async throws in
            let answer = try await Answer(to: "GET /covers/homogenic.png", at: root)
            #expect(answer.header("Content-Type") == "image/png" && answer.data.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        }
    }

    @Test("Anything else is answered 404", arguments: ["GET /", "GET /nothing", "GET /albums", "POST /albums.json"])
    func nothing(line: String) async throws {
        try await withExampleServer { root async throws in
            #expect(try await Answer(to: line, at: root).status == 404)
        }
    }
}
