import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Bodies that are text, in the charset of `Content-Type`.
struct ResultDecoderStringTests {
    private func decode(
        _ body: Data, contentType: String?, encoding: String.Encoding? = nil
    ) throws -> Result<String, NetworkError> {
        let urlResponse = try #require(
            HTTPURLResponse(
                url: URL(fileURLWithPath: "/"), statusCode: 200, httpVersion: nil,
                headerFields: contentType.map { ["Content-Type": $0] }))
        return NetworkResponse(body: body, urlResponse: urlResponse).decode(with: .string(encoding: encoding))
    }

    @Test(
        "Text is read in the charset of Content-Type, whatever the capitalization",
        arguments: [
            ("utf-8", "Café 雨", [0x43, 0x61, 0x66, 0xC3, 0xA9, 0x20, 0xE9, 0x9B, 0xA8]),
            ("UTF-8", "é", [0xC3, 0xA9]),
            (#""utf-8""#, "é", [0xC3, 0xA9]),
            ("ISO-8859-1", "é\u{80}", [0xE9, 0x80]),
            ("iso-8859-15", "é€", [0xE9, 0xA4]),
            ("windows-1252", "é€", [0xE9, 0x80]),
            ("windows-1251", "Да", [0xC4, 0xE0]),
            ("koi8-r", "Да", [0xE4, 0xC1]),
            ("Shift_JIS", "雨", [0x89, 0x4A]),
            ("euc-kr", "가", [0xB0, 0xA1]),
            ("gb18030", "啊", [0xB0, 0xA1]),
            ("iso-8859-5", "Д", [0xB4]),
            ("iso-8859-7", "γ", [0xE3]),
            ("iso-8859-9", "ş", [0xFE]),
            ("windows-1255", "א", [0xE0]),
            ("windows-1256", "ا", [0xC7]),
            ("koi8-u", "ї", [0xA7]),
            ("big5", "一", [0xA4, 0x40]),
            ("gbk", "啊", [0xB0, 0xA1]),
            ("utf-16", "é", [0xFE, 0xFF, 0x00, 0xE9]),
            ("utf-16", "é", [0xFF, 0xFE, 0xE9, 0x00]),
            ("utf-16", "é", [0x00, 0xE9]),
            ("utf-16le", "é", [0xE9, 0x00]),
            ("utf-16be", "é", [0x00, 0xE9]),
            ("utf-32be", "é", [0x00, 0x00, 0x00, 0xE9]),
            ("utf-32le", "é", [0xE9, 0x00, 0x00, 0x00]),
            ("iso-8859-2", "ł", [0xB3]),
            ("windows-1250", "ł€", [0xB3, 0x80]),
            ("windows-1253", "γ€", [0xE3, 0x80]),
            ("windows-1254", "ş€", [0xFE, 0x80]),
            ("iso-2022-jp", "雨", [0x1B, 0x24, 0x42, 0x31, 0x2B, 0x1B, 0x28, 0x42]),
            ("utf-32", "é", [0x00, 0x00, 0xFE, 0xFF, 0x00, 0x00, 0x00, 0xE9]),
            ("us-ascii", "e", [0x65]),
        ] as [(String, String, [UInt8])])
    func charset(name: String, text: String, bytes: [UInt8]) throws {
        #expect(try decode(Data(bytes), contentType: "text/plain; charset=\(name)").get() == text)
        #expect(try decode(Data(bytes), contentType: "text/plain;CHARSET=\(name); x=y").get() == text)
    }

    @Test(
        "Text without a charset is UTF-8",
        arguments: [nil, "text/plain", "text/html; x=y", "charset", "text/html; charset=", "text/html; charset=\"\""])
    func noCharset(contentType: String?) throws {
        #expect(try decode(Data("Café".utf8), contentType: contentType).get() == "Café")
        let latin1 = try decode(Data([0xE9]), contentType: contentType).error
        #expect(latin1?.description == "decodingError(the body: expected String, found other bytes)")
    }

    @Test("Bytes without a response are UTF-8")
    func noResponse() throws {
        #expect(try ResultDecoder.string().decode(.success(Data("Café".utf8))).get() == "Café")
    }

    @Test(
        "Text that is not in its charset is a decodingError that names String", arguments: ["utf-8", "us-ascii"])
    func wrongCharset(name: String) throws {
        let error = try decode(Data([0xE9]), contentType: "text/plain; charset=\(name)").error
        #expect(error?.description == "decodingError(the body: expected String, found other bytes)")
    }

    @Test("An unknown charset is a decodingError that names it, in safe characters")
    func unknownCharset() throws {
        let error = try decode(Data(), contentType: "text/plain; charset=x-wrong").error
        #expect(error?.description == #"decodingError(the body: expected a known charset, found "x-wrong")"#)
        let hostile = try decode(Data(), contentType: "text/plain; charset=a\u{1B}[2K").error
        #expect(hostile?.description.contains("\u{1B}") == false)
    }

    @Test("An explicit encoding wins over the charset")
    func explicitEncoding() throws {
        let body = Data([0xE9])
        #expect(try decode(body, contentType: "text/plain; charset=utf-8", encoding: .isoLatin1).get() == "é")
        #expect(try decode(body, contentType: "text/plain; charset=x-wrong", encoding: .isoLatin1).get() == "é")
    }
}
