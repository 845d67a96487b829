import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

@Suite(.inTurn)
struct EventValuesTests {
    private let session = URLSession(configuration: .forTests)

    /// Kept until the test has ended, because the body may arrive after the head.
    private let server = Monitor<LoopbackServer?>(nil)

    private func values(
        _ body: String, headers: KeyValuePairs<String, String> = [:], until end: String? = nil,
        invalidElements: InvalidElements = .fail
    ) async throws -> ResponseBytes.Values<Int> {
        let server = try LoopbackServer(.ok(body, headers: headers))
        self.server.withLock { $0 = server }
        return try await session.bytesResult(from: server.url()).get().body.events.values(
            .json(Int.self), until: end, invalidElements: invalidElements)
    }

    @Test("They are the decoded data, and those after one that cannot be decoded follow")
    func values() async throws {
        var values = try await values("data: 1\n\n: ping\n\nevent: x\ndata: no\n\nid: 7\ndata: 2\n\n")
            .makeAsyncIterator()
        #expect(try await values.next() == 1)
        let error = await #expect(throws: NetworkError.self) { try await values.next() }
        guard case .decodingError(DecodingError.dataCorrupted(let context), let response)? = error else {
            return #expect(Bool(false))
        }
        #expect(context.codingPath.map(\.stringValue) == ["event 2"])
        #expect(response?.body == Data("no".utf8))
        #expect(error?.description.contains("event 2") == true)
        #expect(try await values.next() == 2)
        #expect(try await values.next() == nil)
        #expect(try await values.next() == nil)
    }

    @Test(
        "They end before the event with the given data, or with the body, and an event without its end is dropped",
        arguments: [
            ("[DONE]", [1]), ("2", [1]), ("1", []), ("[done]", nil), (nil, nil),
        ] as [(String?, [Int]?)])
    func end(word: String?, expected: [Int]?) async throws {
        let body = "data: 1\n\ndata: [DONE]\n\ndata: 2\n\ndata: 3\n"
        let text = word == "2" ? "data: 1\n\ndata: 2\n\ndata: no\n\n" : body
        let values = try await values(text, until: word)
        var received: [Int] = []
        guard let expected else {
            await #expect(throws: NetworkError.self) { for try await value in values { received.append(value) } }
            return #expect(received == [1])
        }
        for try await value in values { received.append(value) }
        #expect(received == expected)
    }

    @Test("Events that cannot be decoded are skipped and reported with their positions")
    func skipped() async throws {
        let reports = Monitor<[String]>([])
        let values = try await values(
            "data: 1\n\n: ping\n\ndata: no\n\ndata: {\n\ndata: 4\n\ndata: 5\n",
            invalidElements: .skip { index, error in
                let data = String(decoding: error.response?.body ?? Data(), as: UTF8.self)
                reports.withLock { $0.append("\(index) \(data)") }
            })
        var received: [Int] = []
        for try await value in values { received.append(value) }
        #expect(received == [1, 4])
        #expect(reports.value == ["1 no", "2 {"])
    }

    @Test("A body that is no event stream is an error")
    func otherBody() async throws {
        let values = try await values("{}", headers: ["Content-Type": "application/json"])
        let error = await #expect(throws: NetworkError.self) { for try await _ in values {} }
        guard case .decodingError(_, let response)? = error else { return #expect(Bool(false)) }
        #expect(response?.body == Data("{}".utf8))
    }
}
