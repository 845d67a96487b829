import Foundation

extension SharedJSONDecoder {
    /// Returns the keys of the object at the end of a path, in any encoding and dialect that `JSONDecoder` reads.
    ///
    /// `JSONDecoder` passes each key to its key strategy while it reads the object, in the order of the document. Before
    /// macOS 14 and iOS 17 keys may come in another order or be missing.
    func recordedKeys(of data: Data, at path: JSONKeyPath) -> [String] {
        // Safe, although the compiler cannot see it: the recorder runs on this thread.
        nonisolated(unsafe) var recorded: [String] = []
        let strategy = decoder.keyDecodingStrategy
        let recorder = JSONDecoder()
        recorder.allowsJSON5 = decoder.allowsJSON5
        recorder.assumesTopLevelDictionary = decoder.assumesTopLevelDictionary
        recorder.keyDecodingStrategy = .custom { keys in
            guard keys.count > path.steps.count else { return strategy.convertedKey(keys) }
            let key = keys[path.steps.count]
            recorded.append(key.stringValue)
            return key
        }
        // The result does not matter: the strategy has recorded the keys, whether the members can be decoded or not.
        _ = try? SharedJSONDecoder(decoder: recorder).read(data, at: path) { decoder in try decoder.memberKeys() }
        return recorded
    }
}

extension JSONDecoder.KeyDecodingStrategy {
    /// Converts the last key of a coding path.
    func convertedKey(_ path: [any CodingKey]) -> any CodingKey {
        let key = path[path.count - 1]
        switch self {
        case .useDefaultKeys: return key
        case .custom(let convert): return convert(path)
        case .convertFromSnakeCase: return convertedByFoundation(key)
        @unknown default: return convertedByFoundation(key)
        }
    }

    /// Converts a key by decoding an object that has only this key: Foundation has no function for it.
    func convertedByFoundation(_ key: any CodingKey) -> any CodingKey {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = self
        let json = SharedJSONDecoder(decoder: decoder)
        let keys = try? json.read(JSONEncoder().encode([key.stringValue: 0]), at: .root) { try $0.memberKeys() }
        return keys?.first ?? key
    }
}

extension Decoder {
    /// The keys of an object, in any order.
    func memberKeys() throws -> [JSONKey] {
        try container(keyedBy: JSONKey.self).allKeys
    }
}
