import ExampleServer
import Foundation
import TestSupport
import Testing

@Suite("The file that albums are kept in", .serialized)
struct AlbumStoreTests {
    private static let album = #"{"artist":"A","id":"x","name":"N"}"#

    @Test("What one server is given, the next one has")
    func persistence() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "new/albums.json")
            try await ExampleServer.run(dataFile: file) { root async throws in
                _ = try await Answer(to: "PUT /albums/x.json", at: root, body: Self.album)
            }
            try await ExampleServer.run(dataFile: file) { root async throws in
                #expect(try await Answer(to: "GET /albums/x.json", at: root).text == Self.album)
            }
        }
    }

    @Test("A file that holds no JSON is answered 500 with a reason, and left as it is")
    func damagedFile() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "albums.json")
            try Data("not JSON".utf8).write(to: file)
            try await ExampleServer.run(dataFile: file) { root async throws in
                for line in ["GET /albums.json", "PUT /albums/x.json"] {
                    let answer = try await Answer(to: line, at: root, body: line.hasPrefix("PUT") ? Self.album : nil)
                    #expect(answer.status == 500 && answer.text.hasPrefix(#"{"error":"#))
                }
            }
            #expect(try String(contentsOf: file, encoding: .utf8) == "not JSON")
        }
    }

    @Test("A port that is taken is an error, at once")
    func takenPort() async throws {
        try await withExampleServer { root async throws in
            let port = try UInt16(#require(root.port))
            await #expect(throws: (any Error).self) { try await ExampleServer.run(port: port) { _ in } }
        }
    }
}
