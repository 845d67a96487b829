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
    /// The offset of the first character in a string that JSON does not allow there: a control character, or the backslash of an
    /// escape that JSON does not have (RFC 8259, section 7).
    ///
    /// - Parameter string: The string with its quotation marks.
    /// - Returns: The offset, or nil for a string that is right.
    func malformation(inString string: Range<Int>) -> Int? {
        guard string.count >= 2 else { return nil }
        let text = self[startIndex + string.lowerBound + 1..<startIndex + string.upperBound - 1]
        var position = text.startIndex
        while position < text.endIndex {
            let byte = text[position]
            guard byte >= 0x20 else { return position - startIndex }
            guard byte == UInt8(ascii: "\\") else {
                position += 1
                continue
            }
            let escape = text[position...].dropFirst()
            guard escape.isEscapeOfJSON else { return position - startIndex }
            position += 2
        }
        return nil
    }

    /// Whether it begins with what may stand behind a backslash.
    fileprivate var isEscapeOfJSON: Bool {
        guard first == UInt8(ascii: "u") else { return first.map { #""\/bfnrt"#.utf8.contains($0) } ?? false }
        let digits = dropFirst().prefix(4)
        return digits.count == 4 && digits.allSatisfy { Unicode.Scalar($0).properties.isASCIIHexDigit }
    }
}
