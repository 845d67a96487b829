import Foundation

/// A `JSONDecoder` that several threads decode with.
///
/// Unchecked, because Foundation declares the class `Sendable` from macOS 13 and iOS 16 on only. It only reads its
/// options while it decodes, on older systems as well, and the documentation asks to leave them alone.
struct SharedJSONDecoder: DataDecoding, @unchecked Sendable {
    // Asked once: it is a system call.
    private static let machineCores = ProcessInfo.processInfo.activeProcessorCount

    let decoder: JSONDecoder

    /// The smallest part of a document, in bytes, that is worth a thread; four make a document worth splitting.
    var partSize = 16 * 1024

    /// How many threads decode a large document.
    var cores = Self.machineCores

    /// Whether documents are JSON as the standard has it, and no subclass has a say.
    var isStandard: Bool {
        type(of: decoder) == JSONDecoder.self && !decoder.allowsJSON5 && !decoder.assumesTopLevelDictionary
    }

    func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { try decoder.decode(type, from: data) }

    /// Decodes what `JSONDecoder` decodes as `[Element]`.
    func array<Element: Decodable & SendableMetatype>(of type: Element.Type, in data: Data) throws -> [Element] {
        try inParts(data, of: type, isObject: false) ?? decode([Element].self, from: data)
    }

    /// Decodes the values of what `JSONDecoder` decodes as `[String: Element]`, and arrays and `null`.
    func values<Element: Decodable & SendableMetatype>(of type: Element.Type, in data: Data) throws -> [Element] {
        if let members = inParts(data, of: type, isObject: true) { return members }
        if let elements = inParts(data, of: Element?.self, isObject: false) { return elements.compactMap { $0 } }
        return try values(of: type, in: data, keys: keys(of: data))
    }

    /// Decodes an array or the members of an object in parts, side by side.
    ///
    /// What comes out of it is what comes out of `JSONDecoder`, or nothing. Each part is accepted by `JSONDecoder` as
    /// an array or object of its own, the last one with all that follows it in the document; between two parts there is
    /// one comma, before the first nothing but whitespace: thus the whole is accepted as well. `JSONDecoder` lets a
    /// comma follow the last member, so the members of each part are counted; and of two equal keys it keeps the first,
    /// so an object that has any is left to it.
    ///
    /// - Returns: `nil` when it is not worth it, or when `JSONDecoder` has to see the whole document.
    func inParts<T: Decodable & SendableMetatype>(_ data: Data, of type: T.Type, isObject: Bool) -> [T]? {
        guard cores > 1, data.count / 4 >= partSize, isStandard, var sample = JSONPartScanner(data),
            sample.isObject == isObject
        else { return nil }
        // Four for each core: threads that are not all in the same phase of their parts wait less for each other.
        let size = max(partSize, data.count / (cores * 4))
        // The bytes of padding for each element before a part. Only these types never look at their coding path.
        let padding = isObject || [Int.self, Double.self, Bool.self, String.self].contains { $0 == type } ? 0 : 5
        let lock = NSLock()
        // Unsafe only to the compiler, which does not know the lock: threads touch these while they hold it.
        nonisolated(unsafe) var (scan, keys, parts, isValid) = (sample, Set<String>(), [Int: [T]](), true)
        // Elements of less than 16 bytes: the padding would cost more memory than the threads save time.
        if padding > 0, let part = sample.next(size: partSize), part.count > 1 + partSize / 16 { return nil }
        DispatchQueue.concurrentPerform(iterations: min(cores, data.count / partSize)) { _ in
            // No part is shorter than the padding before it.
            while let part = lock.withLock({ isValid ? scan.next(size: max(size, scan.count * padding)) : nil }) {
                // What is thrown here JSONDecoder comes upon again in the whole document, and tells it in full.
                let decoded: (keys: [String], elements: [T])? = try? decode(part, of: data, isPadded: padding > 0)
                lock.withLock {
                    keys.formUnion(decoded?.keys ?? [])
                    parts[part.firstIndex] = decoded?.elements
                    isValid = isValid && decoded?.elements.count == part.count
                }
            }
        }
        guard isValid, !isObject || keys.count == scan.count else { return nil }
        return parts.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    /// Decodes a part as an array or object of its own, whose keys are given as well.
    private func decode<T: Decodable>(_ part: JSONPart, of data: Data, isPadded: Bool) throws -> ([String], [T]) {
        func text(after opening: String) -> Data {
            let closing = part.bytes.upperBound == data.count ? "" : part.keys.isEmpty ? "]" : "}"
            return data.withUnsafeBytes { Data(opening.utf8) + $0[part.bytes] + Data(closing.utf8) }
        }
        // In the first two bytes a zero of the part would look like UTF-16, hence the spaces.
        if !part.keys.isEmpty {
            let keys = try keys(of: part)
            return (keys, try values(of: T.self, in: text(after: "{ "), keys: keys))
        }
        guard isPadded, part.firstIndex > 0 else { return ([], try decode([T].self, from: text(after: "[ "))) }
        let padding = "[\(part.firstIndex)," + String(repeating: "null,", count: part.firstIndex - 1)
        return ([], try decode(JSONPaddedElements<T>.self, from: text(after: padding)).elements)
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
