import Foundation
import Testing

@testable import URLSessionResultJSON

/// The error of an element of a stream, as an error of its document.
struct DecodingErrorStreamedElementTests {
    private static let context = DecodingError.Context(
        codingPath: [JSONKey(stringValue: "b")], debugDescription: "why", underlyingError: CocoaError(.fileNoSuchFile))

    @Test(
        "The path to an element comes before that of its error, and all else stays",
        arguments: [
            (.typeMismatch(Int.self, context), "typeMismatch Int"),
            (.valueNotFound(Int.self, context), "valueNotFound Int"),
            (.keyNotFound(JSONKey(stringValue: "c"), context), "keyNotFound c"),
            (.dataCorrupted(context), "dataCorrupted"),
        ] as [(DecodingError, String)])
    func path(error: DecodingError, kind: String) {
        let summary = DecodingError(error, inside: [JSONKey(stringValue: "a")]).summary
        #expect(summary == "\(kind) at a.b: why, because of CocoaError 4")
    }

    @Test("An error of a model's own is the cause of one without a description")
    func otherError() {
        let summary = DecodingError(CocoaError(.coderReadCorrupt), inside: [JSONKey(stringValue: "a")]).summary
        #expect(summary == "dataCorrupted at a: , because of CocoaError 4864")
    }
}

extension DecodingError {
    fileprivate var summary: String {
        switch self {
        case .typeMismatch(let type, let context): "typeMismatch \(type)\(context.summary)"
        case .valueNotFound(let type, let context): "valueNotFound \(type)\(context.summary)"
        case .keyNotFound(let key, let context): "keyNotFound \(key.stringValue)\(context.summary)"
        case .dataCorrupted(let context): "dataCorrupted\(context.summary)"
        @unknown default: "unknown"
        }
    }
}

extension DecodingError.Context {
    fileprivate var summary: String {
        let path = codingPath.map(\.stringValue).joined(separator: ".")
        let cause = (underlyingError as? CocoaError).map { "CocoaError \($0.errorCode)" } ?? "nothing"
        return " at \(path): \(debugDescription), because of \(cause)"
    }
}
