import Foundation

extension ResultDecoder where T == String {
    /// Creates a decoder that reads the body as text.
    ///
    /// - Parameter encoding: The encoding of the text, whatever the headers say. With `nil`, it is the charset of
    ///   `Content-Type` (RFC 9110, section 8.3), and UTF-8 if there is none.
    /// - Returns: The decoder. The result is ``NetworkError/decodingError(_:response:)`` if the body is not text in this
    ///   encoding, and if the charset is unknown. The error then names the charset.
    public static func string(encoding: String.Encoding? = nil) -> ResultDecoder {
        ResultDecoder(ofReceivedBody: { received in
            let encoding = try encoding ?? received.response?.charset.map(String.Encoding.init(charset:)) ?? .utf8
            if let text = String(data: received.data, encoding: encoding) { return text }
            throw DecodingError.typeMismatch(T.self, .init(codingPath: [], debugDescription: "Found other bytes."))
        })
    }
}

/// The error of a text whose charset is unknown.
struct UnknownCharsetError: Error {
    let charset: String
}

extension URLResponse {
    /// The charset of `Content-Type`, for example "utf-8".
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
    /// - Parameter charset: A name of the IANA registry of character sets, in any capitalization:
    ///   https://www.iana.org/assignments/character-sets. The empty name means UTF-8.
    /// - Throws: ``UnknownCharsetError``.
    init(charset: String) throws {
        switch charset.lowercased() {
        case "utf-8", "utf8", "": self = .utf8
        case "utf-16": self = .utf16
        case "utf-16be": self = .utf16BigEndian
        case "utf-16le": self = .utf16LittleEndian
        case "utf-32": self = .utf32
        case "utf-32be": self = .utf32BigEndian
        case "utf-32le": self = .utf32LittleEndian
        case "us-ascii", "ascii": self = .ascii
        case "iso-8859-1", "iso_8859-1", "latin1": self = .isoLatin1
        case "iso-8859-2": self = .isoLatin2
        case "iso-8859-5": self = Self(coreFoundation: 0x0205)
        case "iso-8859-7": self = Self(coreFoundation: 0x0207)
        case "iso-8859-9": self = Self(coreFoundation: 0x0209)
        case "iso-8859-15": self = Self(coreFoundation: 0x020F)
        case "windows-1250": self = .windowsCP1250
        case "windows-1251": self = .windowsCP1251
        case "windows-1252": self = .windowsCP1252
        case "windows-1253": self = .windowsCP1253
        case "windows-1254": self = .windowsCP1254
        case "windows-1255": self = Self(coreFoundation: 0x0505)
        case "windows-1256": self = Self(coreFoundation: 0x0506)
        case "koi8-r": self = Self(coreFoundation: 0x0A02)
        case "koi8-u": self = Self(coreFoundation: 0x0A08)
        case "shift_jis": self = .shiftJIS
        case "iso-2022-jp": self = .iso2022JP
        case "euc-kr": self = Self(coreFoundation: 0x0940)
        case "big5": self = Self(coreFoundation: 0x0A03)
        // GB 18030 extends GB 2312 and GBK.
        case "gb2312", "gbk", "gb18030": self = Self(coreFoundation: 0x0632)
        default: throw UnknownCharsetError(charset: charset)
        }
    }

    /// An encoding that has a number in Core Foundation (`CFStringEncodingExt.h`) and no name in Foundation.
    init(coreFoundation number: UInt) {
        // Foundation marks such encodings with the highest of 32 bits.
        self.init(rawValue: 0x8000_0000 | number)
    }
}
