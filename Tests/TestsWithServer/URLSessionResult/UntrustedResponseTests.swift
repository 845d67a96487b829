import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// A server sends a document that crashes `JSONDecoder`.
@Suite(.inTurn)
struct UntrustedResponseTests {
    private static let deepDocument = Data(repeating: UInt8(ascii: "["), count: 513)

    @Test(
        "A document whose last byte opens the 513th level is a decodingError with the response",
        arguments: DecoderForm.all)
    func deepResponse(_ form: DecoderForm) async throws {
        let server = try LoopbackServer(.ok(Self.deepDocument))
        let error = try #require(await form(server.url()).error)
        guard case .decodingError(_, let response) = error else { throw error }
        #expect(response?.body == Self.deepDocument)
    }

    @Test("So is a line of a stream, and the stream goes on", arguments: [1, 16, 100])
    func deepLine(count: Int) async throws {
        let server = try LoopbackServer(.ok(Data("1\n".utf8) + Self.deepDocument + Data("\n2\n".utf8)))
        let session = URLSession(configuration: .forTests)
        try await withThrowingTaskGroup { group in
            for _ in 0..<count {
                group.addTask {
                    let body = try await session.bytesResult(from: server.url()).get().body
                    var values = body.lines.values(.json(Int.self)).makeAsyncIterator()
                    #expect(try await values.next() == 1)
                    let error = await #expect(throws: NetworkError.self) { try await values.next() }
                    #expect(error?.response?.body == Self.deepDocument)
                    #expect(try await values.next() == 2)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("The body of an error response may be one, too")
    func deepErrorBody() async throws {
        let server = try LoopbackServer(.status(500, Self.deepDocument))
        let session = URLSession(configuration: .forTests)
        let response = try #require(await session.dataResult(from: server.url()).error?.response)
        guard case .decodingError = response.decode(with: .json([Int].self)).error else {
            Issue.record("It is no decodingError.")
            return
        }
    }
}
