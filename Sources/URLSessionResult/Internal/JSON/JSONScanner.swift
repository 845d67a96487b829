import Foundation

/// Finds the commas between the members of an array or object, and skips everything inside a member.
///
/// It looks only at strings, brackets and commas. It doesn't decide whether the text is valid JSON: `JSONDecoder` does.
/// It counts brackets instead of keeping a stack of them, so deep nesting costs nothing.
struct JSONScanner {
    /// Something that belongs to the array or object itself, and not to an array or object inside it.
    enum Mark {
        /// A key or a value. The range is that of its text, without the quotation marks.
        case string(Range<Int>)
        case comma(at: Int)
        /// The bracket that ends the array or object. It may be of the wrong kind.
        case closingBracket(at: Int)
        case endOfText
    }

    let bytes: UnsafeRawBufferPointer

    /// The position after the last mark.
    var position: Int

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
    func endOfString(from start: Int) -> Int {
        // Most strings have no escape, and some are long: memchr is faster than a loop.
        let nearestQuote = bytes.firstPosition(of: "\"", in: start..<bytes.count) ?? bytes.count
        guard bytes.firstPosition(of: "\\", in: start..<nearestQuote) != nil else { return nearestQuote }
        var position = start
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? lengthOfEscape(at: position) : 1
        }
        return min(position, bytes.count)
    }

    func lengthOfEscape(at backslash: Int) -> Int {
        let letter = backslash + 1
        // JSONDecoder skips the four bytes after \u when it looks for the end of a string, even if one of them is a
        // backslash. It rejects the document if one is a quotation mark.
        return letter < bytes.count && bytes[letter] == UInt8(ascii: "u") ? 6 : 2
    }
}
