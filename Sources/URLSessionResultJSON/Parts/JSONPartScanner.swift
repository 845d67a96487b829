import Foundation

/// Finds the array or object at the end of a path, and cuts it into parts.
struct JSONPartScanner {
    private let document: Data
    private var scanner: JSONMemberScanner

    /// The member after those in parts.
    private var nextMember: JSONMember?

    /// The number of members in the parts so far.
    private(set) var memberCount = 0

    init(_ document: Data, at path: JSONKeyPath) {
        self.document = document
        scanner = JSONMemberScanner(at: path)
        scanMember()
    }

    var collection: JSONCollection? { scanner.collection }

    /// The steps of the path that have been followed.
    var codingPath: [JSONKey] { scanner.codingPath }

    /// The range from the opening to the closing bracket. Nil until all parts have been taken, and if there is no such
    /// bracket.
    var range: ClosedRange<Int>? {
        guard let first = scanner.openingBracket, let last = scanner.closingBracket else { return nil }
        return first...last
    }

    /// Returns the next members: at least `size` bytes of them, unless fewer are left. Returns `nil` after the last part.
    mutating func nextPart(size: Int) -> JSONPart? {
        guard let first = takeMember() else { return nil }
        var range = first.range
        var members = [first]
        while range.count < size, let member = takeMember() {
            range = range.lowerBound..<member.range.upperBound
            members.append(member)
        }
        defer { memberCount += members.count }
        return JSONPart(
            bytes: range, firstIndex: memberCount, count: members.count, keys: members.compactMap(\.key))
    }

    private mutating func takeMember() -> JSONMember? {
        guard let member = nextMember else { return nil }
        scanMember()
        return member
    }

    private mutating func scanMember() {
        // After an error there is no other member. JSONDecoder throws an error of its own when it reads the whole document.
        nextMember = document.withUnsafeBytes { bytes in try? scanner.next(in: bytes) }
    }
}

/// A run of whole members of an array or object, without the brackets and commas around it.
struct JSONPart {
    /// The range of its text in the document.
    let bytes: Range<Int>

    /// The position of its first member in the array or object.
    let firstIndex: Int

    /// The number of its members.
    let count: Int

    /// The keys of its members; empty in an array.
    let keys: [String]
}
