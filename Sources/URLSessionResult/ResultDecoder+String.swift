import Foundation

// The charsets are compiled into the module that asks for text, as the twins in URLSession+Data.swift: 7 kB.

extension ResultDecoder where T == String {
    /// Creates a decoder that reads the body as text.
    ///
    /// - Parameter encoding: The encoding of the text, whatever the headers say. With `nil`, it is the charset of
    ///   `Content-Type` (RFC 9110, section 8.3), and UTF-8 if there is none.
    /// - Returns: The decoder. The result is ``NetworkError/decodingError(_:response:)`` if the body is not text in this
    ///   encoding, and if the charset is unknown. The error then names the charset.
    @_alwaysEmitIntoClient
    public static func string(encoding: String.Encoding? = nil) -> ResultDecoder {
        ResultDecoder(ofReceivedBody: { received in
            let encoding = try encoding ?? received.response?.charset.map(String.Encoding.init(charset:)) ?? .utf8
            if let text = String(data: received.data, encoding: encoding) { return text }
            throw DecodingError.typeMismatch(T.self, .init(codingPath: [], debugDescription: "Found other bytes."))
        })
    }
}

/// The error of a text whose charset is unknown.
@usableFromInline
struct UnknownCharsetError: Error {
    let charset: String

    @usableFromInline
    init(charset: String) { self.charset = charset }
}

extension URLResponse {
    /// The charset of `Content-Type`, for example "utf-8".
    @_alwaysEmitIntoClient
    var charset: String? {
        if let textEncodingName { return textEncodingName }
        // FoundationNetworking finds the parameter only if its name is in lower case. Case does not matter (RFC 9110,
        // section 5.6.6).
        let contentType = (self as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Type") ?? ""
        let parameters = contentType.lowercased().components(separatedBy: ";")
            .map { $0.trimmingCharacters(in: .whitespaces) }
        let value = parameters.first { $0.hasPrefix("charset=") }?.dropFirst("charset=".count)
        return value?.trimmingCharacters(in: CharacterSet(charactersIn: "\""))
    }
}

extension String.Encoding {
    /// The encoding of a charset.
    ///
    /// - Parameter charset: A name of the IANA registry of character sets, in any capitalization.
    /// - Throws: ``UnknownCharsetError``.
    @_alwaysEmitIntoClient
    init(charset: String) throws {
        let name = charset.lowercased()
        guard let known = Self.byCharset.first(where: { $0.key == name }) else {
            throw UnknownCharsetError(charset: charset)
        }
        self = known.value
    }

    /// An encoding that has a number in Core Foundation (`CFStringEncodingExt.h`) and no name in Foundation.
    @_alwaysEmitIntoClient
    init(coreFoundation number: UInt) {
        // Foundation marks such encodings with the highest of 32 bits.
        self.init(rawValue: 0x8000_0000 | number)
    }

    /// The encodings by the names that the IANA registry gives them, in lower case:
    /// https://www.iana.org/assignments/character-sets
    @_alwaysEmitIntoClient
    static var byCharset: KeyValuePairs<String, String.Encoding> {
        [
            "utf-8": .utf8,
            "utf8": .utf8,
            "utf-16": .utf16,
            "utf-16be": .utf16BigEndian,
            "utf-16le": .utf16LittleEndian,
            "utf-32": .utf32,
            "utf-32be": .utf32BigEndian,
            "utf-32le": .utf32LittleEndian,
            "us-ascii": .ascii,
            "ascii": .ascii,
            "iso-8859-1": .isoLatin1,
            "iso_8859-1": .isoLatin1,
            "latin1": .isoLatin1,
            "iso-8859-2": .isoLatin2,
            "iso-8859-5": .init(coreFoundation: 0x0205),
            "iso-8859-7": .init(coreFoundation: 0x0207),
            "iso-8859-9": .init(coreFoundation: 0x0209),
            "iso-8859-15": .init(coreFoundation: 0x020F),
            "windows-1250": .windowsCP1250,
            "windows-1251": .windowsCP1251,
            "windows-1252": .windowsCP1252,
            "windows-1253": .windowsCP1253,
            "windows-1254": .windowsCP1254,
            "windows-1255": .init(coreFoundation: 0x0505),
            "windows-1256": .init(coreFoundation: 0x0506),
            "koi8-r": .init(coreFoundation: 0x0A02),
            "koi8-u": .init(coreFoundation: 0x0A08),
            "macintosh": .macOSRoman,
            "shift_jis": .shiftJIS,
            "iso-2022-jp": .iso2022JP,
            "euc-kr": .init(coreFoundation: 0x0940),
            "big5": .init(coreFoundation: 0x0A03),
            // GB 18030 extends GB 2312 and GBK.
            "gb2312": .init(coreFoundation: 0x0632),
            "gbk": .init(coreFoundation: 0x0632),
            "gb18030": .init(coreFoundation: 0x0632),
        ]
    }
}
