import Foundation

/// Looks in a JSON5 document for the numbers and names that crash `JSONDecoder`:
///
/// * numbers such as `1e-` and `0x0x`, when they are decoded (swift-foundation, `JSON5Scanner.validateNumber`),
/// * names with a byte that UTF-8 does not have (swift-foundation, `_decodeScalar`).
///
/// It skips strings and comments as `JSONDecoder` does. What else stands between blanks and punctuation is a token. Whether the
/// rest is valid is left to `JSONDecoder`, which rejects a malformed document before it decodes a number.
struct JSON5TokenScanner {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    /// - Parameter document: The document in UTF-8.
    /// - Returns: Whether there is one.
    static func findsMalformedToken(in document: Data) -> Bool {
        document.withUnsafeBytes { bytes in
            var scanner = JSON5TokenScanner(bytes: bytes)
            return scanner.findMalformedToken()
        }
    }

    private init(bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        // Otherwise it would hide the beginning of a number.
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if bytes.starts(with: byteOrderMark) { position = byteOrderMark.count }
    }

    private mutating func findMalformedToken() -> Bool {
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): skipString(endingWith: byte)
            case UInt8(ascii: "/"): skipComment()
            case _ where byte.isInToken: if isMalformed(takeToken()) { return true }
            default: position += 1
            }
        }
        return false
    }

    private func peek(_ offset: Int = 0) -> UInt8? {
        position + offset < bytes.count ? bytes[position + offset] : nil
    }

    private mutating func skipString(endingWith quote: UInt8) {
        position += 1
        while let byte = peek(), byte != quote {
            position += byte == UInt8(ascii: "\\") ? lengthOfEscape : 1
        }
        position += 1
    }

    /// JSONDecoder skips the digits after \u and \x when it looks for the end of a string, whatever they are.
    private var lengthOfEscape: Int {
        switch peek(1) {
        case UInt8(ascii: "u"): 6
        case UInt8(ascii: "x"): 4
        default: 2
        }
    }

    private mutating func skipComment() {
        switch peek(1) {
        case UInt8(ascii: "/"):
            while let byte = peek(), byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") { position += 1 }
        case UInt8(ascii: "*"):
            position += 2
            while let byte = peek(), byte != UInt8(ascii: "*") || peek(1) != UInt8(ascii: "/") { position += 1 }
            position += 2
        default:
            position += 1
        }
    }

    private mutating func takeToken() -> Slice<UnsafeRawBufferPointer> {
        let start = position
        while let byte = peek(), byte.isInToken { position += 1 }
        return bytes[start..<position]
    }

    /// Whether a token has a byte that UTF-8 does not have, ends with a sign, or is a hexadecimal number with anything else in
    /// it.
    private func isMalformed(_ token: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard token.allSatisfy({ $0 < 0xF8 }) else { return true }
        // JSONDecoder takes this byte for a blank (a no-break space in Latin-1) except in names, where it may be part of a
        // character in UTF-8.
        let text = token.drop { $0 == 0xA0 }.reversed().drop { $0 == 0xA0 }.reversed()
        if let last = text.last, last.isSign { return true }
        let digits = text.drop(while: \.isSign)
        let isHexadecimal = digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8)
        return isHexadecimal && !digits.dropFirst(2).allSatisfy(\.isHexDigit)
    }
}

extension UInt8 {
    /// Whether the byte belongs to a number, to a name without quotation marks, or to a word such as `true`.
    fileprivate var isInToken: Bool { self > UInt8(ascii: " ") && !"{}[]:,\"'/".utf8.contains(self) }

    fileprivate var isSign: Bool { self == UInt8(ascii: "+") || self == UInt8(ascii: "-") }

    fileprivate var isHexDigit: Bool { Unicode.Scalar(self).properties.isASCIIHexDigit }
}
