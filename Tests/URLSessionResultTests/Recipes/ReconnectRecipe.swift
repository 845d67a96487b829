import Foundation
import Testing
import URLSessionResult

// snippet.event-source
/// Follows the events at a URL, and connects again when they end.
nonisolated struct EventSource: Sendable {
    let session: URLSession
    let url: URL
    var sleep: @Sendable (_ milliseconds: Int) async throws -> Void = {
        try await Task.sleep(nanoseconds: UInt64($0) * 1_000_000)
    }

    /// Returns when the server has no more events, which it says with
    /// 204. Throws an error that stays, also a cancellation.
    func follow(
        _ handle: @Sendable (ServerSentEvent) async -> Void
    ) async throws {
        // A stream may be silent for longer than a minute.
        var request = URLRequest(
            url: url, cachePolicy: .reloadIgnoringLocalCacheData,
            timeoutInterval: 300)
        request.setValue(
            "text/event-stream", forHTTPHeaderField: "Accept")
        var wait = 3_000
        while true {
            do {
                let response = try await session.bytesResult(
                    for: request, accepting: [200, 204]
                ).get()
                if response.statusCode == 204 { return }
                try check(response.urlResponse.mimeType)
                var hasID = false
                for try await event in response.body.events {
                    // Without an ID, the last one stays. An empty one
                    // after another on this connection removes it.
                    if !event.id.isEmpty || hasID {
                        let id = event.id.isEmpty ? nil : event.id
                        request.setValue(
                            id, forHTTPHeaderField: "Last-Event-ID")
                        hasID = true
                    }
                    wait = max(100, min(event.retry ?? wait, 60_000))
                    await handle(event)
                }
            } catch {
                guard error.mayBeTemporary else { throw error }
            }
            try await sleep(wait)
        }
    }

    /// A page that asks for a password is no event stream, for example.
    private func check(_ type: String?) throws(NetworkError) {
        guard type == "text/event-stream" else {
            throw .transportError(URLError(.cannotParseResponse))
        }
    }
}
// snippet.end

// snippet.event-source-call
@MainActor
final class NowPlaying {
    private(set) var songs: [String] = []

    func follow(_ url: URL, in session: URLSession) async throws {
        let source = EventSource(session: session, url: url)
        try await source.follow { @MainActor event in
            self.songs.append(event.data)
        }
    }
}
// snippet.end

@Suite("Recipe: connecting again", .inTurn)
struct ReconnectRecipe {
    private let waits = Monitor<[Int]>([])

    private let eventStream: KeyValuePairs = ["Content-Type": "text/event-stream"]

    private func source(_ server: LoopbackServer) -> EventSource {
        let waits = waits
        return EventSource(session: URLSession(configuration: .forTests), url: server.url()) { wait in
            waits.withLock { $0.append(wait) }
            try Task.checkCancellation()
        }
    }

    @Test("The next request says what came last, and waits as the server wants, until a 204")
    func reconnects() async throws {
        let requests = Monitor(0)
        let server = try LoopbackServer { [eventStream] _, connection in
            let number = requests.withLock { number in
                number += 1
                return number
            }
            switch number {
            case 1:
                try connection.respond(
                    headers: eventStream,
                    body: "data: a\n\nid: 1\nretry: 200\ndata: b\n\ndata: unfinished")
            case 2:
                try connection.sendHead(200, headers: eventStream, contentLength: 9)
                connection.close()
            case 3:
                try connection.sendHead(200, headers: eventStream, contentLength: 100)
                try connection.send("data: c\n\n")
                connection.close()
            case 4:
                try connection.respond(
                    headers: ["Content-Type": "text/event-stream; charset=utf-8"],
                    body: "id: 2\ndata: d\n\nid:\nretry: 99999999999\ndata: e\n\n")
            case 5:
                try connection.respond(headers: eventStream, body: "retry: 0\ndata: f\n\n")
            default: try connection.respond(204)
            }
        }
        let received = Monitor<[String]>([])
        try await source(server).follow { event in received.withLock { $0.append(event.data) } }
        #expect(received.value == ["a", "b", "c", "d", "e", "f"])
        #expect(server.requests.map { $0.header("Last-Event-ID") } == [nil, "1", "1", "1", nil, nil])
        #expect(server.requests.first?.header("Accept") == "text/event-stream")
        #expect(waits.value == [200, 200, 200, 60_000, 100])
    }

    @MainActor
    @Test("A model on the main actor gets the events of all connections")
    func model() async throws {
        let requests = Monitor(0)
        let server = try LoopbackServer { [eventStream] _, connection in
            let number = requests.withLock { number in
                number += 1
                return number
            }
            if number == 3 {
                try connection.respond(204)
            } else {
                try connection.respond(headers: eventStream, body: "retry: 0\ndata: \(number)\n\n")
            }
        }
        let model = NowPlaying()
        try await model.follow(server.url(), in: URLSession(configuration: .forTests))
        #expect(model.songs == ["1", "2"])
    }

    @Test("A server that refuses is not asked again")
    func refused() async throws {
        let server = try LoopbackServer(.status(401))
        let error = await #expect(throws: NetworkError.self) { try await source(server).follow { _ in } }
        #expect(error?.statusCode == 401)
        #expect(server.requests.count == 1)
    }

    @Test("A page that is no event stream is an error, and not asked for again")
    func otherType() async throws {
        let server = try LoopbackServer(.ok("Sign in", headers: ["Content-Type": "text/html"]))
        let error = await #expect(throws: NetworkError.self) { try await source(server).follow { _ in } }
        #expect(error?.urlError?.code == .cannotParseResponse)
        #expect(server.requests.count == 1)
    }

    @Test("An error that stays is thrown", arguments: ["unknown://host/", "http:///"])
    func hopeless(_ address: String) async throws {
        let source = EventSource(session: .shared, url: try #require(URL(string: address))) { _ in
            throw CancellationError()
        }
        await #expect(throws: NetworkError.self) { try await source.follow { _ in } }
    }

    @Test("Cancelling the Swift task ends it")
    func cancelled() async throws {
        let server = try LoopbackServer(
            .stalled(after: "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 99\r\n\r\n"))
        let source = source(server)
        let running = Task { try await source.follow { _ in } }
        try await server.requests(atLeast: 1)
        running.cancel()
        let error = await #expect(throws: NetworkError.self) { try await running.value }
        #expect(error?.isCancelled == true)
        #expect(waits.value.isEmpty)
    }
}
