import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

struct ResultDecoderBytesTests {
    private struct Header {
        init?(bytes: Data) {
            guard bytes.starts(with: [0x89, 0x50]) else { return nil }
        }
    }

    private func decode<T>(_ body: Data, with decoder: ResultDecoder<T>) throws -> T {
        try decoder.decode(body)
    }

    @Test("data gives the bytes as they came", arguments: [Data(), Data([0, 0xFF, 0x80]), Data("text".utf8)])
    func data(body: Data) throws {
        #expect(try decode(body, with: .data) == body)
    }

    @Test("ignored succeeds with any body", arguments: [Data(), Data([0xFF])])
    func ignored(body: Data) throws {
        try decode(body, with: .ignored)
    }

    @Test("string reads UTF-8 unless told otherwise", arguments: ["", "plain", "Köln 東京 👩‍👩‍👧", "\u{0}"])
    func string(text: String) throws {
        #expect(try decode(Data(text.utf8), with: .string()) == text)
    }

    @Test("string reads the encoding it is given", arguments: [String.Encoding.isoLatin1, .utf16, .utf32LittleEndian])
    func stringEncodings(encoding: String.Encoding) throws {
        let body = try #require("Grüße".data(using: encoding))
        #expect(try decode(body, with: .string(encoding: encoding)) == "Grüße")
    }

    @Test("string refuses what is no text in its encoding")
    func stringRefuses() {
        #expect(throws: NetworkError.self) { try decode(Data([0xC3, 0x28]), with: .string()) }
        let failure = ResultDecoder<String>.string(encoding: .ascii).failure("Grüße")
        #expect(failure == "typeMismatch(String) at []: Found other bytes.")
    }

    @Test("binary uses a failable initializer, and names the type when it refuses")
    func binary() throws {
        _ = try decode(Data([0x89, 0x50, 0x4E]), with: .binary(Header.init(bytes:)))
        let failure = ResultDecoder.binary(Header.init(bytes:)).failure("GIF")
        #expect(failure == "typeMismatch(Header) at []: Found other bytes.")
    }

    @Test("binary passes on what its function throws")
    func binaryThrows() {
        let decoder = ResultDecoder<Int>.binary { _ in throw CocoaError(.fileReadCorruptFile) }
        guard case .failure(.decodingError(let error, _)) = decoder.decode(.success(Data())) else {
            Issue.record("not a decodingError")
            return
        }
        #expect((error as? CocoaError)?.code == .fileReadCorruptFile)
    }
}
