import Foundation

/// A run of whole members of the array or object that a document is.
struct JSONPart {
    /// Where its bytes are, without the bracket or comma before and the comma after; the last part has what is left.
    var bytes: Range<Int>

    /// The position of its first member in the document.
    let firstIndex: Int

    /// How many members it has.
    var count = 1

    /// The keys of its members, with their escapes; none in an array.
    var keys: [String] = []
}

/// Cuts the array or object that a document is into parts, at the commas between its members.
///
/// It looks at nothing but strings, brackets and commas, and judges nothing: whether each part is JSON is for
/// `JSONDecoder` to say. It keeps no stack, so that nesting costs nothing.
struct JSONPartScanner {
    let isObject: Bool

    /// How many members there are up to here.
    private(set) var count = 0
    private let data: Data
    private var position: Int

    /// Starts at the first member.
    ///
    /// - Returns: `nil` when the document is neither an array nor an object, or not in UTF-8 without a byte order mark.
    init?(_ data: Data) {
        let opening = data.firstIndex { !" \n\r\t".utf8.contains($0) }
        // A zero here is how JSONDecoder recognizes UTF-16 and UTF-32.
        guard let opening, "[{".utf8.contains(data[opening]), !data.prefix(2).contains(0) else { return nil }
        isObject = data[opening] == UInt8(ascii: "{")
        position = opening - data.startIndex + 1
        self.data = data
    }

    /// Returns the next members, at least `size` bytes of them unless there are fewer left, or `nil` after the last.
    mutating func next(size: Int) -> JSONPart? {
        guard position <= data.count else { return nil }
        return data.withUnsafeBytes { bytes in
            var part = JSONPart(bytes: position..<bytes.count, firstIndex: count)
            var (index, depth) = (position, 1)
            while index < part.bytes.upperBound, depth > 0 {
                switch bytes[index] {
                case UInt8(ascii: "\""):
                    let start = index + 1
                    index = start
                    // In one leap unless there is an escape: most strings have none, and texts may be long.
                    if let base = bytes.baseAddress, let end = memchr(base + start, 0x22, bytes.count - start) {
                        let length = UnsafeRawPointer(end) - base - start
                        if memchr(base + start, 0x5C, length) == nil { index += length }
                    }
                    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                        if bytes[index] == UInt8(ascii: "\\") {
                            // JSONDecoder passes over the four digits after \u unseen, were there a quotation mark.
                            index += bytes.dropFirst(index + 1).first == UInt8(ascii: "u") ? 5 : 1
                        }
                        index += 1
                    }
                    // The first string of a member is its key.
                    guard isObject, part.keys.count < part.count else { break }
                    part.keys.append(String(decoding: bytes[start..<min(index, bytes.count)], as: UTF8.self))
                case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
                case UInt8(ascii: ",") where depth == 1 && index - position >= size: part.bytes = position..<index
                case UInt8(ascii: ",") where depth == 1: part.count += 1
                default: break
                }
                index += 1
            }
            count += part.count
            position = part.bytes.upperBound + 1
            return part
        }
    }
}
