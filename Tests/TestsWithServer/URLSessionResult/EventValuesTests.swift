import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

@Suite("The values of events", .inTurn)
struct EventValuesTests {
    private let session = URLSession(configuration: .forTests)

    /// Kept until the test has ended, because the body may arrive after the head.
    private let server = Monitor<LoopbackServer?>(nil)

    private func values(_ body: String, headers: KeyValuePairs<String, String> = [:]) async throws
        -> ResponseBytes.Events.Values<Int>
    {
        let server = try LoopbackServer(.ok(body, headers: headers))
        self.server.withLock { $0 = server }
        return try await session.bytesResult(from: server.url()).get().body.events.values(.json(Int.self))
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

    @Test("A body that is no event stream is an error")
    func otherBody() async throws {
        let values = try await values("{}", headers: ["Content-Type": "application/json"])
        let error = await #expect(throws: NetworkError.self) { for try await _ in values {} }
        guard case .decodingError(_, let response)? = error else { return #expect(Bool(false)) }
        #expect(response?.body == Data("{}".utf8))
    }
}
