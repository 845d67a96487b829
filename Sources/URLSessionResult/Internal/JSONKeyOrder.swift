import Foundation

extension SharedJSONDecoder {
    /// Returns the keys of the object that the document is, in their order, however the document is encoded.
    ///
    /// `JSONDecoder` hands each key to its key strategy while it reads the object, and thus in the order of the document;
    /// what it gives afterwards is a dictionary.
    func keysInOrder(of data: Data) throws -> [String] {
        let order = JSONKeyOrder()
        _ = try makeDecoder(keyStrategy: .custom(order.record)).decode(JSONTopLevelObject.self, from: data)
        return order.keys
    }
}

/// Unchecked, because it lives in one call of `JSONDecoder` on one thread.
private final class JSONKeyOrder: @unchecked Sendable {
    private(set) var keys: [String] = []

    func record(_ path: [any CodingKey]) -> any CodingKey {
        let key = path.last ?? JSONKey(stringValue: "")
        keys.append(key.stringValue)
        return key
    }
}

private struct JSONTopLevelObject: Decodable {
    init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: JSONKey.self)
    }
}
