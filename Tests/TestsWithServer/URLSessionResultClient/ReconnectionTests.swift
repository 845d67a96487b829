import Foundation
import Testing
import URLSessionResultClient

@testable import TestSupport

@Suite(.inTurn)
struct ReconnectionTests {
    private let session = URLSession(configuration: .forTests)
    private static let eventStream: KeyValuePairs = ["Content-Type": "text/event-stream"]

    /// Nobody listens there.
    private static let refusing = "http://127.0.0.1:1"

    /// A clock that a wait turns.
    private struct Clock: Sendable {
        let waits = Monitor<[TimeInterval]>([])

        var seconds: TimeInterval { waits.value.reduce(0, +) }

        /// Counts the seconds, and cancels the caller after a limit.
        func wait(_ seconds: TimeInterval, upTo limit: TimeInterval = .infinity) throws {
            waits.withLock { $0.append(seconds) }
            if self.seconds > limit { throw CancellationError() }
        }
    }

    private func client(_ url: URL, _ middleware: any RequestMiddleware...) -> APIClient {
        APIClient(baseURL: url, session: session, middleware: middleware)
    }

    private func error(of events: NetworkSequence<ServerSentEvent>) async -> NetworkError? {
        await #expect(throws: NetworkError.self) { for try await _ in events {} }
    }

    /// What becomes of a connection without an event.
    enum Death: CaseIterable, Sendable {
        case regularly, inTheBody, beforeTheHead, busy
    }

    @Test("The next request says what came last, and waits as the server wants, until a 204")
    func reconnects() async throws {
        let requests = Monitor(0)
        let eventStream = Self.eventStream
        let server = try LoopbackServer { _, connection in
            let number = requests.withLock { number in
                number += 1
                return number
            }
            switch number {
            case 1:
                try connection.respond(
                    headers: eventStream, body: "data: a\n\nid: 1\nretry: 200\ndata: b\n\ndata: unfinished")
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
            case 5: try connection.respond(headers: eventStream, body: "retry: 0\ndata: f\n\n")
            case 6: try connection.respond(headers: eventStream, body: "id: 3\n\nretry: 300\n\nid: unfinished\n")
            case 7:
                try connection.sendHead(200, headers: eventStream, contentLength: 100)
                try connection.send("id:\nretry: 400\n\n")
                connection.close()
            case 8: try connection.respond(headers: eventStream, body: "")
            default: try connection.respond(204)
            }
        }
        var received: [ServerSentEvent] = []
        let clock = Clock()
        let events = client(server.url()).events(for: Endpoint(.get, ""), random: \.upperBound) { try clock.wait($0) }
        for try await event in events { received.append(event) }
        #expect(received.map(\.data) == ["a", "b", "c", "d", "e", "f"])
        #expect(received.map(\.id) == ["", "1", "1", "2", "", ""])
        #expect(server.requests.map { $0.header("Last-Event-ID") } == [nil, "1", "1", "1", nil, nil, "3", nil, nil])
        #expect(server.requests.allSatisfy { $0.header("Accept") == "text/event-stream" })
        #expect(server.requests.allSatisfy { $0.header("Cache-Control") == "no-cache" })
        #expect(clock.waits.value == [0.2, 0.4, 0.2, 60, 0.1, 0.6, 1.6, 3.2])
    }

    @Test("An ID of the endpoint is sent until the server sends another one or resets it", arguments: [true, false])
    func firstID(isConfigured: Bool) async throws {
        let server = try LoopbackServer.inTurn(
            .status(503), .ok("data: a\n\n", headers: Self.eventStream),
            .ok("data: b\n\nid:\ndata: c\n\n", headers: Self.eventStream),
            .ok("id: 8\ndata: d\n\n", headers: Self.eventStream), .status(204))
        let endpoint =
            isConfigured
            ? Endpoint(.get, "").configured { $0.setValue("7", forHTTPHeaderField: "Last-Event-ID") }
            : Endpoint(.get, "", headers: ["last-event-id": "7"])
        var ids: [String] = []
        let events = client(server.url()).events(for: endpoint, whenLost: { _, _ in .after(seconds: 0) })
        for try await event in events { ids.append(event.id) }
        #expect(ids == ["7", "7", "", "8"])
        #expect(server.requests.map { $0.header("Last-Event-ID") } == ["7", "7", "7", nil, "8"])
    }

