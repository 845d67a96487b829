import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Who reads a stream, in each of the ways to read one.
@Suite(.inTurn)
struct ResponseReadersTests {
    private let session = URLSession(configuration: .forTests)

    @Test("A body can be read once; a second reader is told so", arguments: WayToRead.all, WayToRead.all)
    func secondReader(first: WayToRead, second: WayToRead) async throws {
        let server = try LoopbackServer(.ok("[1]\ndata: 1\n\n"))
        let body = try await session.bytesResult(from: server.url()).get().body
        #expect(try await first.reader(body)(nil))
        let error = await #expect(throws: NetworkError.self) { try await second.reader(body)(nil) }
        expectAlreadyRead(error)
    }

    @Test("A second reader is told so once, and gets nil afterwards", arguments: WayToRead.inPieces)
    func persistentReader(_ way: WayToRead) async throws {
        let server = try LoopbackServer(.ok("[1]\ndata: 1\n\n"))
        let body = try await session.bytesResult(from: server.url()).get().body
        #expect(try await way.reader(body)(nil))
        let next = way.reader(body)
        expectAlreadyRead(await #expect(throws: NetworkError.self) { try await next(nil) })
        for _ in 0..<3 { #expect(try await !next(nil)) }
    }

    /// `for try await` calls `next()` where the system has no `next(isolation:)`: before macOS 15 and iOS 18.
    @Test("next() does not leave the main actor for an element that has arrived")
    @MainActor func nextOnMainActor() async throws {
        let server = try LoopbackServer(.ok("data: 1\n\ndata: 2\n\n"))
        func body() async throws -> ResponseBytes { try await session.bytesResult(from: server.url()).get().body }
        var bytes = try await body().makeAsyncIterator()
        try await expectStay { try await bytes.next() != nil }
        var lines = try await body().lines.makeAsyncIterator()
        try await expectStay { try await lines.next() != nil }
        var events = try await body().events.makeAsyncIterator()
        try await expectStay { try await events.next() != nil }
    }

    /// Reads two elements. What waits for the main actor runs before the second arrives if the reader leaves the actor.
    @MainActor private func expectStay(_ next: () async throws -> Bool) async throws {
        #expect(try await next())
        let other = Task { @MainActor in withUnsafeCurrentTask { $0?.cancel() } }
        #expect(try await next())
        #expect(!other.isCancelled)
        await other.value
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
        async let first = read(one, way, isIsolated, orOpen: gate)
        async let second = read(other, way, isIsolated, orOpen: gate)
        let results = try await [first, second]
        #expect(results.filter(\.self).count == 1)
    }

    /// Reads an element. If another reader waits, is refused twice, the second time in a cancelled task, and opens the gate. The elements
    /// of a document are over after the first time, as after each error of the stream.
    private func read(
        _ next: @escaping WayToRead.Next, _ way: WayToRead, _ isIsolated: Bool, orOpen gate: Gate
    ) async throws -> Bool {
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
            if way.testDescription == "elements" {
                #expect(try await !reading.value)
            } else {
                expectAlreadyRead(await #expect(throws: NetworkError.self) { try await reading.value })
            }
            gate.open()
            return false
        }
    }

    private func expectAlreadyRead(_ error: NetworkError?) {
        #expect(error?.localizedDescription.contains("It can be read once.") == true)
        #expect("\(error, default: "none")" == "transportError(BodyAlreadyReadError 1)")
    }

    // MARK: The end

    @Test(
        "A reader that is cancelled gets none of what has arrived, an error, and then nil",
        arguments: WayToRead.inPieces)
    func cancelled(_ way: WayToRead) async throws {
        let server = try LoopbackServer(.ok("[1,2]\n[2]\ndata: 1\n\ndata: 2\n\n"))
        let next = way.reader(try await session.bytesResult(from: server.url()).get().body)
        try await Task { try await readCancelled(next) }.value
    }

    private func readCancelled(_ next: WayToRead.Next) async throws {
        #expect(try await next(nil))
        withUnsafeCurrentTask { $0?.cancel() }
        let error = await #expect(throws: NetworkError.self) { try await next(nil) }
        #expect(error?.isCancelled == true)
        for _ in 0..<3 { #expect(try await !next(nil)) }
    }

    @Test("A cancelled reader of bytes gets no more than 16 kB of what has arrived")
    func cancelledBytes() async throws {
        let server = try LoopbackServer(.zeros(1 << 20))
        let body = try await session.bytesResult(from: server.url()).get().body
        let reading = Task {
            var bytes = body.makeAsyncIterator()
            _ = try await bytes.next()
            withUnsafeCurrentTask { $0?.cancel() }
            var count = 0
            let error = await #expect(throws: NetworkError.self) { while try await bytes.next() != nil { count += 1 } }
            #expect(error?.isCancelled == true)
            #expect(count < 1 << 14)
            #expect(try await bytes.next() == nil)
        }
        try await reading.value
    }

    @Test(
        "Readers at once that are cancelled with lines waiting all stop, and the session goes on",
        arguments: [1, 16, 100])
    func cancelledCrowd(count: Int) async throws {
        let server = try LoopbackServer { request, connection in
            guard request.target != "/after" else { return try connection.respond(body: "after") }
            try connection.sendHead(200, contentLength: nil)
            try connection.send(String(repeating: "\r", count: 1 << 16))
            connection.waitForClientToClose()
        }
        // Nobody waits for a connection: that time counts as the request's.
        let configuration = URLSessionConfiguration.forTests
        configuration.httpMaximumConnectionsPerHost = count
        let session = URLSession(configuration: configuration)
        let cancelled = try await withThrowingTaskGroup { group in
            for _ in 0..<count {
                group.addTask {
                    var lines = try await session.bytesResult(from: server.url()).get().body.lines.makeAsyncIterator()
                    _ = try await lines.next()
                    withUnsafeCurrentTask { $0?.cancel() }
                    let error = await #expect(throws: NetworkError.self) { try await lines.next() }
                    #expect(try await lines.next() == nil)
                    return error?.isCancelled == true
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(cancelled == count)
        #expect(try await session.dataResult(from: server.url("/after")).get() == Data("after".utf8))
    }

    @Test("After the end there is nil, also in a cancelled task", arguments: WayToRead.allIterators)
    func end(_ way: WayToRead) async throws {
        let server = try LoopbackServer(.ok("[1]\n2\n\ndata: 1\n\n"))
        let next = way.reader(try await session.bytesResult(from: server.url()).get().body)
        try await Task { try await readBeyondEnd(next) }.value
    }

    private func readBeyondEnd(_ next: WayToRead.Next) async throws {
        while try await nextOrInvalid(next) {}
        for _ in 0..<2 { #expect(try await !next(nil)) }
        withUnsafeCurrentTask { $0?.cancel() }
        for _ in 0..<2 { #expect(try await !next(nil)) }
    }

    @Test("After an error there is nil, and no half line", arguments: WayToRead.allIterators)
    func error(_ way: WayToRead) async throws {
        let server = try LoopbackServer(.truncated("[1\n,2", of: 100))
        let next = way.reader(try await session.bytesResult(from: server.url()).get().body)
        let error = await #expect(throws: NetworkError.self) { while try await nextOrInvalid(next) {} }
        #expect(error?.urlError?.code == .networkConnectionLost)
        for _ in 0..<2 { #expect(try await !next(nil)) }
    }

    /// Reads an element. A line that cannot be decoded is one, too.
    private func nextOrInvalid(_ next: WayToRead.Next) async throws(NetworkError) -> Bool {
        do {
            return try await next(nil)
        } catch {
            guard error.response != nil else { throw error }
            return true
        }
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
        for sequence in [body.chunks, body.lines, body.events, body.lines.values(decoder), body.elements(decoder)]
            as [Any]
        {
            dump(sequence, to: &text)
        }
        var lines = body.lines.makeAsyncIterator()
        #expect(try await lines.next() == "a")
        dump(lines, to: &text)
        dump(body.makeAsyncIterator(), to: &text)
        dump(body.chunks.makeAsyncIterator(), to: &text)
        dump(body.events.makeAsyncIterator(), to: &text)
        dump(body.lines.values(decoder).makeAsyncIterator(), to: &text)
        dump(body.elements(decoder).makeAsyncIterator(), to: &text)
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
            $0.lines.values(.json([Int].self)).makeAsyncIterator()
        } next: {
            iterator, actor async throws(NetworkError) in
            try await iterator.next(isolation: actor) != nil
        },
        WayToRead("elements") {
            $0.elements(.json(Int.self)).makeAsyncIterator()
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

    static let allIterators = all.filter { $0.testDescription != "collect(upTo:)" }

    /// Those whose elements are more than a byte.
    static let inPieces = allIterators.filter { $0.testDescription != "bytes" }

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
