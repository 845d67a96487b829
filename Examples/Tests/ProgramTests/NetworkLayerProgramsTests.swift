import Foundation
import TestSupport
import Testing

@Suite("The programs that talk to other APIs, offline", .serialized)
struct NetworkLayerProgramsTests {
    @Test(
        "Each prints what it got, and nothing on standard error",
        arguments: [
            (
                "search-songs zeca vad",
                """
                Song        Artist
                Vai Vadiar  Zeca Pagodinho

                """
            ),
            ("find-songs zeca vad", "Zeca Pagodinho: Vai Vadiar\n"),
            ("search-songs xyzzy", "No songs found.\n"),
            ("find-songs xyzzy", "No songs found.\n"),
            ("search-songs --create Verdade Pagodinho --token t", "Created Verdade by Pagodinho\n"),
            (
                "top-movies --id 389",
                """
                12 Angry Men (1957, 97 minutes)
                8.5 out of 10 by 9100 votes
                One juror is not sure, and eleven others want to go home.

                """
            ),
            (
                "fetch-post 2",
                """
                one result (post 2 by user 1)

                Either there is what was asked for, or there is a reason why not.
                The switch has two cases, and the compiler knows both.

                """
            ),
            ("echo-value Ünï", "Ünï\n"),
        ]
    )
    func output(line: String, output: String) async throws {
        let outcome = try await run(line)
        #expect(outcome.exitCode == 0 && outcome.errors.isEmpty)
        #expect(outcome.output == output)
    }

    @Test("top-movies prints an aligned table")
    func topMovies() async throws {
        let lines = try await run("top-movies").output.split(separator: "\n")
        #expect(lines.first == "    Id  Title                     Year  Rating  Votes")
        #expect(lines.last == "   598  City of God               2002     8.4   7600")
        #expect(lines.count == 8)
    }

