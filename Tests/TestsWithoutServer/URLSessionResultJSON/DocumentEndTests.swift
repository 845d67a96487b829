import Foundation
import Testing

@testable import URLSessionResultJSON

/// Documents whose last token is a number, beyond which `JSONDecoder` reads.
struct DocumentEndTests {
    /// Calls `body` with a document that memory follows which cannot be read.
    private func withUnreadableMemory<Result>(after text: String, _ body: (Data) throws -> Result) throws -> Result {
        let size = Int(getpagesize())
        let protection = PROT_READ | PROT_WRITE
        let pages = mmap(nil, 2 * size, protection, MAP_PRIVATE | MAP_ANON, -1, 0)
        let memory = try #require(pages == MAP_FAILED ? nil : pages)
        defer { munmap(memory, 2 * size) }
        try #require(mprotect(memory + size, size, PROT_NONE) == 0)
        let bytes = Array(text.utf8)
        let start = memory + size - bytes.count
        start.copyMemory(from: bytes, byteCount: bytes.count)
        return try body(Data(bytesNoCopy: start, count: bytes.count, deallocator: .none))
    }

    private func decoder(allowsJSON5: Bool, assumesTopLevelDictionary: Bool = false) -> SharedJSONDecoder {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = allowsJSON5
        decoder.assumesTopLevelDictionary = assumesTopLevelDictionary
        return SharedJSONDecoder(decoder: decoder)
    }

    @Test("A number at the end of a document is read, and nothing beyond it", arguments: [false, true])
    func number(allowsJSON5: Bool) throws {
        let json = decoder(allowsJSON5: allowsJSON5)
        for (text, expected) in [("12345678901234567890.5", 12_345_678_901_234_567_168), ("1.50000000000000000", 1.5)] {
            #expect(try withUnreadableMemory(after: text) { try json.value(Double.self, in: $0) } == expected)
        }
    }

    @Test(
        "A number at the end of a document without brackets is read, and nothing beyond it", arguments: [false, true])
    func numberOfMember(allowsJSON5: Bool) throws {
        let json = decoder(allowsJSON5: allowsJSON5, assumesTopLevelDictionary: true)
        let key = "a key of some length"
        let read = try withUnreadableMemory(after: "\"\(key)\":1.5") { try json.value([String: Double].self, in: $0) }
        #expect(read == [key: 1.5])
        #expect(throws: DecodingError.self) {
            try withUnreadableMemory(after: "\"\(key)\":0x") { try json.value([String: Double].self, in: $0) }
        }
    }

    @Test(
        "Documents of few bytes are decoded as by JSONDecoder, in any encoding",
        arguments: [
            [0x32, 0], [0, 0x32], [0xFF, 0xFE, 0x32, 0], [0xFE, 0xFF, 0, 0x32], [0, 0, 0, 0x32], [0x32, 0, 0, 0],
            [0xFF, 0xFE], [0xFE, 0xFF], [0xFF, 0xFE, 0x32], [0xFE, 0xFF, 0x32], [0x32, 0, 0x33], [0, 0x32, 0], [0], [],
            [0x32, 0, 0x20], [0xEF, 0xBB, 0xBF], [0xEF, 0xBB, 0xBF, 0x32], [0xFF], [0, 0], [0, 0, 0x32], [0x32, 0, 0],
        ] as [[UInt8]])
    func shortDocument(bytes: [UInt8]) {
        #expect(JSONReference.disagreement(on: Data(bytes), of: Int.self) == nil)
        #expect(JSONReference.disagreement(on: Data(bytes), of: JSONOnlooker.self) == nil)
    }
}
