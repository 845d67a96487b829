import Foundation

/// A `JSONDecoder` that several threads decode with.
///
/// Unchecked, because Foundation declares the class `Sendable` from macOS 13 and iOS 16 on only. It only reads its
/// options while it decodes, on older systems as well, and the documentation asks to leave them alone.
struct SharedJSONDecoder: @unchecked Sendable {
    private let decoder: JSONDecoder

    let splitting: JSONSplitting

    /// Whether documents are JSON as the standard has it, and no subclass has a say.
    let isStandard: Bool

    /// Whether keys are taken as they are.
    let usesDefaultKeys: Bool

    init(_ decoder: JSONDecoder, splitting: JSONSplitting = JSONSplitting()) {
        self.decoder = decoder
        self.splitting = splitting
        isStandard = type(of: decoder) == JSONDecoder.self && !decoder.allowsJSON5 && !decoder.assumesTopLevelDictionary
        if case .useDefaultKeys = decoder.keyDecodingStrategy {
            usesDefaultKeys = true
        } else {
            usesDefaultKeys = false
        }
    }

    func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
        try decoder.decode(type, from: data)
    }

    /// Makes a decoder that reads the same documents, but gives their keys to another strategy.
    func makeDecoder(keyStrategy: JSONDecoder.KeyDecodingStrategy) -> JSONDecoder {
        let copy = JSONDecoder()
        copy.allowsJSON5 = decoder.allowsJSON5
        copy.assumesTopLevelDictionary = decoder.assumesTopLevelDictionary
        copy.keyDecodingStrategy = keyStrategy
        return copy
    }
}
