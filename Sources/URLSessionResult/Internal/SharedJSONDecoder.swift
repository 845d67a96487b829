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
    private let partSize: Int

    /// How many threads decode a large document.
    private let cores: Int

    /// Whether documents are JSON as the standard has it, and no subclass has a say.
    let isStandard: Bool

    init(_ decoder: JSONDecoder, partSize: Int = 16 * 1024, cores: Int = machineCores) {
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
        try inParts(data, of: type, isObject: false) ?? decode([Element].self, from: data)
    }

    /// Decodes the values of what `JSONDecoder` decodes as `[String: Element]`, and arrays and `null`.
    func values<Element: Decodable & SendableMetatype>(of type: Element.Type, in data: Data) throws -> [Element] {
        if let members = inParts(data, of: type, isObject: true) { return members }
        if let elements = inParts(data, of: Element?.self, isObject: false) { return elements.compactMap { $0 } }
        return try values(of: type, in: data, order: order(of: data))
    }

    /// Decodes an array or the members of an object on several cores.
    ///
    /// - Returns: `nil` when it is not worth it, or when `JSONDecoder` has to see the whole document.
    func inParts<Element: Decodable & SendableMetatype>(
        _ data: Data, of type: Element.Type, isObject: Bool
    ) -> [Element]? {
        guard cores > 1, data.count / 4 >= partSize, isStandard, let scanner = JSONPartScanner(data),
            scanner.isObject == isObject
        else { return nil }
        // Four for each core: threads that are not all in the same phase of their parts wait less for each other.
        let size = max(partSize, data.count / (cores * 4))
        return JSONParts(data, cutBy: scanner, size: size, decoder: self).decode(on: min(cores, data.count / partSize))
    }
}
