import Foundation

/// A run of whole members of the array or object that a document is.
struct JSONPart {
    /// Where its bytes are, without the commas before and after.
    var bytes: Range<Int>

    /// The position of its first member in the document.
    var firstIndex: Int

    /// How many members it has.
    var count = 1

    /// Where the keys of its members are, without the quotation marks; empty in an array.
    var keys: [Range<Int>] = []
}

/// What the scanner leaves to `JSONDecoder`.
struct JSONIrregularity: Error {}

/// Cuts the array or object that a document is into parts, at the commas between its members.
///
/// It looks at nothing but strings, brackets and commas, and judges nothing: whether each part is JSON is for
/// `JSONDecoder` to say. It keeps no stack, so that nesting costs nothing, and no pointer, so that threads may take
/// turns.
struct JSONPartScanner: Sendable {
    let isObject: Bool

    /// How many members there are up to here.
    private(set) var count = 0
    private var position: Int
    private var isAtEnd = false

    /// Starts at the first member.
    ///
    /// - Returns: `nil` when the document is neither an array nor an object, or not in UTF-8 without a byte order mark.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.firstIndex(where: { !$0.isJSONWhitespace }), start + 1 < bytes.count,
            bytes[start] == UInt8(ascii: "[") || bytes[start] == UInt8(ascii: "{"),
            // A zero here is how JSONDecoder recognizes UTF-16 and UTF-32.
            bytes[1] != 0
        else { return nil }
        isObject = bytes[start] == UInt8(ascii: "{")
        position = start + 1
    }

    /// Returns the next members, at least `size` bytes of them unless there are fewer left, or `nil` after the last.
    mutating func next(size: Int, in bytes: UnsafeRawBufferPointer) throws(JSONIrregularity) -> JSONPart? {
        guard !isAtEnd else { return nil }
        var part = JSONPart(bytes: position..<position, firstIndex: count)
        var (index, depth, isKeyNext) = (position, 1, isObject)
        scan: while true {
            guard index < bytes.count else { throw JSONIrregularity() }
            switch bytes[index] {
            case UInt8(ascii: "\""):
                let start = index + 1
                index = Self.endOfString(from: start, in: bytes)
                if isKeyNext, depth == 1 {
                    part.keys.append(start..<index)
                    isKeyNext = false
                }
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { break scan }
            case UInt8(ascii: ",") where depth == 1:
                if index - position >= size { break scan }
                part.count += 1
                isKeyNext = isObject
            default:
                break
            }
            index += 1
        }
        if depth == 0 {
            let closing = UInt8(ascii: isObject ? "}" : "]")
            guard bytes[index] == closing, bytes[(index + 1)...].allSatisfy(\.isJSONWhitespace) else {
                throw JSONIrregularity()
            }
            isAtEnd = true
        }
        part.bytes = position..<index
        count += part.count
        position = index + 1
        return part
    }

    /// Returns where the quotation mark is that ends a string, or the end of the document.
    private static func endOfString(from start: Int, in bytes: UnsafeRawBufferPointer) -> Int {
        let end = position(of: "\"", in: bytes, from: start, to: bytes.count) ?? bytes.count
        guard var index = position(of: "\\", in: bytes, from: start, to: end) else { return end }
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            // JSONDecoder passes over the four digits after \u unseen, were there a quotation mark among them.
            let escape = index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "u") ? 6 : 2
            index += bytes[index] == UInt8(ascii: "\\") ? escape : 1
        }
        return min(index, bytes.count)
    }

    /// By `memchr`, which is fast in a debug build, too.
    private static func position(
        of character: Unicode.Scalar, in bytes: UnsafeRawBufferPointer, from start: Int, to end: Int
    ) -> Int? {
        bytes.baseAddress.flatMap { base in
            memchr(base + start, CInt(character.value), end - start).map { UnsafeRawPointer($0) - base }
        }
    }
}

extension UInt8 {
    fileprivate var isJSONWhitespace: Bool {
        self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09
    }
}
