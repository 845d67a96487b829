import Foundation

/// The way into an envelope, handed to `JSONEnvelope` beside `JSONDecoder`, whose `userInfo` belongs to its owner.
enum JSONPath {
    @TaskLocal static var steps: [String] = []
}

/// The value at the end of `JSONPath.steps`.
///
/// It is nested in itself once for each step. `JSONDecoder` thus walks the path, so that it is `JSONDecoder` that
/// accepts or refuses, and that says where.
struct JSONEnvelope<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        let steps = JSONPath.steps
        let depth = decoder.codingPath.count
        if depth == steps.count {
            value = try decoder.singleValueContainer().decode(Value.self)
        } else {
            value = try Self(takingStep: steps[depth], from: decoder).value
        }
    }

    private init(takingStep step: String, from decoder: any Decoder) throws {
        if let index = JSONKey(index: step), var elements = try? decoder.unkeyedContainer() {
            self = try Self(at: index, in: &elements)
            return
        }
        let key = JSONKey(stringValue: step)
        let members = try decoder.container(keyedBy: JSONKey.self)
        if !members.contains(key), let sibling = try Self(named: step, from: decoder) {
            self = sibling
        } else {
            self = try members.decode(Self.self, forKey: key)
        }
    }

    private init(at key: JSONKey, in elements: inout any UnkeyedDecodingContainer) throws {
        while !elements.isAtEnd {
            if elements.currentIndex == key.intValue {
                self = try elements.decode(Self.self)
                return
            }
            _ = try elements.decode(JSONSkipped.self)
        }
        throw DecodingError.valueNotFound(
            Value.self,
            DecodingError.Context(
                codingPath: elements.codingPath + [key],
                debugDescription: "The array has only \(elements.currentIndex) elements."
            )
        )
    }

    /// Finds a member whose name a key strategy has changed: `JSONDecoder` leaves the keys of dictionaries alone.
    private init?(named step: String, from decoder: any Decoder) throws {
        let members = try decoder.singleValueContainer().decode([String: JSONSibling<Value>].self)
        guard let envelope = members[step]?.envelope else { return nil }
        self = envelope
    }
}

/// A member of the object that a path leads through; only the one that the path names is decoded.
private struct JSONSibling<Value: Decodable>: Decodable {
    let envelope: JSONEnvelope<Value>?

    init(from decoder: any Decoder) throws {
        let path = decoder.codingPath
        let isNext = path.last?.stringValue == JSONPath.steps[path.count - 1]
        envelope = isNext ? try JSONEnvelope(from: decoder) : nil
    }
}

private struct JSONSkipped: Decodable {
    init(from decoder: any Decoder) {}
}

/// The name of a member or the index of an element.
struct JSONKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = "Index \(intValue)"
        self.intValue = intValue
    }

    /// Reads an index that is written in digits.
    init?(index: String) {
        guard index.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }), let index = Int(index) else {
            return nil
        }
        self.init(intValue: index)
    }
}
