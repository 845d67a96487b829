import Foundation

/// Splits an array or object into parts, at the commas between its members.
///
/// Unchecked, because who takes a part holds a lock meanwhile (`SharedJSONDecoder.inParts`). The other properties never
/// change.
final class JSONSplitter: @unchecked Sendable {
    enum Collection {
        case array
        case object

        init?(openingBracket: UInt8) {
            switch openingBracket {
            case UInt8(ascii: "["): self = .array
            case UInt8(ascii: "{"): self = .object
            default: return nil
            }
        }

        var brackets: (opening: String, closing: String) {
            switch self {
            case .array: ("[", "]")
            case .object: ("{", "}")
            }
        }
    }

    /// The document.
    let data: Data

    /// The path in the document to the array or object.
    let path: JSONKeyPath

    let collection: Collection

    /// The number of parts so far, and of the members in them.
    var partCount = 0
    var memberCount = 0

    let openingBracket: Int
    var position: Int
    var isAtEnd = false
    var closingBracket: Int?

    init(_ data: Data, at path: JSONKeyPath, collection: Collection, openingBracket: Int) {
        self.data = data
        self.path = path
        self.collection = collection
        self.openingBracket = openingBracket
        position = openingBracket + 1
    }

    /// Makes a splitter that starts at the first member.
    ///
    /// - Returns: `nil` if no array or object is found at the path, or if the document is not UTF-8 without a byte order
    ///   mark.
    static func make(_ data: Data, at path: JSONKeyPath) -> JSONSplitter? {
        // JSONDecoder recognizes UTF-16 and UTF-32 by a zero in the first two bytes.
        guard !data.prefix(2).contains(0),
            let opening = data.withUnsafeBytes({ JSONScanner.guessedPosition(ofValueAt: path, in: $0) }),
            let collection = Collection(openingBracket: data[data.startIndex + opening])
        else { return nil }
        return JSONSplitter(data, at: path, collection: collection, openingBracket: opening)
    }

    /// Returns the next members: at least `size` bytes of them, unless fewer are left. Returns `nil` after the last part.
    func nextPart(size: Int) -> JSONPart? {
        guard !isAtEnd else { return nil }
        return data.withUnsafeBytes { bytes in
            var scanner = JSONScanner(bytes, at: position)
            var keys: [String] = []
            var count = 1
            var end: Int?
            while end == nil {
                switch scanner.nextMark() {
                case .string(let text):
                    let isKey = collection == .object && keys.count < count
                    if isKey {
                        let key = UnsafeRawBufferPointer(rebasing: bytes[text])
                        keys.append(String(decoding: key, as: UTF8.self))
                    }
                case .comma(let comma) where comma - position >= size:
                    end = comma
                case .comma:
                    count += 1
                case .closingBracket(let bracket):
                    end = bracket
                    isAtEnd = true
                    closingBracket = bytes[bracket] == collection.brackets.closing.utf8.first ? bracket : nil
                case .endOfText:
                    end = bytes.count
                    isAtEnd = true
                }
            }
            let part: JSONPart = (
                number: partCount, bytes: position..<(end ?? bytes.count), firstIndex: memberCount, count: count,
                writtenKeys: keys
            )
            position = scanner.position
            partCount += 1
            memberCount += count
            return part
        }
    }

    /// Returns a part as an array or object in a document of its own, at the same path as in the whole document.
    ///
    /// So elements keep their coding path. They also keep their nesting depth, which `JSONDecoder` limits.
    func document(with part: JSONPart, padding: String = "") -> Data {
        // The space keeps a part that begins with a zero byte from looking like UTF-16.
        let opening = "\(path.opening)\(collection.brackets.opening) \(padding)"
        let closing = "\(collection.brackets.closing)\(path.closing)"
        return [Data(opening.utf8), text(part.bytes), Data(closing.utf8)].concatenated()
    }

    /// Returns the document with another value in place of the array or object.
    ///
    /// - Returns: `nil` unless all parts have been taken and the right bracket follows the last one.
    func document(replacingCollectionBy value: String) -> Data? {
        guard let closingBracket else { return nil }
        return [text(0..<openingBracket), Data(value.utf8), text(closingBracket + 1..<data.count)].concatenated()
    }

    func text(_ range: Range<Int>) -> Data {
        data[data.startIndex + range.lowerBound..<data.startIndex + range.upperBound]
    }
}

/// A run of whole members of an array or object, without the brackets and commas around it:
///
/// * its position among the parts,
/// * the range of its text in the document,
/// * the position of its first member in the array or object,
/// * the number of its members,
/// * the keys of its members as the document writes them, with escapes; empty in an array.
typealias JSONPart = (number: Int, bytes: Range<Int>, firstIndex: Int, count: Int, writtenKeys: [String])

extension [Data] {
    func concatenated() -> Data {
        var whole = Data()
        for piece in self { whole.append(piece) }
        return whole
    }
}
