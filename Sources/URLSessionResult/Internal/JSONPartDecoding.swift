import Foundation

/// When and how documents are split.
struct JSONSplitting: Sendable {
    /// The size of a document, in bytes, from which on it is worth while.
    var threshold = 64 * 1024

    /// The smallest part in bytes.
    var minimumPartSize = 16 * 1024

    /// How many parts there are for each core, so that none waits long for the last one.
    var partsPerCore = 2

    /// How many cores to use, also if others use them too; `nil` for a share of those that nobody uses.
    var cores: Int?
}

extension SharedJSONDecoder {
    /// Runs `body` with the parts of a document, or with `nil` when it is better decoded in one piece.
    func splitting<T>(_ data: Data, body: (JSONParts?) throws -> T) rethrows -> T {
        guard isStandard, data.count >= splitting.threshold,
            let scanner = data.withUnsafeBytes({ JSONPartScanner($0) })
        else { return try body(nil) }
        let limit = max(1, data.count / splitting.minimumPartSize)
        return try JSONCores.machine.withShare(upTo: limit) { share in
            let cores = splitting.cores ?? share
            guard cores > 1 else { return try body(nil) }
            let size = max(splitting.minimumPartSize, data.count / (cores * splitting.partsPerCore))
            return try body(JSONParts(data: data, scanner: scanner, size: size, cores: cores, json: self))
        }
    }
}

/// A large array or object, to be decoded in parts side by side.
///
/// What comes out of it is what comes out of `JSONDecoder`, or nothing. Each part is accepted by `JSONDecoder` as an array
/// or object of its own; between two parts there is one comma, around them the brackets that match, outside nothing but
/// whitespace: thus the whole is accepted as well. `JSONDecoder` lets a comma follow the last member, so the members of
/// each part are counted; and of two equal keys it keeps the first, so an object that has any is left to it.
struct JSONParts {
    let data: Data
    let scanner: JSONPartScanner
    let size: Int
    let cores: Int
    let json: SharedJSONDecoder

    var isObject: Bool { scanner.isObject }

    /// Returns the elements, or `nil` when `JSONDecoder` has to see the whole document.
    func decode<Element: Decodable & SendableMetatype>(_ type: Element.Type) -> [Element]? {
        let decoding = JSONPartDecoding<Element>(self)
        DispatchQueue.concurrentPerform(iterations: cores) { _ in decoding.work() }
        return decoding.join()
    }
}

/// The state that the threads share which decode the parts of one document.
///
/// Unchecked, because `Element` need not be `Sendable`: an element is made by one thread, which hands it over under the
/// lock and never touches it again.
private final class JSONPartDecoding<Element: Decodable & SendableMetatype>: @unchecked Sendable {
    private let document: JSONParts
    private let lock = NSLock()
    private var scanner: JSONPartScanner
    private var parts: [(firstIndex: Int, elements: [Element])] = []
    private var keys: Set<String> = []
    private var isIrregular = false

    init(_ document: JSONParts) {
        self.document = document
        scanner = document.scanner
    }

    /// Puts the parts together, once no thread is at work any more.
    func join() -> [Element]? {
        guard !isIrregular else { return nil }
        parts.sort { $0.firstIndex < $1.firstIndex }
        var elements: [Element] = []
        elements.reserveCapacity(parts.reduce(0) { $0 + $1.elements.count })
        for index in parts.indices {
            elements += parts[index].elements
            parts[index].elements = []
        }
        return elements
    }

    /// Decodes one part after the other until there are none left.
    func work() {
        do {
            while let part = try nextPart() {
                let keys = try document.json.keys(at: part.keys, in: document.data)
                append(try decode(part, keys: keys), keys: keys, of: part)
            }
        } catch {
            // Whatever it is, JSONDecoder comes upon it again in the whole document, and tells it in full.
            lock.withLock { isIrregular = true }
        }
    }

    private func nextPart() throws -> JSONPart? {
        try lock.withLock {
            guard !isIrregular else { return nil }
            return try document.data.withUnsafeBytes { try scanner.next(size: document.size, in: $0) }
        }
    }

    private func append(_ elements: [Element], keys: [String], of part: JSONPart) {
        lock.withLock {
            if elements.count != part.count || !keys.allSatisfy({ self.keys.insert($0).inserted }) {
                isIrregular = true
            }
            parts.append((part.firstIndex, elements))
        }
    }

    private func decode(_ part: JSONPart, keys: [String]) throws -> [Element] {
        let json = document.json
        if document.isObject {
            return try json.members(of: Element.self, keys: keys, in: text(of: part, after: "{", before: "}"))
        }
        guard part.firstIndex > 0, !JSONPaddedElements<Element>.isNeedless else {
            return try json.decode([Element].self, from: text(of: part, after: "[", before: "]"))
        }
        let padded = text(of: part, after: "[\(part.firstIndex),", padding: part.firstIndex - 1, before: "]")
        return try json.decode(JSONPaddedElements<Element>.self, from: padded).elements
    }

    private func text(of part: JSONPart, after opening: String, padding: Int = 0, before closing: String) -> Data {
        var text = Data(opening.utf8)
        text.reserveCapacity(opening.utf8.count + padding * 5 + part.bytes.count + closing.utf8.count)
        for remaining in stride(from: padding, to: 0, by: -1000) {
            text += thousandNulls.prefix(5 * min(remaining, 1000))
        }
        document.data.withUnsafeBytes { text += $0[part.bytes] }
        text += closing.utf8
        return text
    }
}

private let thousandNulls = Data(String(repeating: "null,", count: 1000).utf8)

/// The elements of a part, after a number that tells how many entries stand before them, itself included.
///
/// Thus the elements have the coding paths that they have in the whole document, at which models and strategies may look.
private struct JSONPaddedElements<Element: Decodable>: Decodable {
    private(set) var elements: [Element] = []

    /// Whether the elements are of a type that never looks.
    static var isNeedless: Bool {
        Element.self is any (FixedWidthInteger & Decodable).Type
            || Element.self is any (BinaryFloatingPoint & Decodable).Type
            || Element.self == String.self || Element.self == Bool.self
    }

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        try Self.skipPadding(of: &container)
        while !container.isAtEnd {
            elements.append(try container.decode(Element.self))
        }
    }

    // Generic, which makes it a fifth faster than through the existential.
    private static func skipPadding(of container: inout some UnkeyedDecodingContainer) throws {
        for _ in 1..<(try container.decode(Int.self)) {
            guard try container.decodeNil() else { throw JSONIrregularity() }
        }
    }
}
