import Foundation

/// A value of an array or object, as bytes.
package struct JSONElement: Sendable {
    package let bytes: Data

    /// Its coding path in the document.
    package let codingPath: [JSONKey]
}

/// Splits an array or object in a document that arrives in pieces.
package struct JSONElementSplitter: Sendable {
    private var scanner: JSONMemberScanner
    private var keys: Set<String> = []
    private var count = 0

    /// The bytes that have arrived, from the beginning of the current value on.
    package private(set) var bytes: [UInt8] = []

    package init(at path: JSONKeyPath) { scanner = JSONMemberScanner(at: path) }

    /// Adds the next piece. The values before have to be taken first.
    package mutating func append(_ piece: Data) {
        let forgottenCount = scanner.forget()
        // A new array, so that the memory of a long value does not stay.
        if forgottenCount > 0 { bytes = Array(bytes[forgottenCount...]) }
        bytes += piece
    }

    /// Takes the next value, or returns `nil` when its end has not arrived. Of the members with equal keys, it is the first.
    ///
    /// - Throws: A `DecodingError` where the document is malformed, and where the path leads nowhere.
    package mutating func next() throws -> JSONElement? {
        while let member = try bytes.withUnsafeBytes({ bytes in try scanner.next(in: bytes) }) {
            if let key = member.key, !keys.insert(key).inserted { continue }
            defer { count += 1 }
            let key = JSONKey(stringValue: member.key ?? JSONKey(intValue: count).stringValue, index: count)
            return JSONElement(bytes: document(of: member), codingPath: scanner.codingPath + [key])
        }
        return nil
    }

    /// - Throws: A `DecodingError` if the document should go on.
    package func finish() throws { try scanner.finish() }

    /// The value of a member as a document of its own.
    private func document(of member: JSONMember) -> Data {
        let value = Data(bytes[member.valueRange])
        // The space keeps a string that begins with a zero byte from looking like UTF-16.
        return value.dropFirst().first == 0 ? Data(" ".utf8) + value : value
    }
}
