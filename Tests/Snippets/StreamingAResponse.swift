import Foundation
import Observation
import Testing
import URLSessionResult
import URLSessionResultTesting

// snippet.row
nonisolated struct Row: Decodable, Identifiable {
    let id: Int
    let title: String
}
// snippet.end

// `Observable` came with iOS 17.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
// snippet.row-list
@MainActor @Observable
final class RowList {
    private(set) var rows: [Row] = []
    private(set) var isLoading = false
    private(set) var message: String?

    func load(from url: URL, with session: URLSession) async {
        rows = []
        message = nil
        isLoading = true
        defer { isLoading = false }
        do {
            let result = await session.bytesResult(from: url)
            try await show(result.get().body)
        } catch {
            guard !Task.isCancelled else { return }
            message = error.localizedDescription
        }
    }

    private func show(
        _ body: ResponseBytes
    ) async throws(NetworkError) {
        var batch: [Row] = []
        defer { rows += batch }
        let clock = ContinuousClock()
        var nextUpdate = clock.now
        let items = body.elements(.json(Row.self), at: "data.items")
        for try await row in items {
            batch.append(row)
            guard clock.now >= nextUpdate else { continue }
            rows += batch
            batch = []
            nextUpdate = clock.now + .milliseconds(100)
        }
    }
}
// snippet.end

/// Streaming a response.
struct StreamingAResponse {
    private let log = Log()

    private func session(answering body: String, statusCode: Int = 200) -> URLSession {
        SessionStub(.text(body, statusCode: statusCode)).session
    }

    @Test("An error response is judged before the first byte counts")
    func errorResponse() async throws {
        let url = try #require(URL(string: "https://albums.test/chat/error"))
        let session = session(answering: #"{"error": {"message": "No credit."}}"#, statusCode: 402)
        let log = log
        func print(_ text: String) { log.append(text) }

        // snippet.stream-errors
        switch await session.bytesResult(from: url) {
        case .success(let response):
            for try await chunk in response.body.chunks {
                print("\(chunk.count) bytes")
            }
        case .failure(.serverError(let statusCode, let response)):
            let reason = String(decoding: response.body, as: UTF8.self)
            print("status \(statusCode): \(reason)")
        case .failure(let error):
            print(error.localizedDescription)
        }
        // snippet.end
        #expect(log.texts == [#"status 402: {"error": {"message": "No credit."}}"#])
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Test("A list shows every row once, also those before an error, with its message")
    func rows() async throws {
        let rowsURL = try #require(URL(string: "https://albums.test/rows.json"))
        let rows = (0..<1000).map { #"{"id": \#($0), "title": "Row \#($0)"}"# }.joined(separator: ",")
        let document = #"{"data": {"count": 1000, "items": [\#(rows)"#
        let list = RowList()
        await list.load(from: rowsURL, with: session(answering: "\(document)]}}"))
        #expect(list.rows.map(\.id) == Array(0..<1000))
        #expect(list.message == nil && !list.isLoading)
        await list.load(from: rowsURL, with: session(answering: "\(document),]"))
        #expect(list.rows.map(\.title) == (0..<1000).map { "Row \($0)" })
        #expect(list.message?.contains("could not be read") == true && !list.isLoading)
    }

    @Test("Lines of JSON are decoded one by one")
    func ndjson() async throws {
        let albumsURL = try #require(URL(string: "https://albums.test/albums.ndjson"))
        let session = session(
            answering:
                """
                {"artist": "Joni Mitchell", "name": "Hejira", "year": 1976}

                {"artist": "Kraftwerk", "name": "Autobahn", "year": 1974}
                """)
        let log = log
        func print(_ text: String) { log.append(text) }

        // snippet.ndjson
        let albums = try await session.bytesResult(from: albumsURL).get()
        for try await album in albums.body.lines.values(.json(Album.self)) {
            print(album.name)
        }
        // snippet.end
        #expect(log.texts == ["Hejira", "Autobahn"])
    }

    @Test("Lines that are no albums can be left out")
    func skipping() async throws {
        let albumsURL = try #require(URL(string: "https://albums.test/albums.ndjson/some"))
        let session = session(
            answering:
                """
                {"artist": "Joni Mitchell", "name": "Hejira", "year": 1976}
                {"artist": "Arthur Verocai"}
                {"artist": "Kraftwerk", "name": "Autobahn", "year": 1974}
                """)
        let albums = try await session.bytesResult(from: albumsURL).get()
        let log = log
        @Sendable func print(_ text: String) { log.append(text) }

        // snippet.ndjson-skip
        func printAlbums(of body: ResponseBytes) async throws {
            let albums = body.lines.values(
                .json(Album.self),
                invalidElements: .skip { _, error in
                    print(error.description)
                })
            for try await album in albums { print(album.name) }
        }
        // snippet.end
        try await printAlbums(of: albums.body)
        #expect(
            log.texts == [
                "Hejira",
                "decodingError(line 2: name: expected a value, found none)",
                "Autobahn",
            ])
    }

    @Test("A body is collected up to a limit")
    func collect() async throws {
        let url = try #require(URL(string: "https://albums.test/page"))
        let session = session(answering: "a page")

        // snippet.collect
        let response = try await session.bytesResult(from: url).get()
        let page = try await response.body.collect(upTo: 1_000_000)
        // snippet.end
        #expect(page == Data("a page".utf8))
    }
}