    @Test("--json prints what a program can read", arguments: ["search-songs --json miles", "top-movies --json"])
    func jsonList(line: String) async throws {
        let outcome = try await run(line)
        let list = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]]
        #expect(outcome.exitCode == 0 && list?.isEmpty == false)
    }

    @Test(
        "An error that the API explains is explained to the person",
        arguments: [
            ("search-songs --create N A", "status 401 (unauthorized). Pass a token with --token."),
            ("top-movies --id 1", "There is no movie with this id."),
            ("echo-value ", "The service answered with error 422: The body has no value to echo."),
        ]
    )
    func explained(line: String, explanation: String) async throws {
        let outcome = try await run(line)
        #expect(outcome.exitCode == 1 && outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("Error: ") && outcome.errors.hasSuffix(explanation + "\n"))
    }

    @Test("An envelope with an error in it is that error, also with status 200", arguments: [200, 429])
    func envelope(status: Int) async throws {
        let body = #"{"error": {"code": 7, "message": "Come back tomorrow."}}"#
        try await withServer(answering: status, body) { root async throws in
            let outcome = try await Program.run("echo-value", "x", "--url", root.absoluteString)
            #expect(outcome.exitCode == 1)
            #expect(outcome.errors == "Error: The service answered with error 7: Come back tomorrow.\n")
        }
    }

    @Test("stream-events prints every song of a stream, and an error after the songs that came")
    func streamedEvents() async throws {
        try await withExampleServer { root async throws in
            let outcome = try await Program.run("stream-events", "--url", "\(root)/now-playing?interval=0")
            #expect(outcome.exitCode == 0 && outcome.errors.isEmpty)
            #expect(outcome.output.hasPrefix("Zeca Pagodinho: Deixa a Vida Me Levar\n"))
            #expect(outcome.output.split(separator: "\n").count == 13)
        }
        let events = "event: song\ndata: {\"trackName\": \"T\", \"artistName\": \"A\"}\n\nevent: song\ndata: {\n\n"
        try await withServer(answering: 200, events) { root async throws in
            let outcome = try await Program.run("stream-events", "--url", root.absoluteString)
            #expect(outcome.exitCode == 1 && outcome.output == "A: T\n")
            #expect(outcome.errors.hasPrefix("Error: "))
        }
    }

    @Test("stream-events says that there was no song, as show-rows does", arguments: [": ping\n\n", "data: news\n\n"])
    func noSongs(body: String) async throws {
        try await withServer(answering: 200, body) { root async throws in
            let outcome = try await Program.run("stream-events", "--url", root.absoluteString)
            #expect(outcome.exitCode == 0 && outcome.output == "No songs found.\n" && outcome.errors.isEmpty)
        }
    }

    @Test("A body that is no event stream is an error of stream-events")
    func noEvents() async throws {
        try await withServer(answering: 200, #"{"error": "no radio"}"#) { root async throws in
            let outcome = try await Program.run("stream-events", "--url", root.absoluteString)
            #expect(outcome.exitCode == 1 && outcome.output.isEmpty)
            #expect(outcome.errors.hasPrefix("Error: ") && outcome.errors.split(separator: "\n").count == 1)
        }
    }

    @Test("stream-events takes the base of the server, and refuses a limit below 1")
    func limit() async throws {
        try await withExampleServer { root async throws in
            let outcome = try await Program.run("stream-events", "--limit", "1", "--url", root.absoluteString)
            #expect(outcome.exitCode == 0 && outcome.output == "Zeca Pagodinho: Deixa a Vida Me Levar\n")
        }
        let outcome = try await Program.run("stream-events", "--limit", "0")
        #expect(outcome.exitCode == 64 && outcome.errors.hasPrefix("Error: --limit must be at least 1.\n"))
    }

    @Test("show-rows prints every row of a document, with two times, and an error after the rows that came")
    func rows() async throws {
        try await withExampleServer { root async throws in
            let outcome = try await Program.run("show-rows", "--url", "\(root)/slow-songs?interval=0")
            #expect(outcome.exitCode == 0 && outcome.output.split(separator: "\n").count == 13)
            #expect(outcome.output.hasPrefix("Zeca Pagodinho: Deixa a Vida Me Levar\nZeca Pagodinho: Verdade\n"))
            let times = /First row after [0-9.]+ seconds?, last row after [0-9.]+ seconds?\.\n/
            #expect(outcome.errors.wholeMatch(of: times) != nil, "\(outcome.errors)")
        }
        let half = #"{"results":[{"trackName":"T","artistName":"A"},{"trackName":"#
        try await withServer(answering: 200, half) { root async throws in
            let outcome = try await Program.run("show-rows", "--url", root.absoluteString)
            #expect(outcome.exitCode == 1 && outcome.output == "A: T\n")
            #expect(outcome.errors.hasPrefix("Error: "))
        }
        try await withServer(answering: 200, #"{"results":[]}"#) { root async throws in
            let outcome = try await Program.run("show-rows", "--url", root.absoluteString)
            #expect(outcome.exitCode == 0 && outcome.output == "No songs found.\n")
        }
    }

    @Test("show-rows prints a row before the server sends the last one, and stops after the last wanted one")
    func firstRow() async throws {
        try await withExampleServer { root async throws in
            // The second row would take a minute.
            let url = "\(root)/slow-songs?interval=60"
            let outcome = try await Program.run("show-rows", "--limit", "1", "--url", url)
            #expect(outcome.exitCode == 0 && outcome.output == "Zeca Pagodinho: Deixa a Vida Me Levar\n")
        }
        let outcome = try await Program.run("show-rows", "--limit", "0")
        #expect(outcome.exitCode == 64 && outcome.errors.hasPrefix("Error: --limit must be at least 1.\n"))
    }

    @Test("After too many searches, the program says when to try again")
    func retryAfter() async throws {
        try await withServer(answering: 429, headers: ["Retry-After": "30"]) { root async throws in
            let outcome = try await Program.run("search-songs", "x", "--url", root.absoluteString)
            #expect(outcome.exitCode == 1 && outcome.errors.hasSuffix("Try again in 30 seconds.\n"))
        }
    }

    @Test(
        "What cannot be made sense of on the command line is exit code 64",
        arguments: ["", " x --create N A", " --create N"])
    func usage(arguments: String) async throws {
        #expect(try await run("search-songs" + arguments).exitCode == 64)
    }

    @Test("Without any word, both programs say it as shortly", arguments: ["find-songs", "search-songs"])
    func noWords(program: String) async throws {
        let outcome = try await Program.run(program, [])
        #expect(outcome.exitCode == 64 && outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("Error: ") && !outcome.errors.contains("OVERVIEW"))
        #expect(outcome.errors.split(separator: "\n").count <= 4)
    }

    @Test(
        "A search without a word is exit code 64, and the program says what to pass",
        arguments: ["find-songs", "search-songs"], ["", " "])
    func emptyTerm(program: String, term: String) async throws {
        let outcome = try await Program.run(program, term)
        #expect(outcome.exitCode == 64 && outcome.output.isEmpty)
        let advice = "There is nothing to search for. Pass a word, as in: \(program) miles"
        #expect(outcome.errors.hasPrefix("Error: \(advice)\n"))
    }

    /// Runs a program with the words of a line; a space at its end is an empty word.
    private func run(_ line: String) async throws -> Program.Outcome {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        return try await Program.run(words[0], Array(words.dropFirst()))
    }
}
