import Foundation

/// What is known of the keys of an object before `JSONDecoder` reads it.
///
/// `JSONDecoder` reads an object into a dictionary, whose order changes from run to run. The order of the document comes
/// from the keys, which are read beforehand.
struct JSONObjectKeys: Sendable {
    /// The keys in the order of the document. Two may be equal.
    let inOrder: [String]

    /// Whether these are exactly the keys that `JSONDecoder` finds. Otherwise a key strategy may convert keys, or some may be
    /// missing.
    let areExact: Bool
}

extension SharedJSONDecoder {
    /// Reads the keys of the object at the end of a path, however the document is encoded. An array has none.
    func objectKeys(of data: Data, at path: JSONKeyPath) -> JSONObjectKeys {
        guard let splitter = splitter(of: data, at: path), let part = splitter.nextPart(size: data.count),
            path.steps.isEmpty || confirmsSurroundings(of: splitter)
        else { return JSONObjectKeys(inOrder: recordedKeys(of: data, at: path), areExact: false) }
        return objectKeys(part.keys)
    }

    /// The keys as they stand in a document. They are exact, unless a key strategy may convert them.
    func objectKeys(_ keys: [String]) -> JSONObjectKeys {
        let areExact = if case .useDefaultKeys = decoder.keyDecodingStrategy { true } else { false }
        return JSONObjectKeys(inOrder: keys, areExact: areExact)
    }
}
