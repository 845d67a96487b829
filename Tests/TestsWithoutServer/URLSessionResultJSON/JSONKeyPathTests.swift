import Foundation
import Testing

@testable import URLSessionResultJSON
@testable import TestSupport

struct JSONKeyPathTests {
    private func value(at path: String, in document: String) throws -> Int {
        try SharedJSONDecoder.whole.value(Int.self, in: Data(document.utf8), at: JSONKeyPath(path))
    }

    @Test(
        "A path leads to a member, to an element, and to a member that is called by a number",
        arguments: [
            ("", "7"), ("a", #"{"a": 7}"#), ("a.b", #"{"a": {"b": 7}}"#), ("0", "[7, 1]"), ("1", "[1, 7]"),
            ("a.1.b", #"{"a": [1, {"b": 7}]}"#), ("0", #"{"0": 7}"#), ("a.", #"{"a": {"": 7}}"#),
        ])
    func found(path: String, document: String) throws {
        #expect(try value(at: path, in: document) == 7)
    }

    @Test(
        "An error names the step that leads nowhere",
        arguments: [
            ("b", #"{"a": 7}"#, ""), ("a.c", #"{"a": {"b": 7}}"#, "a"), ("2", "[1, 7]", "Index 2"),
            ("-1", "[7]", "Index -1"), ("a.0", #"{"a": []}"#, "a Index 0"), ("a.b", #"{"a": 7}"#, "a"),
        ])
    func notFound(path: String, document: String, place: String) throws {
        let error = #expect(throws: DecodingError.self) { try value(at: path, in: document) }
        let codingPath = try #require(error?.codingPath)
        #expect(codingPath.map(\.stringValue).joined(separator: " ") == place)
    }

    @Test("What is around a value makes a document of it")
    func around() {
        let path = JSONKeyPath("a.b")
        #expect(path.opening + "7" + path.closing == #"{"a":{"b":7}}"#)
        #expect(JSONKeyPath.root.opening + "7" + JSONKeyPath.root.closing == "7")
    }
}

extension DecodingError {
    fileprivate var codingPath: [any CodingKey]? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context.codingPath
        @unknown default: nil
        }
    }
}
