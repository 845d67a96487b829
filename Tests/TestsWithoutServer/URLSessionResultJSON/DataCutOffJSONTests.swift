import Foundation
import Testing

@testable import URLSessionResultJSON

/// Tells a document that was cut off from one that is malformed.
struct DataCutOffJSONTests {
    private static let document = Data(#" {"a": [1, -2.5e3, "x\"\u00e9\n", true, null, {}], "b": {"c": []}} "#.utf8)

    @Test("Every beginning of a document was cut off, and the document was not")
    func beginnings() {
        let end = Self.document.count - 1
        for length in 0..<end { #expect(Self.document.prefix(length).isCutOffJSON, "\(length)") }
        for length in end...Self.document.count { #expect(!Self.document.prefix(length).isCutOffJSON) }
    }

    @Test(
        "A malformed document was not cut off, nor was a number that may go on",
        arguments: ["{]", "[1 2", #"{"a" 1"#, "x", "[tru]", "12", "-1.5", "[1]]", "\u{FEFF}3"])
    func others(document: String) {
        #expect(!Data(document.utf8).isCutOffJSON)
    }
}
