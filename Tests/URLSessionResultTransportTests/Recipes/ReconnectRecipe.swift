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
        var lastEventID = ""
        var wait = 3_000
        while true {
            do {
                let response = try await session.bytesResult(
                    for: request(after: lastEventID),
                    accepting: [200, 204]
                ).get()
                if response.statusCode == 204 { return }
                try check(response.header("Content-Type"))
                var events = response.body.events(
                    lastEventID: lastEventID
                ).makeAsyncIterator()
                defer {
                    // Also from a block without data.
                    lastEventID = events.lastEventID
                    wait = max(100, min(events.retry ?? wait, 60_000))
                }
                while let event = try await events.next() {
                    await handle(event)
                }
            } catch {
                guard error.mayBeTemporary else { throw error }
            }
            try await sleep(wait)
        }
    }

    private func request(after lastEventID: String) -> URLRequest {
        // A stream may be silent for longer than a minute.
        var request = URLRequest(
            url: url, cachePolicy: .reloadIgnoringLocalCacheData,
            timeoutInterval: 300)
        request.setValue(
            "text/event-stream", forHTTPHeaderField: "Accept")
        request.setValue(
            "no-cache", forHTTPHeaderField: "Cache-Control")
        if !lastEventID.isEmpty {
            request.setValue(
                lastEventID, forHTTPHeaderField: "Last-Event-ID")
        }
        return request
    }

    /// A page that asks for a password is no event stream, for example.
    private func check(_ contentType: String?) throws(NetworkError) {
        let type = contentType?.prefix { $0 != ";" }
            .trimmingCharacters(in: .whitespaces).lowercased()
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
                    headers: ["Content-Type": " Text/Event-Stream ; charset=utf-8"],
                    body: "id: 2\ndata: d\n\nid:\nretry: 99999999999\ndata: e\n\n")
            case 5:
                try connection.respond(headers: eventStream, body: "retry: 0\ndata: f\n\n")
            // Without data.
            case 6:
                try connection.respond(headers: eventStream, body: "id: 3\n\nretry: 300\n\nid: unfinished\n")
            case 7:
                try connection.sendHead(200, headers: eventStream, contentLength: 100)
                try connection.send("id:\nretry: 400\n\n")
                connection.close()
            case 8:
                try connection.respond(headers: eventStream, body: "")
            default: try connection.respond(204)
            }
        }
        let received = Monitor<[ServerSentEvent]>([])
        try await source(server).follow { event in received.withLock { $0.append(event) } }
        #expect(received.value.map(\.data) == ["a", "b", "c", "d", "e", "f"])
        #expect(received.value.map(\.id) == ["", "1", "1", "2", "", ""])
        #expect(
            server.requests.map { $0.header("Last-Event-ID") } == [nil, "1", "1", "1", nil, nil, "3", nil, nil])
        #expect(server.requests.allSatisfy { $0.header("Accept") == "text/event-stream" })
        #expect(server.requests.allSatisfy { $0.header("Cache-Control") == "no-cache" })
        #expect(waits.value == [200, 200, 200, 60_000, 100, 300, 400, 400])
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

    @Test("An HTTP/2 connection that its server ends is one to repeat")
    func ended() {
        let error = URLError(
            .unknown, userInfo: [NSLocalizedDescriptionKey: "Error in the HTTP2 framing layer"])
        #if os(Linux)
        #expect(NetworkError.transportError(error).mayBeTemporary)
        #endif
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
