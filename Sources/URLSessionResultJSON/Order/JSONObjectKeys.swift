import Foundation

/// What is known of the keys of an object before `JSONDecoder` reads it.
///
/// `JSONDecoder` reads an object into a dictionary, whose order changes from run to run. The order of the document comes
/// from the keys, which are read beforehand.
enum JSONObjectKeys: Sendable {
    /// All keys in the order of the document, each as `JSONDecoder` calls the member. Two may be equal.
    case exact([String])

    /// Keys in the order of the document. `JSONDecoder` may call the members something else, or find others.
    case inexact([String])

    /// Nothing: it may not even be an object.
    case unknown
}

extension SharedJSONDecoder {
    /// Reads the keys of the object at the end of a path, however the document is encoded.
    func objectKeys(of data: Data, at path: JSONKeyPath) -> JSONObjectKeys {
        guard let splitter = splitter(of: data, at: path), let part = splitter.nextPart(size: data.count),
            path.steps.isEmpty || confirmsSurroundings(of: splitter)
        else { return .inexact(recordedKeys(of: data, at: path)) }
        guard splitter.collection == .object else { return .unknown }
        return objectKeys(part.keys)
    }

    /// Says what the keys that stand in a document are worth: a key strategy may convert them.
    func objectKeys(_ keys: [String]) -> JSONObjectKeys {
        if case .useDefaultKeys = decoder.keyDecodingStrategy { .exact(keys) } else { .inexact(keys) }
    }
}
