import Foundation

extension JSONDecoder {
    /// Decodes a document that a server wrote.
    ///
    /// It is `decode(_:from:)`, except that documents that crash `JSONDecoder` are errors:
    ///
    /// * what `JSONTokenScanner` looks for.
    /// * a document whose last byte opens an array of the 513th level. `JSONDecoder` looks for the place of its error behind the
    ///   end (swift-foundation, `JSONScanner.scanArray`). With a blank behind it, there is such a place.
    ///
    /// A subclass is given the bytes as they came: they may be no JSON at all.
    func decode<T: Decodable>(_ type: T.Type, fromUntrusted data: Data) throws -> T {
        guard Swift.type(of: self) == JSONDecoder.self else { return try decode(type, from: data) }
        let document = data.jsonInUTF8
        if JSONTokenScanner.findsCrash(in: document, allowsJSON5: allowsJSON5) {
            let message = "The given data was not valid JSON."
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: message))
        }
        return try decode(type, from: document.endsInOpeningBracket ? document + Data(" ".utf8) : document)
    }
}

extension Data {
    fileprivate var endsInOpeningBracket: Bool { last == UInt8(ascii: "[") }

    /// The document in UTF-8, with a byte order mark if `JSONDecoder` takes it for UTF-16 or UTF-32.
    fileprivate var jsonInUTF8: Data {
        guard let (encoding, markLength) = wideEncoding,
            let text = String(data: dropFirst(markLength), encoding: encoding)
        else { return self }
        // Without the mark, a text that has zeros could be taken for UTF-16 again.
        return Data("\u{FEFF}\(text)".utf8)
    }

    /// What `JSONDecoder` takes the document for, with the length of its byte order mark, or nil for UTF-8.
    private var wideEncoding: (encoding: String.Encoding, markLength: Int)? {
        guard count >= 4 else { return nil }
        let bytes = [UInt8](prefix(4))
        switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        case (0, 0, 0xFE, 0xFF): return (.utf32BigEndian, 4)
        case (0xFE, 0xFF, 0, 0): return (.utf32LittleEndian, 4)  // as JSONDecoder has it
        case (0xFE, 0xFF, _, _): return (.utf16BigEndian, 2)
        case (0xFF, 0xFE, _, _): return (.utf16LittleEndian, 2)
        case (0, 0, 0, 1...): return (.utf32BigEndian, 0)
        case (0, 1..., 0, 1...): return (.utf16BigEndian, 0)
        case (1..., 0, 0, 0): return (.utf32LittleEndian, 0)
        case (1..., 0, 1..., 0): return (.utf16LittleEndian, 0)
        default: return nil
        }
    }
}
