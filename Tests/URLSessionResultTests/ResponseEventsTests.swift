import Foundation
import Testing
import URLSessionResult

/// The server-sent events of a stream. `EventParserTests` has what an event is.
@Suite(.inTurn)
struct ResponseEventsTests {
    private let session = URLSession(configuration: .forTests)

    private func events(_ server: LoopbackServer) async throws -> ResponseBytes.Events {
        try await session.bytesResult(from: server.url()).get().body.events
    }

    /// Chat servers send an event for each word.
    @Test("Every event is there before the server sends the next one", arguments: ["\n", "\r", "\r\n"])
    func eventsInTime(end: String) async throws {
        let turns = Monitor(0)
        let server = try LoopbackServer { _, connection in
            try connection.sendHead(200, headers: ["Content-Type": "text/event-stream"], contentLength: nil)
            for index in 0..<3 {
                turns.wait { $0 == index }
                try connection.send("id: \(index)\(end)data: \(index)\(end)\(end)")
            }
            turns.wait { $0 == 3 }
            connection.close()
        }
        var received: [ServerSentEvent] = []
        for try await event in try await events(server) {
            received.append(event)
            turns.withLock { $0 += 1 }
        }
        #expect(received == (0..<3).map { ServerSentEvent(id: "\($0)", data: "\($0)") })
    }

    @Test("Events are the same wherever the network splits them")
    func splitEvents() async throws {
        let body = "\u{FEFF}: hi\r\nretry: 10\revent: ü\ndata: €\r\ndata:😀\r\n\r\ndata: last\n\ndata: unfinished"
        let server = try LoopbackServer(.drip("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"))
        var received: [ServerSentEvent] = []
        for try await event in try await events(server) { received.append(event) }
        #expect(received == [ServerSentEvent(name: "ü", data: "€\n😀", retry: 10), ServerSentEvent(data: "last")])
    }

    @Test("An event before an error is given, half an event is not")
    func lostConnection() async throws {
        let server = try LoopbackServer(.truncated("data: 1\n\ndata: 2\n", of: 100))
        var received: [String] = []
        let events = try await events(server)
        let error = await #expect(throws: NetworkError.self) {
            for try await event in events { received.append(event.data) }
        }
        #expect(error?.urlError?.code == .networkConnectionLost)
        #expect(received == ["1"])
    }

    @Test("Leaving the loop hangs up")
    func leaving() async throws {
        let server = try LoopbackServer(.stalled(after: "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\ndata: 1\n\n"))
        for try await event in try await events(server) {
            #expect(event.data == "1")
            break
        }
        try await server.connectionsClosed()
    }

    @Test("A model on the main actor takes events with a plain loop")
    @MainActor
    func mainActor() async throws {
        final class Model {
            var texts: [String] = []
        }
        let model = Model()
        let server = try LoopbackServer(.ok("data: a\n\ndata: b\n\n"))
        for try await event in try await events(server) { model.texts.append(event.data) }
        #expect(model.texts == ["a", "b"])
    }
}
