import Foundation
import TestSupport
import Testing

@Suite("get-albums and put-album", .serialized)
struct AlbumProgramsTests {
    @Test("get-albums prints an aligned table, and nothing but it")
    func table() async throws {
        try await withTemporaryFolder { folder in
            let outcome = try await Program.run("get-albums", "--data", folder.appending(path: "albums.json").path)
            #expect(outcome.exitCode == 0 && outcome.errors.isEmpty)
            #expect(
                outcome.output == """
                    Artist         Album               Year  Songs
                    John Coltrane  A Love Supreme      1965      4
                    Kraftwerk      Autobahn            1974      5
                    Björk          Homogenic           1997     10
                    Miles Davis    Kind of Blue        1959      5
                    Pink Floyd     Wish You Were Here  1975      5

                    """
            )
        }
    }

    @Test("get-albums --json prints what a program can read")
    func json() async throws {
        struct Album: Decodable { let artist: String }
        try await withTemporaryFolder { folder in
            let data = folder.appending(path: "albums.json").path
            let outcome = try await Program.run("get-albums", "--json", "--data", data)
            let albums = try JSONDecoder().decode([Album].self, from: Data(outcome.output.utf8))
            #expect(albums.map(\.artist) == ["John Coltrane", "Kraftwerk", "Björk", "Miles Davis", "Pink Floyd"])
        }
    }

    @Test("What put-album puts, get-albums lists")
    func putThenGet() async throws {
        try await withTemporaryFolder { folder in
            let data = folder.appending(path: "albums.json").path
            let put = try await Program.run(
                "put-album", "--id", "x", "--artist", "A", "--name", "N", "--year", "2001", "--genre", "Pop", "--data",
                data
            )
            #expect(put.exitCode == 0 && put.errors.isEmpty)
            #expect(put.output == "Put  x: A, N (2001, Pop)\nGot  x: A, N (2001, Pop)\n")

            let get = try await Program.run("get-albums", "--data", data)
            #expect(get.output.contains("\nA              N                   2001      0\n"))
        }
    }

    @Test("--url takes the base of a database, with a slash and without", arguments: ["", "/", "/albums"])
    func base(path: String) async throws {
        try await withExampleServer { root async throws in
            let outcome = try await Program.run("get-albums", "--url", root.absoluteString + path)
            #expect(outcome.exitCode == 0 && outcome.output.contains("Kind of Blue"))
        }
    }

    @Test("put-album says how to get the first albums back")
    func firstAlbums() async throws {
        let help = try await Program.run("put-album", "--help").output
        #expect(help.contains("remove it:") && help.contains("/albums.json"))
    }

    @Test("An empty database is a table without rows")
    func empty() async throws {
        try await withServer(answering: 200, "null") { root async throws in
            let outcome = try await Program.run("get-albums", "--url", root.absoluteString + "/albums")
            #expect(outcome.exitCode == 0)
            #expect(outcome.output == "Artist  Album  Year  Songs\n")
        }
    }

    @Test("put-album prints the reason that the database gives for an error")
    func databaseError() async throws {
        try await withExampleServer { root async throws in
            let outcome = try await Program.run(
                "put-album", "--id", "a.b", "--artist", "A", "--name", "N", "--url", root.absoluteString + "/albums"
            )
            #expect(outcome.exitCode == 1 && outcome.output.isEmpty)
            #expect(outcome.errors.hasPrefix("Error: The database rejected the request: An id has 1 to 768 bytes"))
        }
    }

    @Test("put-album fails if the album cannot be read back")
    func missing() async throws {
        try await withServer(answering: 200, "null") { root async throws in
            let outcome = try await Program.run(
                "put-album", "--id", "x", "--artist", "A", "--name", "N", "--url", root.absoluteString)
            #expect(outcome.exitCode == 1 && outcome.output == "Put  x: A, N\n")
            #expect(outcome.errors == "Error: The database accepted the album, but has none with the id x.\n")
        }
    }

    @Test("put-album says what is wrong with an empty id")
    func emptyID() async throws {
        let outcome = try await Program.run("put-album", "--id", "", "--artist", "A", "--name", "N")
        #expect(outcome.exitCode == 64 && outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("Error: --id must not be empty: it is the album's key in the database.\n"))
    }

    @Test("get-albums --url takes web addresses only", arguments: ["", "albums", "ftp://127.0.0.1", "http://"])
    func addresses(url: String) async throws {
        let outcome = try await Program.run("get-albums", "--url", url)
        #expect(outcome.exitCode == 64 && outcome.output.isEmpty)
    }
}
