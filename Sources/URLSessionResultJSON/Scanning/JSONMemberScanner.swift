import Foundation

/// A member of an object, or an element of an array.
struct JSONMember {
    /// The key as `JSONDecoder` reads it, or `nil` in an array.
    let key: String?

    /// The range of the key and the value.
    let range: Range<Int>

    let valueRange: Range<Int>
}

/// Finds the array or object at the end of a path, and its members. The document may be there in pieces.
struct JSONMemberScanner: Sendable {
    private enum Phase {
        /// The value that comes next is on the path.
        case atStep
        case inObjectOnPath
        /// The index of the element that is on the path, and the number of elements before it.
        case inArrayOnPath(Int, skipping: Int)
        case inCollection
        /// After the array or object, or after `null` in its place.
        case behind
    }

    /// The steps of the path that have been followed.
    private(set) var codingPath: [JSONKey] = []

    // The array or object, as far as it has been found.
    private(set) var collection: JSONCollection?
    private(set) var openingBracket: Int?
    private(set) var closingBracket: Int?

    private let path: JSONKeyPath
    private var scanner = JSONScanner()
    private var phase = Phase.atStep

    // The member under way.
    private var key: String?
    private var startOfMember: Int?
    private var startOfValue = 0

    init(at path: JSONKeyPath) { self.path = path }

    /// Finds the next member.
    ///
    /// - Parameter bytes: The bytes that have arrived and are not forgotten. After `nil`, give more of them.
    /// - Returns: The member, or `nil` when the bytes are used up.
    /// - Throws: A `DecodingError` where the document is malformed, and where the path leads nowhere.
    mutating func next(in bytes: UnsafeRawBufferPointer) throws -> JSONMember? {
        while let mark = try scanner.next(in: bytes) {
            switch mark {
            case .key(let range):
                // JSONDecoder reads the keys of all objects on the path, and rejects malformed ones.
                guard let key = try? Self.key(UnsafeRawBufferPointer(rebasing: bytes[range])) else {
                    throw scanner.error("malformed key")
                }
                take(key: key, at: range.lowerBound)
            case .value(let first, let position):
                try takeValue(first, at: position)
            case .endOfValue(let end):
                guard let start = startOfMember else { continue }
                startOfMember = nil
                return JSONMember(key: key, range: start..<end, valueRange: startOfValue..<end)
            case .closingBracket(let position):
                try takeClosingBracket(at: position)
            }
        }
        return nil
    }

    /// - Throws: A `DecodingError` if the document should go on.
    func finish() throws { try scanner.finish() }

    /// Forgets the bytes that are not needed again, and counts positions from there.
    ///
    /// - Returns: The number of these bytes.
    mutating func forget() -> Int {
        let count = startOfMember ?? scanner.startOfNextMark
        startOfMember? -= count
        startOfValue -= count
        scanner.forget(count)
        return count
    }

    private static func key(_ quoted: UnsafeRawBufferPointer) throws -> String {
        let key = String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
        // JSONDecoder reads all other keys: those with escapes, control characters, or U+FFFD, which may stand for bytes that are
        // not UTF-8.
        let isPlain = key.unicodeScalars.allSatisfy { $0 >= " " && $0 != "\\" && $0 != "\u{FFFD}" }
        // The space keeps a key that begins with a zero byte from looking like UTF-16.
        return isPlain ? key : try JSONDecoder().decode(String.self, from: Data(" ".utf8) + Data(quoted))
    }

    private mutating func take(key: String, at position: Int) {
        switch phase {
        case .inObjectOnPath where key == path.steps[codingPath.count]:
            codingPath.append(JSONKey(stringValue: key))
            phase = .atStep
        case .inCollection:
            self.key = key
            startOfMember = position
        default:
            break
        }
    }

    private mutating func takeValue(_ first: Unicode.Scalar, at position: Int) throws {
        switch phase {
        case .atStep:
            try enterValue(first, at: position)
        case .inArrayOnPath(let index, skipping: 0):
            codingPath.append(JSONKey(intValue: index))
            try enterValue(first, at: position)
        case .inArrayOnPath(let index, let count):
            // A negative count never comes to zero, and the lowest one must not overflow.
            phase = .inArrayOnPath(index, skipping: count &- 1)
        case .inCollection:
            startOfMember = startOfMember ?? position
            startOfValue = position
        case .inObjectOnPath, .behind:
            break
        }
    }

    /// Follows a step of the path, or finds its end.
    private mutating func enterValue(_ first: Unicode.Scalar, at position: Int) throws {
        let step = path.steps.dropFirst(codingPath.count).first
        switch (first, step, step.flatMap { Int($0) }) {
        case ("[", nil, _), ("{", nil, _):
            collection = first == "[" ? .array : .object
            openingBracket = position
            phase = .inCollection
        case ("n", nil, _):
            phase = .behind
            return
        case ("{", _?, _):
            phase = .inObjectOnPath
        case ("[", _, let index?):
            phase = .inArrayOnPath(index, skipping: index)
        default:
            let type: Any.Type = step == nil ? [Any].self : [String: Any].self
            let context = DecodingError.Context(codingPath: codingPath, debugDescription: "Found another value.")
            throw DecodingError.typeMismatch(type, context)
        }
        scanner.enter()
    }

    private mutating func takeClosingBracket(at position: Int) throws {
        if case .behind = phase { return }
        guard case .inCollection = phase else {
            let key = JSONKey(stringValue: path.steps[codingPath.count])
            let context = DecodingError.Context(codingPath: codingPath, debugDescription: "No value has the key.")
            throw DecodingError.keyNotFound(key, context)
        }
        closingBracket = position
        phase = .behind
    }
}
