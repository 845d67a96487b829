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
    let partSize: Int

    /// How many threads decode a large document.
    let cores: Int

    init(_ decoder: JSONDecoder, partSize: Int = 16 * 1024, cores: Int = machineCores) {
        (self.decoder, self.partSize, self.cores) = (decoder, partSize, cores)
    }

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
}
