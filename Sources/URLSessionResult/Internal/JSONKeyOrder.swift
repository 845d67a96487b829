import Foundation

extension SharedJSONDecoder {
    /// Decodes the values of an object in the order of its keys.
    ///
    /// - Throws: Also when the keys are not all of the keys, or not all different.
    func members<Element: Decodable>(of type: Element.Type, keys: [String], in data: Data) throws -> [Element] {
        if case .useDefaultKeys = decoder.keyDecodingStrategy {
            return try JSONNames.$current.withValue(keys) {
                try decode(JSONOrderedMembers<Element>.self, from: data).values
            }
        }
        // A dictionary is what JSONDecoder exempts from key strategies.
        let members = try decode([String: Element].self, from: data)
        let values = keys.compactMap { members[$0] }
        guard values.count == keys.count, members.count == keys.count else { throw JSONIrregularity() }
        return values
    }

    /// Reads keys where a scanner has found them.
    func keys(at ranges: [Range<Int>], in data: Data) throws -> [String] {
        try data.withUnsafeBytes { bytes in
            try ranges.map { range in
                let key = UnsafeRawBufferPointer(rebasing: bytes[range])
                guard key.contains(UInt8(ascii: "\\")) else { return String(decoding: key, as: UTF8.self) }
                return try decode(String.self, from: Data("\"".utf8) + key + Data("\"".utf8))
            }
        }
    }

    /// Returns the keys of the object that a document is, however it is encoded.
    ///
    /// `JSONDecoder` hands each key to its key strategy while it reads the object, and thus in the order of the
    /// document; what it gives afterwards is a dictionary.
    func recordedKeys(of data: Data) throws -> [String] {
        let keys = Locked<[String]>([])
        let recorder = JSONDecoder()
        recorder.allowsJSON5 = decoder.allowsJSON5
        recorder.assumesTopLevelDictionary = decoder.assumesTopLevelDictionary
        recorder.keyDecodingStrategy = .custom { path in
            let key = path.last ?? JSONKey(stringValue: "")
            keys.withLock { $0.append(key.stringValue) }
            return key
        }
        _ = try recorder.decode(JSONTopLevelObject.self, from: data)
        return keys.withLock { $0 }
    }
}

/// Names handed to a type beside `JSONDecoder`, whose `userInfo` belongs to its owner.
enum JSONNames {
    @TaskLocal static var current: [String] = []

    /// Runs `body` with all names but the first.
    static func withRest<T>(_ body: () throws -> T) rethrows -> T {
        try $current.withValue(Array(current.dropFirst()), operation: body)
    }
}

/// The values of an object in the order of `JSONNames.current`: what a dictionary does, without the dictionary.
private struct JSONOrderedMembers<Element: Decodable>: Decodable {
    let values: [Element]

    init(from decoder: any Decoder) throws {
        let keys = JSONNames.current
        let members = try decoder.container(keyedBy: JSONKey.self)
        guard members.allKeys.count == keys.count else { throw JSONIrregularity() }
        values = try keys.map { try members.decode(Element.self, forKey: JSONKey(stringValue: $0)) }
    }
}

/// An object of which nothing but the keys is read.
private struct JSONTopLevelObject: Decodable {
    init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: JSONKey.self)
    }
}

/// An object, an array or `null`, with the errors of `[String: Element]` for all else.
struct JSONUnorderedValues<Element: Decodable>: Decodable {
    var members: [String: Element] = [:]
    var elements: [Element?] = []

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if (try? decoder.unkeyedContainer()) != nil {
            elements = try container.decode([Element?].self)
        } else if !container.decodeNil() {
            members = try container.decode([String: Element].self)
        }
    }
}

/// The name of a member or the index of an element, as `JSONDecoder` shows them in coding paths.
struct JSONKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = Int(stringValue)
    }

    init(intValue: Int) {
        stringValue = "Index \(intValue)"
        self.intValue = intValue
    }
}
