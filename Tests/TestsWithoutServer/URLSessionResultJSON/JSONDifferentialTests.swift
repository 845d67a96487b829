import Foundation
import Testing

@testable import URLSessionResultJSON
@testable import TestSupport

/// Holds the decoders against `JSONDecoder`; `make fuzz` does the same with documents that it finds itself.
struct JSONDifferentialTests {
    @Test(
        "On odd and damaged documents the decoders do what JSONDecoder does, in one piece and in parts",
        arguments: 0..<8)
    func documents(seed: UInt64) async throws {
        var documents = JSONDocuments(seed: seed)
        var accepted = 0
        var acceptedInEnvelope = 0
        var splitInEnvelope = 0
        for number in 0..<180 {
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
            if (try? JSONReference.values(of: JSONOnlooker.self, in: document)) != nil { accepted += 1 }
            if (try? JSONReference.values(of: JSONOnlooker.self, in: document, .ab)) != nil { acceptedInEnvelope += 1 }
            let json = SharedJSONDecoder.inParts
            let values = json.onlyInParts(
                .object, of: JSONOnlooker.self, in: document, at: JSONReference.Envelope.ab.path)
            if values != nil { splitInEnvelope += 1 }
        }
        #expect(accepted > 27, "hardly any document is JSON")
        #expect(acceptedInEnvelope > 4, "hardly any document has a collection in an envelope")
        #expect(splitInEnvelope > 0, "hardly any object in an envelope is split")
    }

    @Test("On odd and damaged documents the elements of a stream are those that JSONDecoder finds", arguments: 0..<8)
    func elements(seed: UInt64) async throws {
        var documents = JSONDocuments(seed: seed)
        var generator = SeededGenerator(seed: seed)
        for number in 0..<180 {
            let document = documents.next()
            let sizes = (0..<10).map { _ in Int.random(in: 0...9, using: &generator) }
            let disagreement =
                switch number % 3 {
                case 0: JSONElementsReference.disagreement(on: document, divided: [sizes], of: JSONContent.self)
                case 1: JSONElementsReference.disagreement(on: document, divided: [sizes], of: JSONUnread.self)
                default: JSONElementsReference.disagreement(on: document, divided: [sizes], of: Int?.self)
                }
            let text = String(decoding: document, as: UTF8.self)
            try #require(disagreement == nil, "seed \(seed), document \(number): \(text)")
            await Task.yield()
        }
    }
}
