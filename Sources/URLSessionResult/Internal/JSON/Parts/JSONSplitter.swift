import Foundation

/// Splits an array or object into parts, at the commas between its members.
///
/// Unchecked, because who takes a part holds a lock meanwhile (`SharedJSONDecoder.inParts`). The other properties never
/// change.
final class JSONSplitter: @unchecked Sendable {
    /// The document.
    let data: Data

    /// The path in the document to the array or object.
    let path: JSONKeyPath

    let collection: JSONCollection

    /// The number of parts so far, and of the members in them.
    private(set) var partCount = 0
    private(set) var memberCount = 0

    private var scanner: JSONMemberScanner

    /// The member after those in parts.
    private var nextMember: JSONMember?

    /// Makes a splitter that starts at the first member.
    ///
    /// It may be that of the wrong array or object, because the scanner knows no key strategies: `JSONDecoder` has to confirm
    /// the surroundings.
    ///
    /// - Returns: `nil` if no array or object is found at the path, or if the document is not UTF-8. An array or object inside
    ///   an array is not found.
    init?(_ data: Data, at path: JSONKeyPath) {
        var scanner = JSONMemberScanner(at: path)
        nextMember = data.withUnsafeBytes { bytes in try? scanner.next(in: bytes) }
        // An index has another name in a coding path.
        let hasNamesOnly = scanner.codingPath.map(\.stringValue) == path.steps
        guard let collection = scanner.collection, hasNamesOnly else { return nil }
        self.data = data
        self.path = path
        self.collection = collection
        self.scanner = scanner
    }

    /// Returns the next members: at least `size` bytes of them, unless fewer are left. Returns `nil` after the last part.
    func nextPart(size: Int) -> JSONPart? {
        guard let first = takeMember() else { return nil }
        var range = first.range
        var members = [first]
        while range.count < size, let member = takeMember() {
            range = range.lowerBound..<member.range.upperBound
            members.append(member)
        }
        defer {
            partCount += 1
            memberCount += members.count
        }
        return (partCount, range, firstIndex: memberCount, members.count, keys: members.compactMap(\.key))
    }

    private func takeMember() -> JSONMember? {
        guard let member = nextMember else { return nil }
        // An error means that there is none. JSONDecoder throws its own when it reads the whole document.
        nextMember = data.withUnsafeBytes { bytes in try? scanner.next(in: bytes) }
        return member
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
        guard let end = scanner.closingBracket else { return nil }
        return [text(0..<scanner.openingBracket), Data(value.utf8), text(end + 1..<data.count)].concatenated()
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
/// * the keys of its members; empty in an array.
typealias JSONPart = (number: Int, bytes: Range<Int>, firstIndex: Int, count: Int, keys: [String])

extension [Data] {
    func concatenated() -> Data {
        var whole = Data()
        for piece in self { whole.append(piece) }
        return whole
    }
}
