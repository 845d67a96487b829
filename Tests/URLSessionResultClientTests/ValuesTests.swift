import Foundation
import Testing
import URLSessionResultClient

@Suite("Values of a client", .inTurn)
struct ValuesTests {
    private let session = URLSession(configuration: .forTests)

    private func values(
        _ server: LoopbackServer, until end: String? = "[DONE]", _ middleware: any RequestMiddleware...
    ) -> NetworkSequence<Int> {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let client = APIClient(baseURL: server.url(), session: session, decoder: decoder, middleware: middleware)
        return client.values(
            for: Endpoint(.post, "chat", body: .json(["a": 1]), as: Int.self, at: "theNumber"), until: end)
    }

    private func collected(_ values: NetworkSequence<Int>) async throws -> [Int] {
        var collected: [Int] = []
        for try await value in values { collected.append(value) }
        return collected
    }

    @Test("They are the data of events until [DONE], or lines, as the content type says")
    func values() async throws {
        let events = try LoopbackServer(
            .ok(
                "data: {\"the_number\": 1}\n\n: ping\n\nevent: x\ndata: {\"the_number\":\ndata: 2}\n\ndata: [DONE]\n\ndata: x\n\n",
                headers: ["Content-Type": "text/event-stream; charset=utf-8"]))
        #expect(try await collected(values(events)) == [1, 2])
        let lines = try LoopbackServer(.ok("{\"the_number\": 1}\n\n{\"the_number\": 2}"))
        #expect(try await collected(values(lines)) == [1, 2])
        #expect(lines.requests.map(\.text) == [#"{"a":1}"#])
        let accepted = "text/event-stream, application/x-ndjson, application/json"
        #expect((events.requests + lines.requests).map { $0.header("Accept") } == [accepted, accepted])
    }

    @Test("Another word may end them, or none", arguments: ["end", nil])
    func end(_ end: String?) async throws {
        let server = try LoopbackServer(
            .ok(
                "data: {\"the_number\": 1}\n\ndata: \(end ?? "{\"the_number\": 2}")\n\n",
                headers: ["Content-Type": "text/event-stream"]))
        #expect(try await collected(values(server, until: end)) == (end == nil ? [1, 2] : [1]))
    }

    @Test("The head comes first, and the values can be read once")
    func head() async throws {
        let server = try LoopbackServer(.ok("1\n2\n", headers: ["X-Model": "a"]))
        let client = APIClient(baseURL: server.url(), session: session)
        let response = try await client.valuesResult(for: Endpoint(.get, "", as: Int.self)).get()
        #expect(response.header("X-Model") == "a")
        #expect(try await collected(response.body) == [1, 2])
        await #expect(throws: NetworkError.self) { try await collected(response.body) }
        let server404 = try LoopbackServer(.status(404))
        let refusing = APIClient(baseURL: server404.url(), session: session)
        #expect(await refusing.valuesResult(for: Endpoint(.get, "", as: Int.self)).error?.statusCode == 404)
    }

    @Test("The middleware is around the head, and an error after it is thrown once")
    func errors() async throws {
        let server = try LoopbackServer.inTurn(
            .status(503, headers: ["Retry-After": "0"]), .status(401), .truncated("{\"the_number\": 1}\n", of: 99))
        let token = TokenAuthentication("0", for: server.url()) { _ in .success("1") }
        var iterator = values(server, Retry(alsoRepeating: [.post]), token).makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        let error = await #expect(throws: NetworkError.self) { try await iterator.next() }
        #expect(error?.urlError?.code == .networkConnectionLost)
        #expect(try await iterator.next() == nil)
        #expect(server.requests.count == 3)
    }

