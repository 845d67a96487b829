import ExampleServer
import Foundation
import TestSupport
import Testing

@Suite("The file that albums are kept in", .serialized)
struct AlbumStoreTests {
    @Test("What one server is given, the next one has")
    func persistence() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "new/albums.json")
            try await ExampleServer.run(dataFile: file) { root async throws in
                _ = try await Answer(to: "PUT /albums/x.json", at: root, body: "{\"name\":\"N\"}")
            }
            try await ExampleServer.run(dataFile: file) { root async throws in
                #expect(try await Answer(to: "GET /albums/x.json", at: root).text == "{\"name\":\"N\"}")
            }
        }
    }

    @Test("Two servers that write to one file at the same time lose nothing")
    func concurrentWriters() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "albums.json")
            try await ExampleServer.run(dataFile: file) { first async throws in
                try await ExampleServer.run(dataFile: file) { second async throws in
                    try await withThrowingTaskGroup { group in
                        for number in 0..<100 {
                            let root = number.isMultiple(of: 2) ? first : second
                            let line = "PUT /albums/x\(number).json"
                            group.addTask { _ = try await Answer(to: line, at: root, body: "{\"n\":1}") }
                        }
                        try await group.waitForAll()
                    }
                    let text = try await Answer(to: "GET /albums.json", at: first).text
                    for number in 0..<100 { #expect(text.contains("\"x\(number)\":{\"n\":1}")) }
                }
            }
        }
    }

    @Test("A file that holds no JSON is answered 500 and left as it is")
    func damagedFile() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "albums.json")
            try Data("not JSON".utf8).write(to: file)
            try await ExampleServer.run(dataFile: file) { root async throws in
                #expect(try await Answer(to: "GET /albums.json", at: root).status == 500)
                #expect(try await Answer(to: "PUT /albums/x.json", at: root, body: "{}").status == 500)
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
