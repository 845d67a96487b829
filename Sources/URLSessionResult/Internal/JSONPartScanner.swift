import Foundation

/// A run of whole members of the array or object that a document is.
struct JSONPart {
    /// Where its bytes are, without the commas before and after.
    var bytes: Range<Int>

    /// The position of its first member in the document.
    var firstIndex: Int

    /// How many members it has.
    var count: Int

    /// Where the keys of its members are, without the quotation marks; empty in an array.
    var keys: [Range<Int>]
}

/// What the scanner leaves to `JSONDecoder`.
struct JSONIrregularity: Error {}

/// Cuts the array or object that a document is into parts, at the commas between its members.
///
/// It looks at nothing but strings, brackets and commas, and judges nothing: whether each part is JSON is for
/// `JSONDecoder` to say. It keeps no stack, so that nesting costs nothing, and no pointer, so that threads may take turns.
struct JSONPartScanner: Sendable {
    let isObject: Bool
    private var position: Int
    private var nextIndex = 0
    private var isAtEnd = false

    /// Starts at the first member.
    ///
    /// - Returns: `nil` when the document is neither an array nor an object, or not in UTF-8 without a byte order mark.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.firstIndex(where: { !$0.isJSONWhitespace }), start + 1 < bytes.count,
            bytes[start] == .openingBracket || bytes[start] == .openingBrace,
            // A zero here is how JSONDecoder recognizes UTF-16 and UTF-32.
            bytes[1] != 0
        else { return nil }
        isObject = bytes[start] == .openingBrace
        position = start + 1
    }

    /// Returns the next members, at least `size` bytes of them unless there are fewer left, or `nil` after the last.
    mutating func next(size: Int, in bytes: UnsafeRawBufferPointer) throws(JSONIrregularity) -> JSONPart? {
        guard !isAtEnd else { return nil }
        var part = JSONPart(bytes: position..<position, firstIndex: nextIndex, count: 0, keys: [])
        var index = position
        var depth = 1
        var isKeyNext = isObject
        while index < bytes.count {
            switch bytes[index] {
            case .quotationMark:
                let end = try Self.endOfString(from: index + 1, in: bytes)
                if isKeyNext, depth == 1 {
                    part.keys.append(index + 1..<end)
                    isKeyNext = false
                }
                index = end
            case .openingBracket, .openingBrace:
                depth += 1
            case .closingBracket, .closingBrace:
                depth -= 1
                if depth == 0 {
                    try close(at: index, in: bytes)
                    return finish(&part, at: index)
                }
            case .comma where depth == 1:
                if index - position >= size {
                    return finish(&part, at: index)
                }
                part.count += 1
                isKeyNext = isObject
            default:
                break
            }
            index += 1
        }
        throw JSONIrregularity()
    }

    private mutating func finish(_ part: inout JSONPart, at end: Int) -> JSONPart {
        part.bytes = position..<end
        part.count += 1
        nextIndex += part.count
        position = end + 1
        return part
    }

    private mutating func close(at index: Int, in bytes: UnsafeRawBufferPointer) throws(JSONIrregularity) {
        let closing: UInt8 = isObject ? .closingBrace : .closingBracket
        guard bytes[index] == closing, bytes[(index + 1)...].allSatisfy(\.isJSONWhitespace) else {
            throw JSONIrregularity()
        }
        isAtEnd = true
    }

    /// Returns where the quotation mark is that ends a string.
    private static func endOfString(
        from start: Int,
        in bytes: UnsafeRawBufferPointer
    ) throws(JSONIrregularity) -> Int {
        var index = start
        while index < bytes.count {
            // Most of a document is text, so eight bytes are looked at together as long as there are eight.
            if index + 8 <= bytes.count {
                let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                let matches = word.bytesEqual(to: .quotationMark) | word.bytesEqual(to: .backslash)
                guard matches != 0 else {
                    index += 8
                    continue
                }
                index += matches.trailingZeroBitCount / 8
            }
            if bytes[index] == .quotationMark { return index }
            index += bytes[index] == .backslash ? lengthOfEscape(at: index, in: bytes) : 1
        }
        throw JSONIrregularity()
    }

    /// Like `JSONDecoder`, takes any four bytes for the digits of `\u`: an escape is checked when its string is needed.
    private static func lengthOfEscape(at index: Int, in bytes: UnsafeRawBufferPointer) -> Int {
        index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "u") ? 6 : 2
    }
}

extension UInt64 {
    /// Returns the highest bit of each byte that equals `byte`; above the first one there may be false ones.
    fileprivate func bytesEqual(to byte: UInt8) -> UInt64 {
        let difference = self ^ (0x0101_0101_0101_0101 &* UInt64(byte))
        return (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
    }
}

extension UInt8 {
    static let quotationMark = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let comma = UInt8(ascii: ",")
    static let openingBracket = UInt8(ascii: "[")
    static let closingBracket = UInt8(ascii: "]")
    static let openingBrace = UInt8(ascii: "{")
    static let closingBrace = UInt8(ascii: "}")

    fileprivate var isJSONWhitespace: Bool {
        self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09
    }
}
