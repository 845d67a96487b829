import Foundation
import Testing
import URLSessionResult

/// Who reads a stream, in each of the ways to read one.
@Suite(.inTurn)
struct ResponseReadersTests {
    private let session = URLSession(configuration: .forTests)

    @Test("A body can be read once; a second reader is told so", arguments: WayToRead.all, WayToRead.all)
    func secondReader(first: WayToRead, second: WayToRead) async throws {
        let server = try LoopbackServer(.ok("1\ndata: 1\n\n"))
        let body = try await session.bytesResult(from: server.url()).get().body
        #expect(try await first.reader(body)(nil))
        let error = await #expect(throws: NetworkError.self) { try await second.reader(body)(nil) }
        expectAlreadyRead(error)
    }

    @Test(
        "Of two copies of an iterator, the second is refused while the first waits, which goes on",
        arguments: WayToRead.all,
        [true, false])
    func copies(way: WayToRead, isIsolated: Bool) async throws {
        let gate = Gate()
        let server = try LoopbackServer { _, connection in
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
            gate.wait()
            try connection.send("data: 1\n\n")
        }
        let body = try await session.bytesResult(from: server.url()).get().body
        let (one, other) = way.copies(body)
        async let first = read(one, isIsolated, orOpen: gate)
        async let second = read(other, isIsolated, orOpen: gate)
        let results = try await [first, second]
        #expect(results.filter(\.self).count == 1)
    }

    /// Reads an element. If another reader waits, is refused twice, the second time in a cancelled task, and opens the gate.
    private func read(_ next: @escaping WayToRead.Next, _ isIsolated: Bool, orOpen gate: Gate) async throws -> Bool {
        let actor = isIsolated ? SomeActor() : nil
        do throws(NetworkError) {
            return try await next(actor)
        } catch {
            if error.response != nil { return true }  // The line is no JSON, but it was read.
            expectAlreadyRead(error)
            let reading = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await next(actor)
            }
            expectAlreadyRead(await #expect(throws: NetworkError.self) { try await reading.value })
            gate.open()
            return false
        }
    }

    private func expectAlreadyRead(_ error: NetworkError?) {
        #expect(error?.localizedDescription.contains("It can be read once.") == true)
        #expect("\(error, default: "none")" == "transportError(BodyAlreadyReadError 1)")
    }

    @Test("A stream can be dumped while it arrives, and shows no URL")
    func dumped() async throws {
        let server = try LoopbackServer(.stalled(after: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na\n"))
        let url = server.url("/secret?secret")
        let result = await session.bytesResult(from: url)
        var text = ""
        dump(result, to: &text)
        let body = try result.get().body
        let decoder = ResultDecoder.json(Int.self)
        for sequence in [body.chunks, body.lines, body.events, body.values(decoder)] as [Any] {
            dump(sequence, to: &text)
        }
        var lines = body.lines.makeAsyncIterator()
        #expect(try await lines.next() == "a")
        dump(lines, to: &text)
        dump(body.makeAsyncIterator(), to: &text)
        dump(body.chunks.makeAsyncIterator(), to: &text)
        dump(body.events.makeAsyncIterator(), to: &text)
        dump(body.values(decoder).makeAsyncIterator(), to: &text)
        #expect(text.contains("ResponseBytes"))
        #expect(text.contains("200"))
        #expect(!text.contains("secret"))
    }
}

private actor SomeActor {}

/// A way to read a body.
struct WayToRead: Sendable, CustomTestStringConvertible {
    /// Waits for the next element, and returns whether there is one.
    typealias Next = @Sendable (isolated (any Actor)?) async throws(NetworkError) -> Bool

    let testDescription: String

    /// Gives two copies of an iterator.
    let copies: @Sendable (ResponseBytes) -> (Next, Next)

    func reader(_ body: ResponseBytes) -> Next { copies(body).0 }

    static let all = [
        WayToRead("bytes") {
            $0.makeAsyncIterator()
        } next: { iterator, actor async throws(NetworkError) in
            try await iterator.next(isolation: actor) != nil
        },
        WayToRead("chunks") {
            $0.chunks.makeAsyncIterator()
        } next: { iterator, actor async throws(NetworkError) in
            try await iterator.next(isolation: actor) != nil
        },
        WayToRead("lines") {
            $0.lines.makeAsyncIterator()
        } next: { iterator, actor async throws(NetworkError) in
            try await iterator.next(isolation: actor) != nil
        },
        WayToRead("events") {
            $0.events.makeAsyncIterator()
        } next: { iterator, actor async throws(NetworkError) in
            try await iterator.next(isolation: actor) != nil
        },
        WayToRead("values") {
            $0.values(.json(Int.self)).makeAsyncIterator()
        } next: {
            iterator, actor async throws(NetworkError) in
            try await iterator.next(isolation: actor) != nil
        },
        WayToRead("collect(upTo:)") {
            $0
        } next: { body, actor async throws(NetworkError) in
            try await !body.collect(upTo: 100).isEmpty
        },
    ]

    private init<Iterator>(
        _ testDescription: String, _ makeIterator: @escaping @Sendable (ResponseBytes) -> Iterator,
        next: @escaping @Sendable (inout Iterator, isolated (any Actor)?) async throws(NetworkError) -> Bool
    ) {
        self.testDescription = testDescription
        copies = { body in
            let one = Box(makeIterator(body))
            let other = Box(one.value)
            return (
                { actor async throws(NetworkError) in try await next(&one.value, actor) },
                { actor async throws(NetworkError) in try await next(&other.value, actor) }
            )
        }
    }
}

/// An iterator that a task can use which did not make it, as no program should.
private final class Box<Value>: @unchecked Sendable {  // One task at a time uses it.
    var value: Value

    init(_ value: Value) { self.value = value }
}
