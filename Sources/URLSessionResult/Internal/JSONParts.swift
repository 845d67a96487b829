import Foundation

/// An array or object that threads decode in parts, side by side.
///
/// What comes out of it is what comes out of `JSONDecoder`, or nothing. Each part is accepted by `JSONDecoder` as an
/// array or object of its own, the last one with all that follows it in the document; between two parts there is one
/// comma, before the first nothing but whitespace: thus the whole is accepted as well. `JSONDecoder` lets a comma
/// follow the last member, so the members of each part are counted; and of two equal keys it keeps the first, so an
/// object that has any is left to it.
///
/// Unchecked, because `Element` need not be `Sendable`: an element is made by one thread, which hands it over under the
/// lock and never touches it again.
final class JSONParts<Element: Decodable & SendableMetatype>: @unchecked Sendable {
    private let decoder: SharedJSONDecoder
    private let data: Data
    private let isObject: Bool

    /// The size of a part in bytes, but for the last one.
    private let size: Int
    private let lock = NSLock()
    private var scanner: JSONPartScanner
    private var keys: Set<String> = []

    /// The elements of each part, by the position of the first; `nil` once `JSONDecoder` has to see the whole document.
    private var elements: [Int: [Element]]? = [:]

    init(_ data: Data, cutBy scanner: JSONPartScanner, size: Int, decoder: SharedJSONDecoder) {
        self.data = data
        self.scanner = scanner
        self.size = size
        self.decoder = decoder
        isObject = scanner.isObject
    }

    /// Returns the elements, or `nil` when `JSONDecoder` has to see the whole document.
    func decode(on cores: Int) -> [Element]? {
        DispatchQueue.concurrentPerform(iterations: cores) { _ in
            while let part = nextPart() {
                // What is thrown here JSONDecoder comes upon again in the whole document, and tells it in full.
                let decoded = try? decode(part)
                lock.withLock {
                    guard let decoded, decoded.count == part.count else { return elements = nil }
                    elements?[part.firstIndex] = decoded
                }
            }
        }
        guard let order = elements?.keys.sorted() else { return nil }
        var all: [Element] = []
        all.reserveCapacity(scanner.count)
        // Removed one by one, so that none is held twice for long.
        for index in order { all += elements?.removeValue(forKey: index) ?? [] }
        return all
    }

    private func nextPart() -> JSONPart? {
        lock.withLock {
            guard elements != nil else { return nil }
            // Small elements would otherwise spend more on the padding before them than on themselves.
            let paddingSize = isObject || Self.isPathless ? 0 : scanner.count * "null,".utf8.count
            return scanner.next(size: max(size, paddingSize))
        }
    }

    /// Returns the elements of a part, or `nil` when a key is not new.
    private func decode(_ part: JSONPart) throws -> [Element]? {
        // In the first two bytes a zero of the part would look like UTF-16, hence the spaces.
        if isObject {
            let order = try decoder.order(of: part, in: data)
            let areNew = lock.withLock { order.keys.allSatisfy { keys.insert($0).inserted } }
            return areNew ? try decoder.values(of: Element.self, in: text(of: part, after: "{ "), order: order) : nil
        }
        guard part.firstIndex > 0 else { return try decoder.decode([Element].self, from: text(of: part, after: "[ ")) }
        let position = Self.isPathless ? 1 : part.firstIndex
        let padding = "[\(position)," + String(repeating: "null,", count: position - 1)
        return try decoder.decode(JSONPaddedElements<Element>.self, from: text(of: part, after: padding)).elements
    }

    private func text(of part: JSONPart, after opening: String) -> Data {
        let closing = part.isLast ? "" : isObject ? "}" : "]"
        return data.withUnsafeBytes { Data(opening.utf8) + $0[part.bytes] + Data(closing.utf8) }
    }

    /// Whether the elements are of a type that never looks at its coding path.
    private static var isPathless: Bool {
        [Int.self, Double.self, Bool.self, String.self].contains { $0 == Element.self }
    }
}

/// The elements of a part, after a number that tells how many entries stand before them, itself included.
///
/// Thus the elements have the coding paths that they have in the whole document, at which models and strategies may
/// look.
private struct JSONPaddedElements<Element: Decodable>: Decodable {
    private(set) var elements: [Element] = []

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        for _ in 1..<(try container.decode(Int.self)) { _ = try container.decodeNil() }
        while !container.isAtEnd { elements.append(try container.decode(Element.self)) }
    }
}
