import Foundation

/// Steps along the members of an array or object, over everything that is inside a member.
///
/// It looks at nothing but strings, brackets and commas, and judges nothing: whether the text is JSON is for
/// `JSONDecoder` to say. It counts brackets instead of stacking them, so that nesting costs nothing.
struct JSONScanner {
    /// What stands between members, and the strings that are no deeper than the members.
    enum Mark {
        /// A string: the range of its text, without the quotation marks.
        case string(Range<Int>)
        case comma(at: Int)
        /// The bracket that closes the array or object, of whatever kind it is.
        case closingBracket(at: Int)
        case endOfText
    }

    private let bytes: UnsafeRawBufferPointer

    /// Where the text after the last mark begins.
    private(set) var position: Int

    init(_ bytes: UnsafeRawBufferPointer, at position: Int) {
        self.bytes = bytes
        self.position = position
    }

    mutating func nextMark() -> Mark {
        var depth = 0
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                let text = position..<endOfString(from: position)
                position = min(text.upperBound + 1, bytes.count)
                if depth == 0 { return .string(text) }
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if depth == 0 { return .closingBracket(at: position - 1) }
                depth -= 1
            case UInt8(ascii: ",") where depth == 0:
                return .comma(at: position - 1)
            default:
                break
            }
        }
        return .endOfText
    }

    /// Returns the position of the quotation mark that ends a string, or the end of the text.
    private func endOfString(from start: Int) -> Int {
        // In one leap unless there is an escape: most strings have none, and texts may be long.
        let nearestQuote = firstPosition(of: UInt8(ascii: "\""), in: start..<bytes.count) ?? bytes.count
        guard firstPosition(of: UInt8(ascii: "\\"), in: start..<nearestQuote) != nil else { return nearestQuote }
        var position = start
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? lengthOfEscape(at: position) : 1
        }
        return min(position, bytes.count)
    }

    private func lengthOfEscape(at backslash: Int) -> Int {
        let letter = backslash + 1
        // JSONDecoder does not look at the four digits after \u when it looks for the end of a string: one of them may
        // be a quotation mark.
        return letter < bytes.count && bytes[letter] == UInt8(ascii: "u") ? 6 : 2
    }

    private func firstPosition(of byte: UInt8, in range: Range<Int>) -> Int? {
        guard let start = bytes.baseAddress,
            let found = memchr(start + range.lowerBound, CInt(byte), range.count)
        else { return nil }
        return UnsafeRawPointer(found) - start
    }
}
