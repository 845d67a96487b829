import Foundation

/// The numbers and strings of a document whose brackets, commas and colons are right.
struct JSONTokens {
    private(set) var numbers: [Range<Int>] = []

    /// The strings with their quotation marks.
    private(set) var strings: [Range<Int>] = []

    /// - Parameter document: The document in UTF-8.
    init(of document: Data) {
        document.withUnsafeBytes { bytes in
            var position = 0
            while position < bytes.count {
                let start = position
                if bytes[position] == UInt8(ascii: "\"") {
                    position = Self.endOfString(from: position, in: bytes)
                    strings.append(start..<position)
                } else if bytes[position].beginsNumber {
                    while position < bytes.count, bytes[position].mayBeInNumber { position += 1 }
                    numbers.append(start..<position)
                } else {
                    position += 1
                }
            }
        }
    }

    private static func endOfString(from start: Int, in bytes: UnsafeRawBufferPointer) -> Int {
        var position = start + 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            guard bytes[position] == UInt8(ascii: "\\") else {
                position += 1
                continue
            }
            // JSONDecoder skips the four characters behind `\u`, whatever they are.
            let isUnicode = position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "u")
            position += isUnicode ? 6 : 2
        }
        return min(position + 1, bytes.count)
    }
}

extension UInt8 {
    /// Outside of strings, `-` and digits begin nothing but numbers.
    fileprivate var beginsNumber: Bool { self == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}

extension Data {
    /// The offset of the first character in a string that JSON does not allow there: a control character, bytes that are not UTF-8,
    /// or the backslash of an escape that JSON does not have (RFC 8259, section 7) or that is half a surrogate pair.
    ///
    /// - Parameter string: The string with its quotation marks.
    /// - Returns: The offset, or nil for a string that is right.
    func malformation(inString string: Range<Int>) -> Int? {
        guard string.count >= 2 else { return nil }
        let text = self[startIndex + string.lowerBound + 1..<startIndex + string.upperBound - 1]
        var position = text.startIndex
        while position < text.endIndex {
            guard let length = text[position...].lengthOfCharacter else { return position - startIndex }
            position += length
        }
        return nil
    }

    /// The number of bytes in the character of a string that it begins with, or nil for what JSON does not allow there.
    fileprivate var lengthOfCharacter: Int? {
        guard let first, first >= 0x20 else { return nil }
        switch first {
        case UInt8(ascii: "\\"): return lengthOfEscape
        case 0x80...: return lengthOfMultibyteCharacter
        default: return 1
        }
    }

    private var lengthOfMultibyteCharacter: Int? {
        var parser = Unicode.UTF8.ForwardParser()
        var bytes = prefix(4).makeIterator()
        guard case .valid(let character) = parser.parseScalar(from: &bytes) else { return nil }
        return character.count
    }

    /// The number of bytes in the escape that it begins with, or in the two of a surrogate pair.
    private var lengthOfEscape: Int? {
        guard let kind = dropFirst().first else { return nil }
        guard kind == UInt8(ascii: "u") else { return #""\/bfnrt"#.utf8.contains(kind) ? 2 : nil }
        guard let codeUnit = escapedCodeUnit else { return nil }
        if UTF16.isTrailSurrogate(codeUnit) { return nil }
        guard UTF16.isLeadSurrogate(codeUnit) else { return 6 }
        guard let second = dropFirst(6).escapedCodeUnit, UTF16.isTrailSurrogate(second) else { return nil }
        return 12
    }

    /// The code unit in the `\u` escape that it begins with.
    private var escapedCodeUnit: UInt16? {
        let digits = dropFirst(2).prefix(4)
        guard starts(with: #"\u"#.utf8), digits.count == 4,
            digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit })
        else { return nil }
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
