import Foundation
import Testing

@testable import URLSessionResultJSON

struct JSONScannerTests {
    @Test(
        "An error says what is wrong, and at which byte, from 1 on",
        arguments: [
            ("[1", "unexpected end at byte 2."), ("[1, x]", "unexpected character at byte 5."),
            (String(repeating: "[", count: 600), "too deep a nesting at byte 513."),
        ])
    func message(document: String, problem: String) throws {
        let error = #expect(throws: DecodingError.self) {
            var scanner = JSONScanner()
            try Data(document.utf8).withUnsafeBytes { bytes in
                while try scanner.next(in: bytes) != nil {}
            }
            try scanner.finish()
        }
        let text = "The document is not valid JSON in UTF-8: \(problem)"
        guard case .dataCorrupted(let context)? = error, context.debugDescription == text else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
