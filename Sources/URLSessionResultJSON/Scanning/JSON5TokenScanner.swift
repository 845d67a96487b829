import Foundation

/// Looks in a JSON5 document for the numbers and names that crash `JSONDecoder`:
///
/// * numbers such as `1e-` and `0x0x`, when they are decoded (swift-foundation, `JSON5Scanner.validateNumber`),
/// * names with a byte that UTF-8 does not have (swift-foundation, `_decodeScalar`).
///
/// It tells them from strings and comments as `JSONDecoder` does. It doesn't decide whether the rest is valid: a document that
/// is not is refused before its numbers are decoded.
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
        // Otherwise a number behind it would look like the rest of a name.
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if bytes.starts(with: byteOrderMark) { position = byteOrderMark.count }
    }

    private mutating func findMalformedToken() -> Bool {
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                skipString(endingWith: byte)
            case UInt8(ascii: "/"):
                skipComment()
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                if isMalformed(takeNumber()) { return true }
            case 0xF8...:
                return true
            case _ where byte.isInName && byte != noBreakSpace:
                skipName()
            default:
                position += 1
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

    private mutating func skipName() {
        while let byte = peek(), byte.isInName { position += 1 }
    }

    private mutating func takeNumber() -> Slice<UnsafeRawBufferPointer> {
        let start = position
        while let byte = peek(), byte.isInNumber { position += 1 }
        return bytes[start..<position]
    }

    /// Whether a number is hexadecimal with anything else in it, or ends with the sign of an exponent.
    private func isMalformed(_ number: Slice<UnsafeRawBufferPointer>) -> Bool {
        let digits = number.first.map(isSign) == true ? number.dropFirst() : number
        let prefix = digits.prefix(2)
        if prefix.first == UInt8(ascii: "0"), prefix.last.map(isLetterX) == true {
            return !digits.dropFirst(2).allSatisfy(isHexDigit)
        }
        return digits.last.map(isSign) == true && digits.dropLast().last.map(isLetterE) == true
    }

    private func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") }

    private func isLetterX(_ byte: UInt8) -> Bool { byte | 0x20 == UInt8(ascii: "x") }

    private func isLetterE(_ byte: UInt8) -> Bool { byte | 0x20 == UInt8(ascii: "e") }

    private func isHexDigit(_ byte: UInt8) -> Bool {
        byte.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    /// JSONDecoder takes the byte for a blank, except in a name, where it may be part of a character of UTF-8.
    private let noBreakSpace: UInt8 = 0xA0
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

    /// Whether the byte may belong to a name without quotation marks, or to a word such as `true`.
    fileprivate var isInName: Bool {
        isLetter || isDigit || (0x80..<0xF8).contains(self) || "_$\\".utf8.contains(self)
    }

    fileprivate var isInNumber: Bool { isLetter || isDigit || "+-.".utf8.contains(self) }
}