    @Test(
        "A server that dies without an event is asked at most 8 times in the first minute, and 10 if it wants haste",
        arguments: Death.allCases, [(nil, 8), (300, 10), (0, 12)] as [(Int?, Int)])
    func deadServer(_ death: Death, _ limit: (retry: Int?, requests: Int)) async throws {
        let count = Monitor(0)
        let server = try LoopbackServer { request, connection in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            switch isFirst ? .regularly : death {
            case .regularly:
                try connection.respond(
                    headers: Self.eventStream, body: limit.retry.map { "retry: \($0)\n\n" } ?? ": none\n\n")
            case .inTheBody:
                try connection.sendHead(200, headers: Self.eventStream, contentLength: 99)
                connection.close()
            case .beforeTheHead: connection.close()
            case .busy: try connection.respond(503)
            }
        }
        let clock = Clock()
        // The shortest waits that chance may bring.
        let events = client(server.url()).events(for: Endpoint(.get, ""), random: \.lowerBound) { seconds in
            try clock.wait(seconds, upTo: 60)
        }
        #expect(await error(of: events)?.isCancelled == true)
        #expect(server.requests.count <= limit.requests)
        #expect(clock.waits.value.allSatisfy { $0 <= 30 })
    }

    @Test("Half of a wait is left to chance, and an event begins anew")
    func chance() async throws {
        let server = try LoopbackServer.inTurn(
            .ok("", headers: Self.eventStream), .ok("", headers: Self.eventStream),
            .ok("data: a\n\n", headers: Self.eventStream), .ok("", headers: Self.eventStream), .status(204))
        let clock = Clock()
        let ranges = Monitor<[ClosedRange<TimeInterval>]>([])
        let events = client(server.url()).events(
            for: Endpoint(.get, ""),
            random: { range in
                ranges.withLock { $0.append(range) }
                return range.lowerBound + 1
            }, sleep: { try clock.wait($0) })
        for try await event in events { #expect(event.data == "a") }
        #expect(ranges.value == [1.5...3, 3...6, 1.5...3, 3...6])
        #expect(clock.waits.value == [2.5, 4, 2.5, 4])
    }

    @Test("A first connection that cannot be made is tried as often as Retry would, and then is an error")
    func refusedAtFirst() async throws {
        let url = try #require(URL(string: Self.refusing))
        let clock = Clock()
        let events = client(url).events(for: Endpoint(.get, ""), random: \.upperBound) { try clock.wait($0) }
        #expect(await error(of: events)?.urlError?.code == .cannotConnectToHost)
        #expect(clock.waits.value == [3, 6, 12])
    }

    @Test("A function decides otherwise, and knows how often in a row a connection was lost")
    func decisions() async throws {
        let url = try #require(URL(string: Self.refusing))
        let clock = Clock()
        let losses = Monitor<[Int]>([])
        let events = client(url).events(
            for: Endpoint(.get, ""),
            whenLost: { error, count in
                #expect(error?.urlError?.code == .cannotConnectToHost)
                losses.withLock { $0.append(count) }
                return count < 7 ? .after(seconds: 100) : .never
            }, random: \.upperBound, sleep: { try clock.wait($0) })
        #expect(await error(of: events)?.urlError?.code == .cannotConnectToHost)
        #expect(losses.value == [1, 2, 3, 4, 5, 6, 7])
        #expect(clock.waits.value == Array(repeating: 100, count: 6))
    }

    @Test("A function may come back after any error, and the end of the server is none")
    func anyError() async throws {
        let server = try LoopbackServer.inTurn(
            .status(401), .ok("data: a\n\n", headers: Self.eventStream), .ok("{}"), .truncated("", of: 9),
            .ok("data: b\n\n", headers: Self.eventStream))
        let clock = Clock()
        let seen = Monitor<[String]>([])
        let events = client(server.url()).events(
            for: Endpoint(.get, ""),
            whenLost: { error, count in
                seen.withLock { $0.append("\(error.map { "\($0)".prefix(14) } ?? "none") \(count)") }
                guard let error else { return count == 1 && seen.value.count < 4 ? .usual : .never }
                return error.isCancelled ? .never : .after(seconds: 1)
            }, random: \.upperBound, sleep: { try clock.wait($0) })
        var received: [String] = []
        // It ends without an error, because the server has ended it without one.
        for try await event in events { received.append(event.data) }
        #expect(received == ["a", "b"])
        #expect(seen.value == ["serverError(st 1", "none 1", "decodingError( 2", "decodingError( 3", "none 1"])
        #expect(clock.waits.value == [1, 3, 1, 1])
    }

    @Test("Each connection is told before its events, and neither an error response nor the end is one")
    func connected() async throws {
        let server = try LoopbackServer.inTurn(
            .ok("data: a\n\n", headers: ["Content-Type": "text/event-stream", "X-Number": "1"]), .status(503),
            .ok("data: b\n\n", headers: ["Content-Type": "text/event-stream", "X-Number": "2"]), .status(204))
        let seen = Monitor<[String]>([])
        let events = client(server.url()).events(
            for: Endpoint(.get, ""),
            whenConnected: { response in
                seen.withLock { $0.append("\(response.statusCode ?? 0) \(response.header("X-Number") ?? "")") }
            }, random: \.upperBound, sleep: { _ in })
        for try await event in events { seen.withLock { $0.append(event.data) } }
        #expect(seen.value == ["200 1", "a", "200 2", "b"])
    }

    @Test("What a function decides by an error is not asked of a cancellation")
    func cancelled() async throws {
        let server = try LoopbackServer(
            .stalled(after: "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: a\n\n"))
        let received = Monitor(0)
        let asked = Monitor(0)
        let events = client(server.url()).events(
            for: Endpoint(.get, ""),
            whenLost: { _, _ in
                asked.withLock { $0 += 1 }
                return .after(seconds: 0)
            })
        let running = Task { for try await _ in events { received.withLock { $0 += 1 } } }
        try await received.value { $0 == 1 }
        running.cancel()
        let error = await #expect(throws: NetworkError.self) { try await running.value }
        #expect(error?.isCancelled == true)
        #expect(asked.value == 0)
    }

    @Test("In a cancelled task, it is not asked about another error or about the end either", arguments: [true, false])
    func cancelledMeanwhile(hasError: Bool) async throws {
        let server = try LoopbackServer(.ok("", headers: Self.eventStream))
        let cancelling = RequestAdapter { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            throw NetworkError.noData
        }
        let asked = Monitor(0)
        let client = hasError ? client(server.url(), cancelling) : client(server.url())
        let events = client.events(
            for: Endpoint(.get, ""),
            whenConnected: { _ in withUnsafeCurrentTask { $0?.cancel() } },
            whenLost: { _, _ in
                asked.withLock { $0 += 1 }
                return .never
            })
        let error = await Task { await self.error(of: events) }.value
        #expect(error?.isCancelled == true)
        #expect(asked.value == 0)
    }

    @Test("A deadline ends a connection whose head does not come, and the next one is made")
    func deadline() async throws {
        let server = try LoopbackServer.inTurn(.silent, .ok("data: a\n\n", headers: Self.eventStream), .status(204))
        let isFirst = Monitor(true)
        var deadline = Deadline(seconds: 9)
        deadline.sleep = { _ in
            let isFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            guard isFirst else { return try await Task.sleep(nanoseconds: 600_000_000_000) }
            try await server.requests(atLeast: 1)
        }
        let seen = Monitor<[URLError.Code?]>([])
        let events = client(server.url(), deadline).events(
            for: Endpoint(.get, ""),
            whenLost: { error, _ in
                seen.withLock { $0.append(error?.urlError?.code) }
                return .usual
            }, random: \.upperBound, sleep: { _ in })
        var received: [String] = []
        for try await event in events { received.append(event.data) }
        #expect(received == ["a"])
        #expect(seen.value == [.timedOut, nil])
    }

    @Test("Each connection has the attempts of a retry, and a refreshed token")
    func middleware() async throws {
        let server = try LoopbackServer.inTurn(
            .status(503), .status(401), .ok("data: a\n\n", headers: Self.eventStream), .status(401), .status(503),
            .ok("data: b\n\n", headers: Self.eventStream), .status(204))
        let count = Monitor(0)
        let token = TokenAuthentication("0", for: server.url()) { _ in
            .success(
                AccessToken(
                    "\(count.withLock { count in count += 1; return count })"))
        }
        var retry = Retry()
        retry.sleep = { _ in }
        let losses = Monitor<[Int]>([])
        let events = client(server.url(), retry, token).events(
            for: Endpoint(.get, ""),
            whenLost: { error, count in
                #expect(error == nil)
                losses.withLock { $0.append(count) }
                return .usual
            }, random: \.upperBound, sleep: { _ in })
        var received: [String] = []
        for try await event in events { received.append(event.data) }
        #expect(received == ["a", "b"])
        #expect(losses.value == [1, 1])
        let tokens = server.requests.map { $0.header("Authorization")?.last }
        #expect(tokens == ["0", "0", "1", "1", "2", "2", "2"])
    }
}
