import Foundation

extension JSONDecoder {
    /// Decodes a document that a server wrote.
    ///
    /// It is `decode(_:from:)`, except for documents that may crash `JSONDecoder`:
    ///
    /// * A document with a number or name that `JSONTokenScanner` finds is an error.
    /// * A document gets a space at its end if it ends with a bracket of the 513th level, a carriage return or a number. Otherwise
    ///   `JSONDecoder` reads memory behind the document: for the place of its error (swift-foundation, `JSONScanner.scanArray` and
    ///   `SourceLocation`) or for more digits (`strtod`).
    ///
    /// A subclass gets the data unchecked, because it may read another format.
    func decode<T: Decodable>(_ type: T.Type, fromUntrusted data: Data) throws -> T {
        guard Swift.type(of: self) == JSONDecoder.self else { return try decode(type, from: data) }
        let document = data.jsonInUTF8
        if JSONTokenScanner.findsCrash(in: document, allowsJSON5: allowsJSON5) {
            let message = "The given data was not valid JSON."
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: message))
        }
        return try decode(type, from: document.endsSafely ? document : document + Data(" ".utf8))
    }
}

extension Data {
    /// Whether `JSONDecoder` reads nothing behind the end. This is so for most documents, which are then not copied.
    fileprivate var endsSafely: Bool {
        // JSONDecoder rejects a zero byte at once. With a blank behind it, it might look like UTF-16.
        guard let last, first != 0 else { return true }
        switch Unicode.Scalar(last) {
        case "]", "}", "\"", "\n", " ": return true
        default: return false
        }
    }

    /// The document in UTF-8 with a byte order mark, if `JSONDecoder` takes it for UTF-16 or UTF-32. Otherwise the document as it
    /// is.
    fileprivate var jsonInUTF8: Data {
        guard let (encoding, markLength) = wideEncoding,
            let text = String(data: dropFirst(markLength), encoding: encoding)
        else { return self }
        // Without the mark, a text that has zeros could be taken for UTF-16 again.
        return Data("\u{FEFF}\(text)".utf8)
    }

    /// What `JSONDecoder` takes the document for, with the length of its byte order mark, or nil for UTF-8.
    private var wideEncoding: (encoding: String.Encoding, markLength: Int)? {
        withUnsafeBytes { bytes in
            func byte(_ offset: Int) -> UInt8? { offset < bytes.count ? bytes[offset] : nil }
            return switch (byte(0), byte(1), byte(2), byte(3)) {
            case (0, 0, 0xFE, 0xFF): (.utf32BigEndian, 4)
            case (0xFE, 0xFF, 0, 0): (.utf32LittleEndian, 4)  // as JSONDecoder has it
            case (0xFE, 0xFF, _, _): (.utf16BigEndian, 2)
            case (0xFF, 0xFE, _, _): (.utf16LittleEndian, 2)
            case (0, 0, 0, (1...)?): (.utf32BigEndian, 0)
            case (0, (1...)?, 0, (1...)?), (0, (1...)?, nil, nil): (.utf16BigEndian, 0)
            case ((1...)?, 0, 0, 0): (.utf32LittleEndian, 0)
            case ((1...)?, 0, (1...)?, 0), ((1...)?, 0, nil, nil): (.utf16LittleEndian, 0)
            default: nil
            }
        }
    }
}
