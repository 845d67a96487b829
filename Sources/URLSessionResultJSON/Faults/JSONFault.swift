import Foundation

/// Why `JSONDecoder` rejects a document, where it says no more than that the document is not valid JSON.
///
/// It has no value of the document.
package enum JSONFault: Error {
    /// The document is malformed at this place.
    case syntax(JSONPlace)

    /// A number does not fit the type that it is decoded as.
    case number(path: [any CodingKey], type: String)

    /// The message in the error of a skipped element. It is that of `JSONDecoder`.
    static let messageOfElement = "The given data was not valid JSON."
}

/// A place in a document, as an editor shows it.
package struct JSONPlace: Equatable, Sendable {
    /// From 1 on. LF, CRLF and CR end a line.
    package let line: Int

    /// The number of the character, from 1 on.
    package let column: Int

    /// - Parameters:
    ///   - offset: The position of a byte.
    ///   - document: The document in UTF-8.
    init(of offset: Int, in document: Data) {
        var line = 1
        var column = 1
        var previous: UInt8?
        for byte in document.prefix(offset) {
            switch byte {
            case UInt8(ascii: "\n") where previous == UInt8(ascii: "\r"): break
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                line += 1
                column = 1
            // Bytes of a character after its first one, and the first byte of a byte order mark.
            case 0x80...0xBF,
                0xEF where previous == nil:
                break
            default: column += 1
            }
            previous = byte
        }
        self.line = line
        self.column = column
    }
}

extension DecodingError.Context {
    /// Whether it describes a whole document that is not JSON.
    package var isInvalidJSON: Bool { codingPath.isEmpty && debugDescription.contains("valid JSON") }
}

extension Data {
    /// The position of the first bracket, comma, colon or literal that is wrong. Nil if there is none, if the document only ends
    /// too early, or if it is in another encoding than UTF-8.
    var firstWrongByte: Int? {
        guard isPlainUTF8 else { return nil }
        return withUnsafeBytes { bytes in
            var scanner = JSONScanner()
            do {
                while try scanner.next(in: bytes) != nil {}
                return nil
            } catch {
                return scanner.positionOfError
            }
        }
    }

    /// Whether `JSONDecoder` takes the document for UTF-8: UTF-16 and UTF-32 have zeros at its beginning, or a byte order mark of their own.
    var isPlainUTF8: Bool {
        let beginning = prefix(4)
        return !beginning.contains(0) && beginning.first != 0xFE && beginning.first != 0xFF
    }

    /// The place where a document is malformed, whether it is read as standard JSON or as JSON5.
    package var placeOfMalformation: JSONPlace? {
        guard let offset = firstWrongByte, !self[startIndex + offset].mayBeginJSON5 else { return nil }
        return JSONPlace(of: offset, in: self)
    }
}

extension UInt8 {
    /// Whether JSON5 allows the character where JSON does not: a comment, a string in other quotation marks, a name or a number.
    fileprivate var mayBeginJSON5: Bool {
        switch self {
        case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","),
            UInt8(ascii: ":"), UInt8(ascii: "\""):
            false
        default:
            true
        }
    }
}
