import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// The values of the lines of a stream.
@Suite(.inTurn)
struct ResponseBytesValuesTests {
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

    @Test(
        "Each line that is not empty is a value",
        arguments: [
            "\(blue)\n\(hejira)\n", "\(blue)\r\n\(hejira)\r\n", "\(blue)\n\(hejira)", "\n\n\(blue)\n\r\n\(hejira)\n\n",
        ])
    func values(text: String) async throws {
        let server = try server(text)
        var albums: [Album] = []
        for try await album in try await body(server).lines.values(.json(Album.self)) { albums.append(album) }
        #expect(albums == [Album(name: "Blue", year: 1971), Album(name: "Hejira", year: 1976)])
    }

    @Test("Every value is there before the server sends the next line")
    func valuesInTime() async throws {
        let turns = Monitor(0)
        let server = try LoopbackServer { _, connection in
            try connection.sendHead(200, headers: ["Connection": "close"], contentLength: nil)
            for index in 0..<3 {
                turns.wait { $0 == index }
                try connection.send("\(index)\n")
            }
            turns.wait { $0 == 3 }
            connection.close()
        }
        var received: [Int] = []
        for try await number in try await body(server).lines.values(.json(Int.self)) {
            received.append(number)
            turns.withLock { $0 += 1 }
        }
        #expect(received == [0, 1, 2])
    }

    @Test(
        "A line that cannot be decoded is an error with the number of the line",
        arguments: [
            (#"{"name":"Blue","year":"old"}"#, "line 3: year: expected Int, found a string"),
            (#"{"name":"Blue"}"#, "line 3: year: expected a value, found none"),
            (#"{"name":null,"year":1}"#, "line 3: name: expected String, found null"),
            ("{", "line 3: the body is not valid JSON (it was cut off after byte 1)"),
            ("<html>", #"line 3: the body is not valid JSON (it starts with "<")"#),
        ])
    func lineNumber(line: String, finding: String) async throws {
        let server = try server("\(Self.blue)\n\n\(line)\n\(Self.hejira)")
        var albums = try await body(server).lines.values(.json(Album.self)).makeAsyncIterator()
        #expect(try await albums.next()?.name == "Blue")
        let error = await #expect(throws: NetworkError.self) { try await albums.next() }
        #expect("\(error, default: "none")" == "decodingError(\(finding))")
        // Nothing is lost.
        #expect(error?.response?.body == Data(line.utf8))
        #expect(error?.response?.header("X-Name") == "x")
        #expect(error?.underlyingError is DecodingError)
        // And the stream goes on.
        #expect(try await albums.next()?.name == "Hejira")
        #expect(try await albums.next() == nil)
    }

    @Test("The number is the first key of the coding path")
    func codingPath() async throws {
        let server = try server("\n{}\n")
        var albums = try await body(server).lines.values(.json(Album.self)).makeAsyncIterator()
        let error = await #expect(throws: NetworkError.self) { try await albums.next() }
        if case DecodingError.keyNotFound(_, let context)? = error?.underlyingError {
            #expect(context.codingPath.map(\.intValue) == [2])
            #expect(context.codingPath.map(\.stringValue) == ["line 2"])
        } else {
            Issue.record(Comment(rawValue: "The error is \(error, default: "none")."))
        }
    }

    @Test("An error that is not of a decoder is underneath one with the number; a NetworkError stays what it is")
    func otherErrors() async throws {
        struct Refusal: Error {}
        let refusing = ResultDecoder<Int> { _ in throw Refusal() }
        let server = try server("1\n2\n")
        var numbers = try await body(server).lines.values(refusing).makeAsyncIterator()
        let error = await #expect(throws: NetworkError.self) { try await numbers.next() }
        #expect("\(error, default: "none")" == "decodingError(line 1: Refusal 1)")
        if case DecodingError.dataCorrupted(let context)? = error?.underlyingError {
            #expect(context.underlyingError is Refusal)
        } else {
            Issue.record(Comment(rawValue: "The error is \(error, default: "none")."))
        }

        let failing = ResultDecoder<Int> { _ in throw NetworkError.noData }
        var others = try await body(server).lines.values(failing).makeAsyncIterator()
        let other = await #expect(throws: NetworkError.self) { try await others.next() }
        #expect("\(other, default: "none")" == "noData")
    }

    @Test("A decoder of the whole response gets the line and the head")
    func response() async throws {
        let server = try server("1\n2\n")
        var responses = try await body(server).lines.values(.response(.json(Int.self))).makeAsyncIterator()
        let first = try #require(try await responses.next())
        #expect(first.body == 1)
        #expect(first.statusCode == 200)
        #expect(first.header("X-Name") == "x")
        #expect(try await responses.next()?.body == 2)
    }

    @Test("A value before an error is given, half a line is not")
    func lostConnection() async throws {
        let server = try LoopbackServer(.truncated("1\n2", of: 100))
        var received: [Int] = []
        let values = try await body(server).lines.values(.json(Int.self))
        let error = await #expect(throws: NetworkError.self) {
            for try await value in values { received.append(value) }
        }
        #expect(error?.urlError?.code == .networkConnectionLost)
        #expect(received == [1])
    }

    @Test("Lines that cannot be decoded are skipped and reported with their positions")
    func skipped() async throws {
        let server = try server("1\n\nno\n{\n4\nlast")
        let reports = Monitor<[String]>([])
        let values = try await body(server).lines.values(
            .json(Int.self),
            invalidElements: .skip { index, error in
                let line = String(decoding: error.response?.body ?? Data(), as: UTF8.self)
                reports.withLock { $0.append("\(index) \(line)") }
            })
        var numbers: [Int] = []
        for try await number in values { numbers.append(number) }
        #expect(numbers == [1, 4])
        #expect(reports.value == ["1 no", "2 {", "4 last"])
    }

    @Test("Skipping lines does not hide that the body breaks off")
    func skippedAndLost() async throws {
        let server = try LoopbackServer(.truncated("no\n2", of: 100))
        let values = try await body(server).lines.values(.json(Int.self), invalidElements: .skip { _, _ in })
        let error = await #expect(throws: NetworkError.self) { for try await _ in values {} }
        #expect(error?.urlError?.code == .networkConnectionLost)
    }

    @Test("A line is decoded off the main actor")
    @MainActor
    func offTheMainActor() async throws {
        let isOnMainThread = ResultDecoder { _ in Thread.isMainThread }
        let server = try server("1\n2\n")
        var count = 0
        for try await isOnMainThread in try await body(server).lines.values(isOnMainThread) {
            #expect(!isOnMainThread)
            MainActor.assertIsolated()
            count += 1
        }
        #expect(count == 2)
    }
}
