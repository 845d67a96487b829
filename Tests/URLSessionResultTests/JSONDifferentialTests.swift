import Foundation
import Testing

@testable import URLSessionResult

/// Holds the decoders against `JSONDecoder`; `make fuzz` does the same with documents that it finds itself.
@Suite struct JSONDifferentialTests {
    @Test(
        "On odd and damaged documents the decoders do what JSONDecoder does, in one piece and in parts",
        arguments: 0..<8)
    func documents(seed: UInt64) async throws {
        var documents = JSONDocuments(seed: seed)
        var accepted = 0
        for number in 0..<3000 {
            let document = documents.next()
            let disagreement =
                switch number % 3 {
                case 0: JSONReference.disagreement(on: document, of: JSONNode.self)
                case 1: JSONReference.disagreement(on: document, of: JSONOnlooker.self)
                default: JSONReference.disagreement(on: document, of: Int?.self)
                }
            let text = String(decoding: document, as: UTF8.self)
            try #require(disagreement == nil, "seed \(seed), document \(number): \(text)")
            // The other tests want their turn.
            await Task.yield()
            accepted += (try? JSONReference.values(of: JSONOnlooker.self, in: document)) == nil ? 0 : 1
        }
        #expect(accepted > 500, "hardly any document is JSON")
    }
}
