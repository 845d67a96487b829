import Foundation

/// A `JSONDecoder` that several threads decode with.
///
/// Unchecked, because Foundation declares the class `Sendable` from macOS 13 and iOS 16 on only. It only reads its
/// options while it decodes, on older systems as well, and the documentation asks to leave them alone.
struct SharedJSONDecoder: @unchecked Sendable {
    let decoder: JSONDecoder

    /// The smallest part of a document, in bytes, that is worth a thread; four make a document worth splitting.
    private let partSize: Int

    /// How many cores to use, also if others use them too; `nil` for a share of those that nobody uses.
    private let cores: Int?

    /// Whether documents are JSON as the standard has it, and no subclass has a say.
    private let isStandard: Bool

    init(_ decoder: JSONDecoder, partSize: Int = 16 * 1024, cores: Int? = nil) {
        self.decoder = decoder
        self.partSize = partSize
        self.cores = cores
        isStandard = type(of: decoder) == JSONDecoder.self && !decoder.allowsJSON5 && !decoder.assumesTopLevelDictionary
    }

    func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
        try decoder.decode(type, from: data)
    }

    /// Decodes what `JSONDecoder` decodes as `[Element]`.
    func array<Element: Decodable & SendableMetatype>(of type: Element.Type, in data: Data) throws -> [Element] {
        try withParts(of: data) { parts in
            if let parts, !parts.isObject, let elements = try parts.decode(type) { return elements }
            return try decode([Element].self, from: data)
        }
    }

    /// Decodes the values of what `JSONDecoder` decodes as `[String: Element]`, and arrays and `null`.
    func values<Element: Decodable & SendableMetatype>(of type: Element.Type, in data: Data) throws -> [Element] {
        try withParts(of: data) { parts in
            if let parts, parts.isObject, let members = try parts.decode(type) { return members }
            if let parts, !parts.isObject, let elements = try parts.decode(Element?.self) {
                return elements.compactMap { $0 }
            }
            let unordered = try decode(JSONUnorderedValues<Element>.self, from: data)
            var members = unordered.members
            // A subclass may decode other bytes than these, whose order is then unknown.
            let order = members.isEmpty ? [] : (try? recordedKeys(of: data)) ?? []
            let ordered = order.compactMap { members.removeValue(forKey: $0) }
            // Before macOS 14 and iOS 17 keys may be recorded in another order or be missing; no value is lost for
            // that.
            return unordered.elements.compactMap { $0 } + ordered + members.values
        }
    }

    /// Runs `body` with the parts of a document, or with `nil` when only `JSONDecoder` can tell them.
    func withParts<T>(of data: Data, body: (JSONParts?) throws -> T) rethrows -> T {
        guard isStandard, let scanner = data.withUnsafeBytes({ JSONPartScanner($0) }) else { return try body(nil) }
        let limit = data.count / 4 < partSize ? 1 : data.count / partSize
        return try JSONCores.machine.withShare(upTo: limit) { share in
            let cores = min(limit, cores ?? share)
            // Four for each core: threads that are not all in the same phase of their parts wait less for each other.
            let size = max(partSize, data.count / (cores * 4))
            return try body(JSONParts(data: data, scanner: scanner, cores: cores, size: size, decoder: self))
        }
    }
}
