import Foundation

/// Splits an array or object into parts, which several threads take.
///
/// Unchecked, because the lock is held on every access to the only property that changes.
final class JSONSplitter: @unchecked Sendable {
    /// The document.
    let data: Data

    /// The path in the document to the array or object.
    let path: JSONKeyPath

    let collection: JSONCollection

    private let lock = NSLock()
    private var scanner: JSONPartScanner

    /// Makes a splitter that starts at the first member.
    ///
    /// It may split the wrong array or object, because the scanner knows no key strategies. So `confirmsSurroundings(of:)` has to
    /// ask `JSONDecoder`.
    ///
    /// - Returns: `nil` if no array or object is found at the path, or if the document is not UTF-8. An array or object inside
    ///   an array is not found.
    init?(_ data: Data, at path: JSONKeyPath) {
        let scanner = JSONPartScanner(data, at: path)
        // A coding path has `Index 0` for the index `0`, so a path with an index does not match.
        let hasNamesOnly = scanner.codingPath.map(\.stringValue) == path.steps
        guard let collection = scanner.collection, hasNamesOnly else { return nil }
        self.data = data
        self.path = path
        self.collection = collection
        self.scanner = scanner
    }

    /// Takes the next members.
    ///
    /// - Parameters:
    ///   - size: The least number of bytes in them, unless fewer are left.
    ///   - padding: The number of bytes that will be written before the part for each member of earlier parts. The part is no
    ///     shorter than its padding: otherwise most of the time would be spent on padding.
    /// - Returns: The members, or `nil` after the last part.
    func nextPart(size: Int, padding: Int = 0) -> JSONPart? {
        lock.withLock { scanner.nextPart(size: max(size, scanner.memberCount * padding)) }
    }

    /// Returns what `nextPart(size:)` would return, without taking it.
    func sample(size: Int) -> JSONPart? {
        var copy = lock.withLock { scanner }
        return copy.nextPart(size: size)
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
        guard let range = lock.withLock({ scanner.range }) else { return nil }
        return [text(0..<range.lowerBound), Data(value.utf8), text(range.upperBound + 1..<data.count)].concatenated()
    }

    private func text(_ range: Range<Int>) -> Data {
        data[data.startIndex + range.lowerBound..<data.startIndex + range.upperBound]
    }
}

extension [Data] {
    fileprivate func concatenated() -> Data {
        reduce(into: Data()) { whole, piece in whole.append(piece) }
    }
}
