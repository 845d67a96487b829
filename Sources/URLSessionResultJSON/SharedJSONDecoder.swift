import Foundation

/// A `JSONDecoder` that several threads use at once.
///
/// Unchecked, because Foundation declares the class `Sendable` only from macOS 13 and iOS 16 on. On older systems, too,
/// it only reads its options while it decodes, and the documentation asks the caller not to change them.
package struct SharedJSONDecoder: @unchecked Sendable {
    let decoder: JSONDecoder

    /// The smallest part of a document, in bytes, that is worth a thread.
    let partSize: Int

    let cores: FreeCores

    package init(decoder: JSONDecoder) {
        self.init(decoder: decoder, partSize: 16 * 1024)
    }

    init(decoder: JSONDecoder, partSize: Int, cores: FreeCores = .machine) {
        self.decoder = decoder
        self.partSize = partSize
        self.cores = cores
    }

    /// Decodes a value as `JSONDecoder` does.
    package func value<Value: Decodable>(_ type: Value.Type, in data: Data, at path: JSONKeyPath = .root) throws
        -> Value
    {
        // A small document is not counted: it is decoded before another document could make use of its core.
        guard data.count >= partSize else { return try decode(type, from: data, at: path) }
        return try cores.borrow(atMost: 1) { _ in try decode(type, from: data, at: path) }
    }

    /// Decodes an array as `JSONDecoder` decodes `[Element]`.
    package func array<Element: Decodable & SendableMetatype>(
        of type: Element.Type, in data: Data, at path: JSONKeyPath = .root
    ) throws -> [Element] {
        try cores.borrow(atMost: usefulCores(for: data)) { cores in
            if cores > 1, let splitter = splitter(of: data, at: path), splitter.collection == .array,
                let elements = elementsInParts(of: splitter, as: type, cores: cores)
            {
                return elements
            }
            return try decode([Element].self, from: data, at: path)
        }
    }

    /// Decodes the values of an object as `JSONDecoder` decodes `[String: Element]`; also those of an array, and `null`.
    package func values<Element: Decodable & SendableMetatype>(
        of type: Element.Type, in data: Data, at path: JSONKeyPath = .root
    ) throws -> [Element] {
        try cores.borrow(atMost: usefulCores(for: data)) { cores in
            if cores > 1, let splitter = splitter(of: data, at: path),
                let values = valuesInParts(of: splitter, as: type, cores: cores)
            {
                return values
            }
            return try orderedValues(of: type, in: data, at: path, keys: objectKeys(of: data, at: path))
        }
    }

    private func valuesInParts<Element: Decodable & SendableMetatype>(
        of splitter: JSONSplitter, as type: Element.Type, cores: Int
    ) -> [Element]? {
        switch splitter.collection {
        case .object: elementsInParts(of: splitter, as: type, cores: cores)
        case .array: elementsInParts(of: splitter, as: Element?.self, cores: cores)?.compactMap { $0 }
        }
    }

    /// Decodes the values of an object in the order of its keys, on the current thread.
    func orderedValues<Element: Decodable>(
        of type: Element.Type, in data: Data, at path: JSONKeyPath, keys: JSONObjectKeys
    ) throws -> [Element] {
        try read(data, at: path) { decoder in try decoder.orderedValues(keys: keys) }
    }

    /// Decodes a value on the current thread.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data, at path: JSONKeyPath) throws -> Value {
        guard !path.steps.isEmpty else { return try decoder.decode(type, fromUntrusted: data) }
        return try read(data, at: path) { decoder in try decoder.singleValueContainer().decode(type) }
    }

    /// Reads the value at the end of a path with a function, on the current thread.
    ///
    /// `JSONDecoder` itself follows the path. So it accepts or rejects the document, and its errors have the whole coding path.
    func read<Value>(
        _ data: Data, at path: JSONKeyPath, by read: @escaping (any Decoder) throws -> Value
    ) throws -> Value {
        var value: Value?
        try JSONDocument.read(data, with: decoder) { decoder in
            value = try read(path.decoder(in: decoder, of: Value.self))
        }
        guard let value else {
            let message = "A subclass of JSONDecoder did not read the document."
            throw DecodingError.valueNotFound(Value.self, .init(codingPath: [], debugDescription: message))
        }
        return value
    }

    /// Returns a splitter of the array or object at a path, or `nil` when the decoder may read other than standard JSON.
    func splitter(of data: Data, at path: JSONKeyPath) -> JSONSplitter? {
        let isSubclass = type(of: decoder) != JSONDecoder.self
        guard !isSubclass, !decoder.allowsJSON5, !decoder.assumesTopLevelDictionary else { return nil }
        return JSONSplitter(data, at: path)
    }
}
