import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// The server-sent events of a stream. `EventParserTests` has what an event is.
@Suite(.inTurn)
struct ResponseBytesEventsTests {
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

    @Test("The iterator has the last ID and the time to wait, also of blocks without data")
    func idWithoutData() async throws {
        let server = try LoopbackServer(
            .ok(
                "data: 1\n\nid: a\n\nretry: 10\n\ndata: 2\n\nid: b\nretry: 20\ndata: 3\n\nid: c\n\nretry: x\n\nid: d\nretry: 30"
            ))
        var iterator = try await events(server).makeAsyncIterator()
        #expect(iterator.lastEventID == "")
        #expect(iterator.retry == nil)
        #expect(try await iterator.next() == ServerSentEvent(data: "1"))
        #expect(iterator.lastEventID == "")
        #expect(try await iterator.next() == ServerSentEvent(id: "a", data: "2", retry: 10))
        #expect(iterator.lastEventID == "a")
        #expect(iterator.retry == 10)
        #expect(try await iterator.next() == ServerSentEvent(id: "b", data: "3", retry: 20))
        #expect(try await iterator.next() == nil)
        // No empty line ends the block of "d", and no line end the last "retry", which may be half of it.
        #expect(iterator.lastEventID == "c")
        #expect(iterator.retry == 20)
    }

    @Test(
        "After an error the iterator has what it got before",
        arguments: ["id: 7\nretry: 5\n\n", "id: 7\nretry: 5\ndata: 1\n\n"])
    func idBeforeError(body: String) async throws {
        let server = try LoopbackServer(.truncated(body, of: 100))
        var iterator = try await events(server).makeAsyncIterator()
        await #expect(throws: NetworkError.self) { while try await iterator.next() != nil {} }
        #expect(iterator.lastEventID == "7")
        #expect(iterator.retry == 5)
        #expect(try await iterator.next() == nil)
    }

    @Test("Events begin with the ID that the request had, until the server gives another or none")
    func givenID() async throws {
        let server = try LoopbackServer(.ok("data: 1\n\nid: 8\ndata: 2\n\nid\ndata: 3\n\n"))
        let body = try await session.bytesResult(from: server.url()).get().body
        var received: [String] = []
        for try await event in body.events(lastEventID: "7") { received.append(event.id) }
        #expect(received == ["7", "8", ""])
        let silent = try LoopbackServer(.ok(": nothing\n"))
        var iterator = try await session.bytesResult(from: silent.url()).get().body.events(lastEventID: "7")
            .makeAsyncIterator()
        #expect(try await iterator.next() == nil)
        #expect(iterator.lastEventID == "7")
    }

    // MARK: Other bodies

    @Test(
        "A body that is no event stream is a decodingError with its first mebibyte, and names the content type",
        arguments: [
            (#"{"error": {"message": "No."}}"#, "application/json", #""application/json""#),
            ("<html>\n<body>data: x</body>\n</html>\n", " Text/HTML ; charset=utf-8", #""Text/HTML""#),
            ("\u{FEFF}\n\nDATA: x\n\n", "text/event-stream", #""text/event-stream""#),
            ("no", "a\u{1B}[2J", #""a\u{1B}[2J""#), ("no", nil, "missing"), (" \n", "", "missing"),
        ] as [(String, String?, String)])
    func otherBody(_ row: (body: String, type: String?, shownType: String)) async throws {
        let server = try LoopbackServer(.ok(row.body, headers: row.type.map { ["Content-Type": $0] } ?? [:]))
        var iterator = try await events(server).makeAsyncIterator()
        let error = try #require(await #expect(throws: NetworkError.self) { try await iterator.next() })
        guard case .decodingError(_, let response?) = error else { throw error }
        #expect(response.body == Data(row.body.utf8))
        #expect(response.statusCode == 200)
        #expect(
            error.description == "decodingError(the body is no event stream (its content type is \(row.shownType)))")
        for _ in 0..<2 { #expect(try await iterator.next() == nil) }
    }

    @Test("Of a long body that is no event stream, the first mebibyte is kept", arguments: [1, 16, 100])
    func longOtherBody(count: Int) async throws {
        // Few lines with an early colon, because a debug build under a sanitizer takes half a minute for others.
        let line = "\"title\": \"\(String(repeating: "x", count: 10_000))\"\n"
        let server = try LoopbackServer(.ok(String(repeating: line, count: 150)))
        try await withThrowingTaskGroup { [session] group in
            for _ in 0..<count {
                group.addTask {
                    var iterator = try await session.bytesResult(from: server.url()).get().body.events
                        .makeAsyncIterator()
                    let error = await #expect(throws: NetworkError.self) { try await iterator.next() }
                    #expect(error?.response?.body.count == 1 << 20)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(
        "A body with a line of an event stream is one, and so is an empty one",
        arguments: [
            "", "\n", "\r\n\r\n", "\u{FEFF}", ":", "{}\n:\n", "data", "id: 1", "{}\nretry\n", "event:x\nx",
            "data: unfinished", "{}\nid: \0", "{}\nretry: x",
        ])
    func eventStreamWithoutEvents(body: String) async throws {
        let server = try LoopbackServer(.ok(body))
        for try await event in try await events(server) { Issue.record("\(event)") }
    }

    @Test("A body that is lost is a lost body, whatever it was")
    func lostOtherBody() async throws {
        let server = try LoopbackServer(.truncated("<html>\n", of: 100))
        var iterator = try await events(server).makeAsyncIterator()
        let error = await #expect(throws: NetworkError.self) { try await iterator.next() }
        #expect(error?.urlError?.code == .networkConnectionLost)
        #expect(try await iterator.next() == nil)
    }

    // MARK: Data

    @Test("The data of an event is decoded as a body is")
    func decodedData() throws {
        let event = ServerSentEvent(id: "1", data: #"{"a": [1, 2]}"#)
        #expect(try event.decode(with: .json([Int].self, at: "a")).get() == [1, 2])
        #expect(try event.decode(with: .response(.json([String: [Int]].self))).get().body == ["a": [1, 2]])
        #expect(try ServerSentEvent(data: "é€").decode(with: .string()).get() == "é€")
    }

    @Test("Data that cannot be decoded is a decodingError whose response has the data")
    func undecodableData() throws {
        let error = try #require(ServerSentEvent(data: "[DONE]").decode(with: .json([Int].self)).error)
        guard case .decodingError(let cause, let response?) = error else { throw error }
        #expect(cause is DecodingError)
        #expect(response.body == Data("[DONE]".utf8))
        #expect(response.statusCode == nil)
        #expect(error.description == "decodingError(the body is not valid JSON (line 1, column 2))")
        let deep = ServerSentEvent(data: String(repeating: "[", count: 513))
        #expect(deep.decode(with: .json([Int].self)).error?.response?.body.count == 513)
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