    @Test("A value that cannot be decoded is an error, and so is a refusal, and both end the values")
    func decodingError() async throws {
        let server = try LoopbackServer.inTurn(
            .ok("data: x\n\ndata: {\"the_number\": 2}\n\n", headers: ["Content-Type": "text/event-stream"]),
            .status(400))
        var iterator = values(server).makeAsyncIterator()
        let error = await #expect(throws: NetworkError.self) { try await iterator.next() }
        guard case .decodingError? = error else { return #expect(Bool(false)) }
        #expect(try await iterator.next() == nil)
        var refused = values(server).makeAsyncIterator()
        #expect(await #expect(throws: NetworkError.self) { try await refused.next() }?.statusCode == 400)
        #expect(try await refused.next() == nil)
    }

    @Test(
        "Nothing is sent before the loop, and leaving it or cancelling ends the connection", arguments: [true, false])
    func leaving(isCancelled: Bool) async throws {
        let server = try LoopbackServer(.stalled(after: "HTTP/1.1 200 OK\r\n\r\n{\"the_number\": 1}\n"))
        let values = values(server)
        let received = Monitor(0)
        let running = Task {
            for try await _ in values {
                received.withLock { $0 += 1 }
                if !isCancelled { break }
            }
        }
        try await received.value { $0 == 1 }
        if isCancelled { running.cancel() }
        _ = await running.result
        try await server.connectionsClosed()
        #expect(server.requests.count == 1)
    }
}

@Suite("A sequence of one's own")
struct NetworkSequenceTests {
    @Test("The copies of an iterator share its elements and its end")
    func copies() async throws {
        let sequence = NetworkSequence {
            var count = 0
            return { _ throws(NetworkError) in
                count += 1
                return count == 3 ? nil : count
            }
        }
        var first = sequence.makeAsyncIterator()
        var second = first
        #expect(try await first.next() == 1)
        #expect(try await second.next() == 2)
        #expect(try await first.next() == nil)
        #expect(try await second.next() == nil)
    }

    @MainActor
    private final class Readers {
        private let iterator: NetworkSequence<Int>.AsyncIterator

        init(of sequence: NetworkSequence<Int>) { iterator = sequence.makeAsyncIterator() }

        func next() async throws(NetworkError) -> Int? {
            var copy = iterator
            return try await copy.next(isolation: MainActor.shared)
        }
    }

    @Test("A second reader at the same time gets an error, and the first one its elements") @MainActor
    func twoReaders() async throws {
        let gate = Gate()
        let count = Monitor(0)
        let sequence = NetworkSequence<Int> {
            { _ throws(NetworkError) in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                if number == 1 { try? await gate.opened() }
                return number
            }
        }
        let readers = Readers(of: sequence)
        let first = Task { try await readers.next() }
        try await count.value { $0 == 1 }
        await #expect(throws: NetworkError.self) { try await readers.next() }
        gate.open()
        #expect(try await first.value == 1)
        #expect(try await readers.next() == 2)
    }

    @Test("It begins anew for each loop, and is over after an error")
    func ownSequence() async throws {
        let begun = Monitor(0)
        let sequence = NetworkSequence {
            begun.withLock { $0 += 1 }
            var count = 0
            return { _ throws(NetworkError) -> Int? in
                count += 1
                if count == 3 { throw .noData }
                return count
            }
        }
        for _ in 0..<2 {
            var iterator = sequence.makeAsyncIterator()
            #expect(try await iterator.next() == 1)
            #expect(try await iterator.next() == 2)
            await #expect(throws: NetworkError.self) { try await iterator.next() }
            #expect(try await iterator.next() == nil)
        }
        #expect(begun.value == 2)
    }

    @Test("It runs on the caller's actor, and ends for good") @MainActor
    func actor() async throws {
        var isFirst = true
        let sequence = NetworkSequence<Bool> {
            { actor throws(NetworkError) in actor === MainActor.shared ? true : nil }
        }
        for try await isMain in sequence {
            #expect(isMain && isFirst)
            isFirst = false
            break
        }
        var iterator = NetworkSequence<Int> { { _ throws(NetworkError) in nil } }.makeAsyncIterator()
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
        #expect(!isFirst)
    }
}
