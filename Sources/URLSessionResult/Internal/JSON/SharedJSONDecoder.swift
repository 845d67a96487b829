import Foundation

/// A `JSONDecoder` that several threads use at once.
///
/// Unchecked, because Foundation declares the class `Sendable` only from macOS 13 and iOS 16 on. On older systems, too,
/// it only reads its options while it decodes, and the documentation asks the caller not to change them.
struct SharedJSONDecoder: @unchecked Sendable {
    let decoder: JSONDecoder

    /// The smallest part of a document, in bytes, that is worth a thread.
    var partSize = 16 * 1024

    var cores = FreeCores.machine

    /// Decodes a value as `JSONDecoder` does.
    func value<Value: Decodable>(_ type: Value.Type, in data: Data, at path: JSONKeyPath = .root) throws -> Value {
        // A small document is decoded before another one could be split on its account.
        guard data.count >= partSize else { return try decode(type, from: data, at: path) }
        return try cores.borrow(atMost: 1) { _ in try decode(type, from: data, at: path) }
    }

    /// Decodes an array as `JSONDecoder` decodes `[Element]`.
    func array<Element: Decodable & SendableMetatype>(
        of type: Element.Type, in data: Data, at path: JSONKeyPath = .root
    ) throws -> [Element] {
        try cores.borrow(atMost: usefulCores(for: data)) { cores in
            try inParts(.array, of: type, in: data, at: path, cores: cores)
                ?? decode([Element].self, from: data, at: path)
        }
    }

    /// Decodes the values of an object as `JSONDecoder` decodes `[String: Element]`; also those of an array, and `null`.
    func values<Element: Decodable & SendableMetatype>(
        of type: Element.Type, in data: Data, at path: JSONKeyPath = .root
    ) throws -> [Element] {
        try cores.borrow(atMost: usefulCores(for: data)) { cores in
            if let values = inParts(.object, of: type, in: data, at: path, cores: cores) { return values }
            if let elements = inParts(.array, of: Element?.self, in: data, at: path, cores: cores) {
                return elements.compactMap { $0 }
            }
            return try orderedValues(of: type, in: data, at: path, keys: objectKeys(of: data, at: path))
        }
    }

    /// Decodes the values of an object in the order of its keys, on the current thread.
    func orderedValues<Element: Decodable>(
        of type: Element.Type, in data: Data, at path: JSONKeyPath, keys: JSONObjectKeys
    ) throws -> [Element] {
        try JSONObjectKeys.$current.withValue(keys) {
            try decode(JSONOrderedValues<Element>.self, from: data, at: path).values
        }
    }

    /// Decodes a value on the current thread.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data, at path: JSONKeyPath) throws -> Value {
        guard !path.steps.isEmpty else { return try decoder.decode(type, from: data) }
        return try JSONKeyPath.$current.withValue(path) {
            try decoder.decode(JSONEnvelope<Value>.self, from: data).value
        }
    }

    /// Returns a splitter of the array or object at a path, or `nil` when the decoder may read other than standard JSON.
    func splitter(of data: Data, at path: JSONKeyPath) -> JSONSplitter? {
        let isSubclass = type(of: decoder) != JSONDecoder.self
        guard !isSubclass, !decoder.allowsJSON5, !decoder.assumesTopLevelDictionary else { return nil }
        return JSONSplitter(data, at: path)
    }
}
