import Foundation
import Testing
import URLSessionResult

// snippet.event-source
/// Follows the events at a URL, and connects again when they end.
struct EventSource: Sendable {
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
        var request = URLRequest(url: url)
        request.setValue(
            "text/event-stream", forHTTPHeaderField: "Accept")
        var wait = 3_000
        while true {
            do {
                let response = try await session.bytesResult(
                    for: request, accepting: [200, 204]
                ).get()
                if response.statusCode == 204 { return }
                for try await event in response.body.events {
                    let id = event.id.isEmpty ? nil : event.id
                    request.setValue(
                        id, forHTTPHeaderField: "Last-Event-ID")
                    wait = min(event.retry ?? wait, 60_000)
                    await handle(event)
                }
            } catch {
                guard error.mayBeTemporary else { throw error }
            }
            try await sleep(wait)
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
        let server = try LoopbackServer { request, connection in
            let number = requests.withLock { number in
                number += 1
                return number
            }
            switch number {
            case 1: try connection.respond(body: "data: a\n\nid: 1\nretry: 10\ndata: b\n\ndata: unfinished")
            case 2: try connection.respond(with: .truncated("", of: 9), to: request)
            case 3:
                try connection.sendHead(200, contentLength: 100)
                try connection.send("data: c\n\n")
                connection.close()
            case 4: try connection.respond(body: "id:\nretry: 99999999999\ndata: d\n\n")
            default: try connection.respond(204)
            }
        }
        let received = Monitor<[String]>([])
        try await source(server).follow { event in received.withLock { $0.append(event.data) } }
        #expect(received.value == ["a", "b", "c", "d"])
        #expect(server.requests.map { $0.header("Last-Event-ID") } == [nil, "1", "1", nil, nil])
        #expect(server.requests.first?.header("Accept") == "text/event-stream")
        #expect(waits.value == [10, 10, 10, 60_000])
    }

    @MainActor
    @Test("A model on the main actor gets the events of all connections")
    func model() async throws {
        let requests = Monitor(0)
        let server = try LoopbackServer { _, connection in
            let number = requests.withLock { number in
                number += 1
                return number
            }
            try number == 3 ? connection.respond(204) : connection.respond(body: "retry: 0\ndata: \(number)\n\n")
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

    @Test("An error that stays is thrown", arguments: ["unknown://host/", "http:///"])
    func hopeless(_ address: String) async throws {
        let source = EventSource(session: .shared, url: try #require(URL(string: address))) { _ in
            throw CancellationError()
        }
        await #expect(throws: NetworkError.self) { try await source.follow { _ in } }
    }

    @Test("Cancelling the Swift task ends it")
    func cancelled() async throws {
        let server = try LoopbackServer(.stalled(after: "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n"))
        let source = source(server)
        let running = Task { try await source.follow { _ in } }
        try await server.requests(atLeast: 1)
        running.cancel()
        let error = await #expect(throws: NetworkError.self) { try await running.value }
        #expect(error?.isCancelled == true)
        #expect(waits.value.isEmpty)
    }
}
