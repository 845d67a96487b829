import Foundation

/// Looks in a document for the numbers and names that crash `JSONDecoder`:
///
/// * long numbers with an exponent, when they are decoded as integers (swift-foundation, `JSONScanner.validateNumber`): `Double`
///   has a value for them, and `Decimal` has none,
/// * in JSON5, numbers such as `1e-` and `0x0x`, when they are decoded (`JSON5Scanner.validateNumber`),
/// * in JSON5, names with bytes that are no character (`_decodeScalar`).
///
/// It skips strings and comments as `JSONDecoder` does. Everything else between blanks and punctuation is a token. It does not
/// check the document: `JSONDecoder` rejects a malformed one before it decodes a number. So comments are skipped in standard JSON,
/// too.
struct JSONTokenScanner {
    /// From this length on, a number with an exponent may crash: `Decimal` counts up to 127 digits that it has no room for.
    private static let leastCrashingLength = 128

    private let bytes: UnsafeRawBufferPointer
    private let allowsJSON5: Bool
    private var position = 0

    /// - Parameters:
    ///   - document: The document in UTF-8.
    ///   - allowsJSON5: Whether it is decoded as JSON5.
    /// - Returns: Whether there is such a number or name.
    static func findsCrash(in document: Data, allowsJSON5: Bool) -> Bool {
        document.withUnsafeBytes { bytes in
            guard allowsJSON5 || bytes.mayHaveNumber(ofLength: leastCrashingLength) else { return false }
            var scanner = JSONTokenScanner(bytes: bytes, allowsJSON5: allowsJSON5)
            return scanner.findCrash()
        }
    }

    private init(bytes: UnsafeRawBufferPointer, allowsJSON5: Bool) {
        self.bytes = bytes
        self.allowsJSON5 = allowsJSON5
        // A byte order mark before a number would belong to its token.
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if bytes.starts(with: byteOrderMark) { position = byteOrderMark.count }
    }

    private mutating func findCrash() -> Bool {
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): skipString(endingWith: byte)
            case UInt8(ascii: "/"): skipComment()
            case _ where byte.isInToken: if mayCrash(takeToken()) { return true }
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

    /// JSONDecoder skips the digits after \u, and in JSON5 after \x, when it looks for the end of a string, whatever they are.
    private var lengthOfEscape: Int {
        switch peek(1) {
        case UInt8(ascii: "u"): 6
        case UInt8(ascii: "x") where allowsJSON5: 4
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

    private func mayCrash(_ token: Slice<UnsafeRawBufferPointer>) -> Bool {
        // JSONDecoder takes this byte for a blank (a no-break space in Latin-1) except in names, where it may be part of a
        // character in UTF-8.
        let text = token.drop { $0 == 0xA0 }.reversed().drop { $0 == 0xA0 }.reversed()
        let digits = text.drop(while: \.isSign)
        let isHexadecimal = digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8)
        if !isHexadecimal, isLongNumber(digits) { return true }

        guard allowsJSON5 else { return false }
        if hasNoCharacter(token) { return true }
        if let last = text.last, last.isSign { return true }
        return isHexadecimal && !digits.dropFirst(2).allSatisfy(\.isHexDigit)
    }

    private func isLongNumber(_ digits: some Collection<UInt8>) -> Bool {
        guard digits.count >= Self.leastCrashingLength, let first = digits.first else { return false }
        let isNumber = first == UInt8(ascii: ".") || first.isDigit
        return isNumber && digits.contains { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
    }

    /// Whether bytes stand for a code point that is no character of Unicode: one above U+10FFFF, or a surrogate.
    private func hasNoCharacter(_ token: Slice<UnsafeRawBufferPointer>) -> Bool {
        token.contains { $0 >= 0xF5 }
            || zip(token, token.dropFirst()).contains { first, second in
                first == 0xF4 && second >= 0x90 || first == 0xED && second >= 0xA0
            }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether a number of standard JSON with this length may be among the bytes. Only every `length`-th byte is looked at first:
    /// such a number has one of them.
    fileprivate func mayHaveNumber(ofLength length: Int) -> Bool {
        stride(from: 0, to: count, by: length).contains { position in
            guard self[position].mayBeInNumber else { return false }
            let following = self[position...].prefix(while: \.mayBeInNumber)
            let preceding = self[..<position].reversed().prefix(while: \.mayBeInNumber)
            return preceding.count + following.count >= length
        }
    }
}

extension UInt8 {
    /// Whether the byte belongs to a number, to a name without quotation marks, or to a word such as `true`.
    fileprivate var isInToken: Bool { self > UInt8(ascii: " ") && !"{}[]:,\"'/".utf8.contains(self) }

    fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    fileprivate var isSign: Bool { self == UInt8(ascii: "+") || self == UInt8(ascii: "-") }

    fileprivate var isHexDigit: Bool { Unicode.Scalar(self).properties.isASCIIHexDigit }
}
