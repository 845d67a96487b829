import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// The elements of a JSON document in a stream.
@Suite(.inTurn)
struct ResponseBytesElementsTests {
    private struct Album: Codable, Equatable {
        var name: String
        var year: Int
    }

    private let session = URLSession(configuration: .forTests)

    private func body(_ server: LoopbackServer) async throws -> ResponseBytes {
        try await session.bytesResult(from: server.url()).get().body
    }

    private func server(_ text: String) throws -> LoopbackServer {
        try LoopbackServer(.ok(text, headers: ["X-Name": "x"]))
    }

    private static let blue = #"{"name":"Blue","year":1971}"#
    private static let hejira = #"{"name":"Hejira","year":1976}"#

    // MARK: What there is

    @Test(
        "An array gives its elements, and an object its values",
        arguments: [
            ("[\(blue),\(hejira)]", ""), (" \n[ \(blue) ,\t\(hejira) , ]\r\n", ""), ("\u{FEFF}[\(blue),\(hejira)]", ""),
            (#"{"z":\#(blue),"a":\#(hejira)}"#, ""), (#"{"a":\#(blue),"\u0061":\#(blue),"é":\#(hejira)}"#, ""),
            (#"{"items":[\#(blue),\#(hejira)]}"#, "items"),
            (
                #"{"meta":{"items":[1]},"data":{"x":"]}","items":[\#(blue),\#(hejira)],"y":[]},"data":{"items":0}}"#,
                "data.items"
            ),
            (#"{"d\u0061ta":[0,{"items":{"a":\#(blue),"b":\#(hejira)}},2]}"#, "data.1.items"),
        ])
    func elements(text: String, keyPath: String) async throws {
        let server = try server(text)
        var albums: [Album] = []
        for try await album in try await body(server).elements(.json(Album.self), at: keyPath) { albums.append(album) }
        #expect(albums == [Album(name: "Blue", year: 1971), Album(name: "Hejira", year: 1976)])
    }

    @Test(
        "Empty arrays, empty objects and null give nothing",
        arguments: [
            ("[]", ""), ("{}", ""), ("null", ""), (" null ", ""), (#"{"a":null}"#, "a"), (#"{"a":{"b":[]}}"#, "a.b"),
        ])
    func nothing(text: String, keyPath: String) async throws {
        let server = try server(text)
        var albums = try await body(server).elements(.json(Album.self), at: keyPath).makeAsyncIterator()
        for _ in 0..<3 { #expect(try await albums.next() == nil) }
    }

    @Test("An optional element may be null, and any decoder will do")
    func otherDecoders() async throws {
        let server = try server(#"[null, "a\n", {"b" : [ ]}]"#)
        var texts: [String?] = []
        let optionals = try await body(server).elements(.json(String?.self)).makeAsyncIterator()
        var iterator = optionals
        texts.append(try #require(try await iterator.next()))
        texts.append(try #require(try await iterator.next()))
        #expect(texts == [nil, "a\n"])
        var pieces: [String] = []
        for try await piece in try await body(server).elements(.string()) { pieces.append(piece) }
        #expect(pieces == ["null", #""a\n""#, #"{"b" : [ ]}"#])
    }

    @Test("A decoder of the whole response gets the element and the head")
    func response() async throws {
        let server = try server("[1,2]")
        var responses = try await body(server).elements(.response(.json(Int.self))).makeAsyncIterator()
        let first = try #require(try await responses.next())
        #expect(first.body == 1)
        #expect(first.statusCode == 200)
        #expect(first.header("X-Name") == "x")
        #expect(try await responses.next()?.body == 2)
    }

    @Test("Every element is there before the server sends the next byte")
    func inTime() async throws {
        let turns = Monitor(0)
        let pieces = [#"{"meta":{"a":[1]},"data":[{"id":0}"#, #" , {"id":1}"#, #",{"id":2}"#]
        let server = try LoopbackServer { _, connection in
            try connection.sendHead(200, headers: ["Connection": "close"], contentLength: nil)
            for (index, piece) in pieces.enumerated() {
                turns.wait { $0 == index }
                try connection.send(piece)
            }
            turns.wait { $0 == pieces.count }
            try connection.send("]}")
            connection.close()
        }
        var received: [[String: Int]] = []
        for try await element in try await body(server).elements(.json([String: Int].self), at: "data") {
            received.append(element)
            turns.withLock { $0 += 1 }
        }
        #expect(received == [["id": 0], ["id": 1], ["id": 2]])
    }

    @Test("Elements are the same when the network gives one byte at a time")
    func drip() async throws {
        let body = #"{"a":"\u00e9\"€😀","data":[{"name":"é\\😀","year":-1},{"name":"\"]","year":2}] }"#
        let server = try LoopbackServer(.drip("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"))
        var albums: [Album] = []
        for try await album in try await self.body(server).elements(.json(Album.self), at: "data") {
            albums.append(album)
        }
        #expect(albums == [Album(name: "é\\😀", year: -1), Album(name: "\"]", year: 2)])
    }

    @Test("Streams at once do not meet", arguments: [1, 16, 100])
    func crowd(count: Int) async throws {
        let albums = (0..<300).map { #"{"name":"\#(String(repeating: "x", count: 1000))","year":\#($0)}"# }
        let server = try server("[\(albums.joined(separator: ","))]")
        try await withThrowingTaskGroup { group in
            for _ in 0..<count {
                group.addTask {
                    var years: [Int] = []
                    for try await album in try await body(server).elements(.json(Album.self)) {
                        years.append(album.year)
                    }
                    return years
                }
            }
            for try await years in group { #expect(years == Array(0..<300)) }
        }
    }

    @Test("Elements that cannot be decoded are skipped and reported, off the main actor")
    @MainActor
    func skipped() async throws {
        // More than are decoded at once, and among them as many in a row.
        let count = 300
        let invalid = IndexSet(integersIn: 10..<200).union([0, 250, 299])
        let numbers = (0..<count).map { invalid.contains($0) ? "true" : String($0) }
        let server = try server("[\(numbers.joined(separator: ","))]")
        let reports = Monitor<[Int]>([])
        let elements = try await body(server).elements(
            .json(Int.self),
            invalidElements: .skip { index, error in
                #expect(!Thread.isMainThread)
                #expect(error.description.contains("[\(index)]: expected Int, found a boolean"))
                reports.withLock { $0.append(index) }
            })
        var received: [Int] = []
        for try await number in elements { received.append(number) }
        #expect(received == (0..<count).filter { !invalid.contains($0) })
        #expect(reports.value == Array(invalid))
    }

    @Test(
        "Skipping elements does not hide that the document is malformed or cut off",
        arguments: ["[true,1,,", "[true,1"])
    func skippedAndMalformed(text: String) async throws {
        let server = try server(text)
        let reports = Monitor<[Int]>([])
        let elements = try await body(server).elements(
            .json(Int.self), invalidElements: .skip { index, _ in reports.withLock { $0.append(index) } })
        let error = await #expect(throws: NetworkError.self) { for try await _ in elements {} }
        #expect("\(error, default: "none")".contains("not valid JSON"))
        #expect(reports.value == [0])
    }

    @Test("An element is decoded off the main actor")
    @MainActor
    func offTheMainActor() async throws {
        let isOnMainThread = ResultDecoder { _ in Thread.isMainThread }
        let server = try server("[1,2]")
        var count = 0
        for try await isOnMainThread in try await body(server).elements(isOnMainThread) {
            #expect(!isOnMainThread)
            MainActor.assertIsolated()
            count += 1
        }
        #expect(count == 2)
    }

    @Test("An actor is left once for many elements, and each value and error is in its place")
    func onActor() async throws {
        let numbers = (0..<1000).map { $0 == 500 ? "true" : String($0) }.joined(separator: ",")
        let server = try server("[\(numbers),,")
        let reader = CountingActor()
        let outcomes = try await reader.numbers(of: body(server))
        var expected: [Int?] = Array(0..<1000)
        expected[500] = nil
        #expect(outcomes == expected + [nil])
        #expect(reader.entrances.value < 100)
    }

    // MARK: Errors of an element

    @Test(
        "An element that cannot be decoded is an error with its place, and the next one follows",
        arguments: [
            (#"{"name":"Blue","year":"old"}"#, "[1].year: expected Int, found a string"),
            (#"{"name":"Blue"}"#, "[1].year: expected a value, found none"),
            (#"{"name":"Blue","year":1.5}"#, "[1].year: expected Int, found a number that does not fit"),
            (#"{"name":null,"year":1}"#, "[1].name: expected String, found null"),
            (#"{"name":"Blue","year":01}"#, "[1] is not valid JSON (line 1, column 23)"),
            ("[[[[]]]]", "[1]: expected an object, found an array"),
            ("null", "[1]: expected an object, found null"),
        ])
    func place(element: String, finding: String) async throws {
        for (before, after, path, keyPath) in [
            ("", "", "", ""), (#"{"data":{"items":"#, "}}", "data.items", "data.items"),
        ] {
            let server = try server("\(before)[\(Self.blue), \(element) ,\(Self.hejira)]\(after)")
            var albums = try await body(server).elements(.json(Album.self), at: keyPath).makeAsyncIterator()
            #expect(try await albums.next()?.name == "Blue")
            let error = await #expect(throws: NetworkError.self) { try await albums.next() }
            #expect("\(error, default: "none")" == "decodingError(\(path)\(finding))")
            // Nothing is lost.
            #expect(error?.response?.body == Data(element.utf8))
            #expect(error?.response?.header("X-Name") == "x")
            #expect(error?.underlyingError is DecodingError)
            // And the elements go on.
            #expect(try await albums.next()?.name == "Hejira")
            #expect(try await albums.next() == nil)
        }
    }

    @Test("The coding path begins with the key path and the index; of a member, it has the name, too")
    func codingPath() async throws {
        let server = try server(#"{"a":[0,{"b":{"x":{"name":"x","year":1},"7":{}}}]}"#)
        var albums = try await body(server).elements(.json(Album.self), at: "a.1.b").makeAsyncIterator()
        #expect(try await albums.next()?.name == "x")
        let error = await #expect(throws: NetworkError.self) { try await albums.next() }
        if case DecodingError.keyNotFound(let key, let context)? = error?.underlyingError {
            #expect(key.stringValue == "name")
            #expect(context.codingPath.map(\.stringValue) == ["a", "Index 1", "b", "7"])
            #expect(context.codingPath.map(\.intValue) == [nil, 1, nil, 1])
        } else {
            Issue.record(Comment(rawValue: "The error is \(error, default: "none")."))
        }
        #expect("\(error, default: "none")" == "decodingError(a[1].b.7.name: expected a value, found none)")
    }

    @Test("An error that is not of a decoder is underneath one with the place; a NetworkError stays what it is")
    func otherErrors() async throws {
        struct Refusal: Error {}
        let refusing = ResultDecoder<Int> { _ in throw Refusal() }
        let server = try server("[1,2]")
        var numbers = try await body(server).elements(refusing).makeAsyncIterator()
        let error = await #expect(throws: NetworkError.self) { try await numbers.next() }
        if case DecodingError.dataCorrupted(let context)? = error?.underlyingError {
            #expect(context.underlyingError is Refusal)
            #expect(context.codingPath.map(\.intValue) == [0])
        } else {
            Issue.record(Comment(rawValue: "The error is \(error, default: "none")."))
        }
        let failing = ResultDecoder<Int> { _ in throw NetworkError.noData }
        var others = try await body(server).elements(failing).makeAsyncIterator()
        let other = await #expect(throws: NetworkError.self) { try await others.next() }
        #expect("\(other, default: "none")" == "noData")
    }

    // MARK: Errors of the document

    @Test(
        "A document that is malformed gives the elements before, an error with what has arrived, and nothing more",
        arguments: [
            ("[1,,2]", [1]), ("[1 2]", [1]), ("[1,2}", [1, 2]), ("[1,2]]", [1, 2]), ("[1,2] x", [1, 2]), ("[1,2", [1]),
            ("[1,", [1]), ("[1,[2}]", [1]), ("[1,\"2]", [1]), ("[1,nul]", [1]), ("[1,2x,3]", [1, 2]),
            ("{\"a\":1,2}", [1]),
            ("{\"a\":1,\"\\ud800\":2,\"b\":3}", [1]), ("{\"a\":1,\"b\"}", [1]), ("{\"a\" 1}", []), ("x", []),
            ("[1,\(String(repeating: "[", count: 511))]", [1]), ("[1,\(String(repeating: "[", count: 100_000))", [1]),
        ])
    func malformed(text: String, expected: [Int]) async throws {
        let server = try server(text)
        var numbers = try await body(server).elements(.json(Int.self)).makeAsyncIterator()
        for number in expected { #expect(try await numbers.next() == number) }
        let error = await #expect(throws: NetworkError.self) { try await numbers.next() }
        #expect(error?.underlyingError is DecodingError)
        #expect(error?.description.contains("the body is not valid JSON") == true)
        let body = try #require(error?.response?.body)
        #expect(!body.isEmpty && text.contains(String(decoding: body, as: UTF8.self)))
        for _ in 0..<3 { #expect(try await numbers.next() == nil) }
    }

    @Test(
        "What surrounds the array is checked, too",
        arguments: [
            (#"{"x":[1}],"a":[1]}"#, []), (#"{"x":tru,"a":[1]}"#, []), (#"{"\ud800":0,"a":[1]}"#, []),
            (#"{"a":[1],"\x":0}"#, [1]), (#"{"a":[1],"x":nil}"#, [1]), (#"{"a":[1]"#, [1]), (#"{"a":[1]}}"#, [1]),
        ] as [(String, [Int])])
    func surroundings(text: String, expected: [Int]) async throws {
        let server = try server(text)
        var received: [Int] = []
        let numbers = try await body(server).elements(.json(Int.self), at: "a")
        let error = await #expect(throws: NetworkError.self) {
            for try await number in numbers { received.append(number) }
        }
        #expect(error?.description.contains("the body is not valid JSON") == true)
        #expect(received == expected)
    }

    @Test("A page in place of the document is named, and so is an empty body")
    func otherBodies() async throws {
        for (text, finding) in [
            ("<html>", #"the body is not valid JSON (it starts with "<")"#), ("", "the body is empty"),
            (" \n", "the body is empty"),
        ] {
            let server = try server(text)
            var numbers = try await body(server).elements(.json(Int.self)).makeAsyncIterator()
            let error = await #expect(throws: NetworkError.self) { try await numbers.next() }
            #expect("\(error, default: "none")" == "decodingError(\(finding))")
        }
    }

    @Test(
        "What is left in memory is not taken for the beginning of the document",
        arguments: [("\n", "it was cut off after byte 4"), ("<br>", "byte 4"), ("2,,", "byte 6")])
    func rest(text: String, place: String) async throws {
        let gate = Gate()
        let server = try LoopbackServer { _, connection in
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(3 + text.utf8.count)\r\n\r\n[1,")
            gate.wait()
            try connection.send(text)
        }
        var numbers = try await body(server).elements(.json(Int.self)).makeAsyncIterator()
        #expect(try await numbers.next() == 1)
        gate.open()
        let error = await #expect(throws: NetworkError.self) {
            while try await numbers.next() != nil {}
        }
        let finding = "the body is not valid JSON (\(place))"
        #expect("\(error, default: "none")" == "decodingError(\(finding))")
        #expect(error?.response?.body == Data(text.utf8))
    }

    @Test(
        "Other encodings are refused",
        arguments: [
            String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian, .utf32BigEndian,
        ])
    func encodings(encoding: String.Encoding) async throws {
        let server = try LoopbackServer(.ok(try #require("[1,2]".data(using: encoding))))
        var numbers = try await body(server).elements(.json(Int.self)).makeAsyncIterator()
        let error = await #expect(throws: NetworkError.self) { try await numbers.next() }
        if case DecodingError.dataCorrupted(let context)? = error?.underlyingError {
            #expect(
                context.debugDescription.hasPrefix(
                    "The document is not valid JSON in UTF-8: unexpected character at byte "))
            #expect(context.debugDescription.last == ".")
        } else {
            Issue.record(Comment(rawValue: "The error is \(error, default: "none")."))
        }
    }

    @Test(
        "A path that leads to no array or object is an error that says where",
        arguments: [
            ("1", "", "the body: expected an array, found something else"),
            (#"{"a":{"b":"x"}}"#, "a.b", "a.b: expected an array, found something else"),
            (#"{"a":{"c":[1]},"b":[1]}"#, "a.b", "a.b: expected a value, found none"),
            (#"{"a":7}"#, "a.b", "a: expected an object, found something else"),
            (#"{"a":null}"#, "a.b", "a: expected an object, found something else"),
            (#"{"a":[{"b":[1]}]}"#, "a.b", "a: expected an object, found something else"),
            (#"{"a":[[1],[2]]}"#, "a.2", "a.2: expected a value, found none"),
            (#"{"a":[[1],[2]]}"#, "a.-1", "a.-1: expected a value, found none"),
            (#"{"a":[[1],[2]]}"#, "a.\(Int.min)", "a.\(Int.min): expected a value, found none"),
            (#"{"a":[[1],[2]]}"#, "a.\(Int.max)", "a.\(Int.max): expected a value, found none"),
            (#"{"a":true,"a":[1]}"#, "a", "a: expected an array, found something else"),
        ])
    func paths(text: String, keyPath: String, finding: String) async throws {
        let server = try server(text)
        var numbers = try await body(server).elements(.json(Int.self), at: keyPath).makeAsyncIterator()
        let error = await #expect(throws: NetworkError.self) { try await numbers.next() }
        #expect("\(error, default: "none")" == "decodingError(\(finding))")
        #expect(try await numbers.next() == nil)
    }

    @Test("After an error of the document, nothing more is requested")
    func hangsUp() async throws {
        let server = try LoopbackServer(.stalled(after: "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n[1,,"))
        var numbers = try await body(server).elements(.json(Int.self)).makeAsyncIterator()
        #expect(try await numbers.next() == 1)
        await #expect(throws: NetworkError.self) { try await numbers.next() }
        try await server.connectionsClosed()
        #expect(try await numbers.next() == nil)
    }

    // MARK: Errors of the stream

    @Test("A body that is cut off is a transport error after the elements before, and then nothing")
    func lostConnection() async throws {
        for text in ["[1,2", "[1,2]", "[1,2,"] {
            let server = try LoopbackServer(.truncated(text, of: 100))
            var numbers = try await body(server).elements(.json(Int.self)).makeAsyncIterator()
            #expect(try await numbers.next() == 1)
            if text != "[1,2" { #expect(try await numbers.next() == 2) }
            let error = await #expect(throws: NetworkError.self) { try await numbers.next() }
            #expect(error?.urlError?.code == .networkConnectionLost)
            for _ in 0..<3 { #expect(try await numbers.next() == nil) }
        }
    }

    @Test("A cancelled reader gets none of what has arrived")
    func cancelled() async throws {
        let numbers = (0..<100_000).map(String.init).joined(separator: ",")
        let server = try LoopbackServer(
            .stalled(after: "HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n[\(numbers),"))
        let body = try await body(server)
        let reading = Task {
            var count = 0
            do throws(NetworkError) {
                for try await _ in body.elements(.json(Int.self)) {
                    count += 1
                    if count == 3 { withUnsafeCurrentTask { $0?.cancel() } }
                }
            } catch {
                return (count, error.isCancelled)
            }
            return (count, false)
        }
        #expect(await reading.value == (3, true))
        try await server.connectionsClosed()
    }

    @Test("Leaving the loop hangs up")
    func leaving() async throws {
        let server = try LoopbackServer(.stalled(after: "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n[1,2,"))
        for try await number in try await body(server).elements(.json(Int.self)) {
            #expect(number == 1)
            break
        }
        try await server.connectionsClosed()
    }
}

/// Counts how often it is entered.
private actor CountingActor {
    private final class Executor: SerialExecutor {
        let entrances = Monitor(0)
        private let queue = DispatchQueue(label: "CountingActor")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            entrances.withLock { $0 += 1 }
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    private nonisolated let executor = Executor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    nonisolated var entrances: Monitor<Int> { executor.entrances }

    /// The numbers of an array, and nil for each error.
    func numbers(of body: ResponseBytes) async -> [Int?] {
        var numbers = body.elements(.json(Int.self)).makeAsyncIterator()
        var outcomes: [Int?] = []
        while true {
            do {
                guard let number = try await numbers.next(isolation: self) else { return outcomes }
                outcomes.append(number)
            } catch {
                outcomes.append(nil)
            }
        }
    }
}
