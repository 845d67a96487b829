import Foundation

/// The keys of an object in the order of its document.
struct JSONOrder {
    var keys: [String] = []

    /// Whether `JSONDecoder` calls the members by their keys, which no strategy converts.
    var isExact = false

    /// Handed to `JSONValues` beside `JSONDecoder`, whose `userInfo` belongs to its owner.
    @TaskLocal static var current = JSONOrder()
}

extension SharedJSONDecoder {
    /// Returns the order of a document; of one that is no object, an empty one.
    func order(of data: Data) -> JSONOrder {
        guard isStandard, var scanner = JSONPartScanner(data) else { return JSONOrder(keys: recordedKeys(of: data)) }
        let part = scanner.isObject ? scanner.next(size: .max) : nil
        // A key that cannot be decoded has JSONDecoder refuse the document.
        return part.flatMap { try? order(of: $0, in: data) } ?? JSONOrder()
    }

    /// Reads keys where a scanner has found them.
    func order(of part: JSONPart, in data: Data) throws -> JSONOrder {
        let keys = try data.withUnsafeBytes { bytes in
            try part.keys.map { range in
                let key = bytes[range]
                if key.contains(UInt8(ascii: "\\")) { return try decode(String.self, from: Data(key)) }
                return String(decoding: key.dropFirst().dropLast(), as: UTF8.self)
            }
        }
        if case .useDefaultKeys = decoder.keyDecodingStrategy { return JSONOrder(keys: keys, isExact: true) }
        return JSONOrder(keys: keys)
    }

    /// Returns the keys of the object that a document is, however it is encoded.
    ///
    /// `JSONDecoder` hands each key to its key strategy while it reads the object, and thus in the order of the
    /// document; what it gives afterwards is a dictionary. Before macOS 14 and iOS 17 keys may come in another order or
    /// be missing.
    private func recordedKeys(of data: Data) -> [String] {
        struct Recipient: Decodable {
            var member: Bool?
        }
        let keys = Locked<[String]>([])
        let recorder = JSONDecoder()
        recorder.allowsJSON5 = decoder.allowsJSON5
        recorder.assumesTopLevelDictionary = decoder.assumesTopLevelDictionary
        recorder.keyDecodingStrategy = .custom { path in
            keys.withLock { $0.append(path[0].stringValue) }
            return path[0]
        }
        // Whatever becomes of the member, the keys have been read.
        _ = try? recorder.decode(Recipient.self, from: data)
        return keys.withLock { $0 }
    }

    /// Decodes the values of an object in an order, the elements of an array that are not `null`, or none of `null`.
    func values<Element: Decodable>(of type: Element.Type, in data: Data, order: JSONOrder) throws -> [Element] {
        try JSONOrder.$current.withValue(order) { try decode(JSONValues<Element>.self, from: data).values }
    }
}

/// An object, an array or `null`, with the errors of `[String: Element]` for all else.
private struct JSONValues<Element: Decodable>: Decodable {
    private(set) var values: [Element] = []

    init(from decoder: any Decoder) throws {
        let order = JSONOrder.current
        let container = try decoder.singleValueContainer()
        if order.isExact, let members = try? decoder.container(keyedBy: JSONKey.self),
            members.allKeys.count == order.keys.count
        {
            // What a dictionary does, without the dictionary.
            values = try order.keys.map { try members.decode(Element.self, forKey: JSONKey(stringValue: $0)) }
        } else if (try? decoder.unkeyedContainer()) != nil {
            values = try container.decode([Element?].self).compactMap { $0 }
        } else if !container.decodeNil() {
            // A dictionary is what JSONDecoder exempts from key strategies. A subclass may have it decode other bytes
            // than those that the order is of; no value is lost for that.
            var members = try container.decode([String: Element].self)
            values = order.keys.compactMap { members.removeValue(forKey: $0) } + members.values
        }
    }
}

/// The name of a member or the index of an element, as `JSONDecoder` shows them in coding paths.
struct JSONKey: CodingKey {
    let stringValue: String
    private var index: Int?

    // Computed, for one is made of every name, and few are asked.
    var intValue: Int? { index ?? Int(stringValue) }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init(intValue: Int) {
        (stringValue, index) = ("Index \(intValue)", intValue)
    }
}
