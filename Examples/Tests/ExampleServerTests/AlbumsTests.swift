import ExampleServer
import Foundation
import TestSupport
import Testing

@Suite("Albums on the server", .serialized)
struct AlbumsTests {
    @Test("The server starts with a handful of albums, in the order of their names", arguments: ["albums", "albums/"])
    func seed(name: String) async throws {
        try await withExampleServer { root async throws in
            let answer = try await Answer(to: "GET /\(name).json", at: root)
            #expect(answer.status == 200)
            #expect(answer.header("Content-Type") == "application/json; charset=utf-8")
            #expect(answer.text.hasPrefix(#"{"a-love-supreme":{"artist":"John Coltrane","#))
        }
    }

    @Test("What is put comes back, at its own address and in the collection")
    func put() async throws {
        let album = #"{"artist":"A","name":"N","songs":[{"id":"1","title":"Ünï"}]}"#
        try await withExampleServer { root async throws in
            #expect(try await Answer(to: "PUT /albums/x%20y.json", at: root, body: album).text == album)
            #expect(try await Answer(to: "GET /albums/x%20y.json", at: root).text == album)
            #expect(try await Answer(to: "GET /albums.json", at: root).text.hasSuffix(#","x y":\#(album)}"#))
        }
    }

    @Test("PATCH changes the members it names, null takes one away, the others stay")
    func patch() async throws {
        try await withExampleServer { root async throws in
            let album = "/albums/x.json"
            _ = try await Answer(to: "PUT \(album)", at: root, body: #"{"a":1,"b":2,"c":3}"#)
            let changes = #"{"b":20,"c":null,"d":4}"#
            #expect(try await Answer(to: "PATCH \(album)", at: root, body: changes).text == changes)
            #expect(try await Answer(to: "GET \(album)", at: root).text == #"{"a":1,"b":20,"d":4}"#)
            #expect(try await Answer(to: "PATCH \(album)", at: root, body: "[1]").status == 400)
        }
    }

    @Test("What is deleted is null afterwards, and deleting it again is no error")
    func delete() async throws {
        try await withExampleServer { root async throws in
            let album = "/albums/autobahn.json"
            #expect(try await Answer(to: "GET \(album)", at: root).text.contains("Kraftwerk"))
            for _ in 1...2 {
                let answer = try await Answer(to: "DELETE \(album)", at: root)
                #expect(answer.status == 200 && answer.text == "null")
            }
            #expect(try await Answer(to: "GET \(album)", at: root).text == "null")
        }
    }

    @Test("POST gives the id that it stored the album under")
    func post() async throws {
        struct Created: Decodable { let name: String }
        try await withExampleServer { root async throws in
            let answer = try await Answer(to: "POST /albums.json", at: root, body: #"{"name":"N"}"#)
            let id = try JSONDecoder().decode(Created.self, from: Data(answer.text.utf8)).name
            #expect(try await Answer(to: "GET /albums/\(id).json", at: root).text == #"{"name":"N"}"#)
        }
    }

    @Test("print=silent does the same and answers 204", arguments: ["GET", "PUT", "PATCH", "DELETE"])
    func silent(method: String) async throws {
        try await withExampleServer { root async throws in
            let body = method == "PUT" || method == "PATCH" ? #"{"name":"N"}"# : nil
            let answer = try await Answer(to: "\(method) /albums/x.json?print=silent", at: root, body: body)
            #expect(answer.status == 204 && answer.text.isEmpty)
            #expect(try await Answer(to: "GET /albums/x.json", at: root).text == body ?? "null")
        }
    }

    @Test("Malformed JSON is answered 400 and changes nothing", arguments: ["PUT", "PATCH"])
    func malformed(method: String) async throws {
        try await withExampleServer { root async throws in
            let album = "/albums/autobahn.json"
            let before = try await Answer(to: "GET \(album)", at: root).text
            let answer = try await Answer(to: "\(method) \(album)", at: root, body: #"{"name":"#)
            #expect(answer.status == 400)
            #expect(answer.text == #"{"error":"The body is not JSON."}"#)
            #expect(try await Answer(to: "GET \(album)", at: root).text == before)
        }
    }

    @Test("An album may nest 32 deep and no deeper", arguments: [(32, 200), (33, 400), (512, 400)])
    func nesting(depth: Int, status: Int) async throws {
        try await withExampleServer { root async throws in
            let album = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            #expect(try await Answer(to: "PUT /albums/x.json", at: root, body: album).status == status)
            #expect(try await Answer(to: "GET /albums.json", at: root).text.contains(album) == (status == 200))
        }
    }

    @Test(
        "Ids with odd characters are answered 400",
        arguments: ["a.b", "a%24b", "a%23b", "a%5Bb", "a%5Db", "a%2Fb", "a/b", "a%00b", "a%0Ab", "a%7Fb", "%FF"]
    )
    func oddIDs(id: String) async throws {
        try await withExampleServer { root async throws in
            let answer = try await Answer(to: "PUT /albums/\(id).json", at: root, body: "{}")
            #expect(answer.status == 400)
            #expect(answer.text.hasPrefix(#"{"error":"An id has 1 to 768 bytes"#))
        }
    }

    @Test("Other methods are answered 405 with the methods that are allowed")
    func methods() async throws {
        try await withExampleServer { root async throws in
            let collection = try await Answer(to: "DELETE /albums.json", at: root)
            #expect(collection.status == 405 && collection.header("Allow") == "GET, POST")
            let album = try await Answer(to: "POST /albums/x.json", at: root, body: "{}")
            #expect(album.status == 405 && album.header("Allow") == "GET, PUT, PATCH, DELETE")
        }
    }

    @Test("Anything else is answered 404", arguments: ["/", "/nothing", "/albums", "/albums/x"])
    func nothing(path: String) async throws {
        try await withExampleServer { root async throws in
            let answer = try await Answer(to: "GET \(path)", at: root)
            #expect(answer.status == 404 && answer.text.hasPrefix(#"{"error":"#))
        }
    }
}
