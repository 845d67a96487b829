import Foundation

/// An array or object, to be decoded in parts side by side.
///
/// What comes out of it is what comes out of `JSONDecoder`, or nothing. Each part is accepted by `JSONDecoder` as an
/// array or object of its own; between two parts there is one comma, around them the brackets that match, outside
/// nothing but whitespace: thus the whole is accepted as well. `JSONDecoder` lets a comma follow the last member, so
/// the members of each part are counted; and of two equal keys it keeps the first, so an object that has any is left to
/// it.
struct JSONParts {
    let data: Data
    let scanner: JSONPartScanner

    /// How many threads decode.
    let cores: Int

    /// The size of a part in bytes, but for the last one.
    let size: Int

    let decoder: SharedJSONDecoder

    var isObject: Bool { scanner.isObject }

    /// Returns the elements, or `nil` when `JSONDecoder` has to see the whole document.
    func decode<Element: Decodable & SendableMetatype>(_ type: Element.Type) throws -> [Element]? {
        if cores > 1 { return JSONPartDecoding<Element>(self).elements() }
        // On one core an object is a single part: its keys are needed for their order.
        guard isObject,
            let part = try? data.withUnsafeBytes({ bytes in
                var scanner = scanner
                return try scanner.next(size: .max, in: bytes)
            }), let keys = try? decoder.keys(at: part.keys, in: data)
        else { return nil }
        do {
            return try decoder.members(of: type, keys: keys, in: data)
        } catch is JSONIrregularity {
            return nil
        }
    }
}

/// The state that the threads share which decode the parts of one document.
///
/// Unchecked, because `Element` need not be `Sendable`: an element is made by one thread, which hands it over under the
/// lock and never touches it again.
private final class JSONPartDecoding<Element: Decodable & SendableMetatype>: @unchecked Sendable {
    /// The bytes of padding for each element before a part.
    private static var paddingSize: Int { JSONPaddedElements<Element>.isNeedless ? 0 : "null,".utf8.count }

    private let document: JSONParts
    private let lock = NSLock()
    private var scanner: JSONPartScanner
    private var parts: [Int: [Element]] = [:]
    private var keys: Set<String> = []
    private var isIrregular = false

    init(_ document: JSONParts) {
        self.document = document
        scanner = document.scanner
    }

    func elements() -> [Element]? {
        DispatchQueue.concurrentPerform(iterations: document.cores) { _ in decodeParts() }
        guard !isIrregular else { return nil }
        var elements: [Element] = []
        elements.reserveCapacity(scanner.count)
        // Removed one by one, so that none is held twice for long.
        for index in parts.keys.sorted() { elements += parts.removeValue(forKey: index) ?? [] }
        return elements
    }

    /// Decodes one part after the other until there are none left.
    private func decodeParts() {
        do {
            while let part = try nextPart() {
                let keys = try document.decoder.keys(at: part.keys, in: document.data)
                let elements = try decode(part, keys: keys)
                try lock.withLock {
                    guard elements.count == part.count, keys.allSatisfy({ self.keys.insert($0).inserted }) else {
                        throw JSONIrregularity()
                    }
                    parts[part.firstIndex] = elements
                }
            }
        } catch {
            // Whatever it is, JSONDecoder comes upon it again in the whole document, and tells it in full.
            lock.withLock { isIrregular = true }
        }
    }

    private func nextPart() throws -> JSONPart? {
        try lock.withLock {
            guard !isIrregular else { return nil }
            // Small elements would otherwise spend more on the padding before them than on themselves.
            let size = document.isObject ? document.size : max(document.size, scanner.count * Self.paddingSize)
            return try document.data.withUnsafeBytes { try scanner.next(size: size, in: $0) }
        }
    }

    private func decode(_ part: JSONPart, keys: [String]) throws -> [Element] {
        let json = document.decoder
        if document.isObject {
            return try json.members(of: Element.self, keys: keys, in: text(of: part, between: "{", and: "}"))
        }
        guard part.firstIndex > 0, Self.paddingSize > 0 else {
            return try json.decode([Element].self, from: text(of: part, between: "[", and: "]"))
        }
        let padding = "[\(part.firstIndex)," + String(repeating: "null,", count: part.firstIndex - 1)
        let padded = text(of: part, between: padding, and: "]")
        return try json.decode(JSONPaddedElements<Element>.self, from: padded).elements
    }

    private func text(of part: JSONPart, between opening: String, and closing: String) -> Data {
        var text = Data(capacity: opening.utf8.count + part.bytes.count + closing.utf8.count)
        text += opening.utf8
        document.data.withUnsafeBytes { text += $0[part.bytes] }
        text += closing.utf8
        return text
    }
}

/// The elements of a part, after a number that tells how many entries stand before them, itself included.
///
/// Thus the elements have the coding paths that they have in the whole document, at which models and strategies may
/// look.
private struct JSONPaddedElements<Element: Decodable>: Decodable {
    private(set) var elements: [Element] = []

    /// Whether the elements are of a type that never looks.
    static var isNeedless: Bool {
        [Int.self, Double.self, Bool.self, String.self].contains { $0 == Element.self }
    }

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        for _ in 1..<(try container.decode(Int.self)) { _ = try container.decodeNil() }
        while !container.isAtEnd { elements.append(try container.decode(Element.self)) }
    }
}
