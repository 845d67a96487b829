import Foundation

enum JSONCollection {
    case array
    case object

    var brackets: (opening: String, closing: String) {
        switch self {
        case .array: ("[", "]")
        case .object: ("{", "}")
        }
    }
}

/// Reads a document of JSON from mark to mark. The document may be there in pieces, which may end anywhere.
///
/// It accepts what `JSONDecoder` accepts before it looks at types: brackets, commas, colons and literals are checked, and
/// what is in strings and numbers is not.
struct JSONScanner: Sendable {
    enum Mark {
        /// A key with its quotation marks.
        case key(Range<Int>)
        case value(first: Unicode.Scalar, at: Int)
        /// Comes after each value, except the arrays and objects that were entered.
        case endOfValue(at: Int)
        case closingBracket(at: Int)
    }

    private enum Phase {
        /// What comes next. A bracket that closes an array may come instead of a value, because JSONDecoder accepts a comma
        /// after the last element; so may one that closes an object instead of a key.
        case value, key, colon, commaOrBracket, end
        /// What has begun.
        case byteOrderMark, string, escape, hexDigits(left: Int), number, literal
    }

    /// As many arrays and objects inside each other as `JSONDecoder` reads.
    private static let deepestNesting = 512

    private static let literals = ["true", "false", "null"].map(\.unicodeScalars)

    /// The position after the last mark.
    private var position = 0

    private var phase = Phase.value

    /// The arrays and objects that are open, and how many of them were entered.
    private var collections: [JSONCollection] = []
    private var enteredCount = 0

    /// Where the key under way begins.
    private var startOfKey: Int?

    /// What is left of a literal.
    private var expectedCharacters = Substring.UnicodeScalarView()

    /// The number of bytes before those that `position` counts.
    private var forgottenCount = 0

    /// The number of the last byte in the document, from 1 on.
    private var byteNumber: Int { forgottenCount + position }

    /// Where the byte is that was rejected.
    var positionOfError: Int { position - 1 }

    /// Where the next mark begins, or a place before it.
    var startOfNextMark: Int { isInEnteredCollection ? startOfKey ?? position : position }

    private var isInEnteredCollection: Bool { collections.count == enteredCount }

    /// Enters the array or object that begins at the last mark: its members have marks, too.
    mutating func enter() { enteredCount += 1 }

    /// Counts positions from a later byte.
    mutating func forget(_ count: Int) {
        position -= count
        startOfKey? -= count
        forgottenCount += count
    }

    /// Finds the next mark.
    ///
    /// - Parameter bytes: The bytes that have arrived and are not forgotten. After `nil`, give more of them.
    /// - Returns: The mark, or `nil` when the bytes are used up.
    /// - Throws: A `DecodingError` where the document is malformed.
    mutating func next(in bytes: UnsafeRawBufferPointer) throws -> Mark? {
        while true {
            skip(in: bytes)
            guard position < bytes.count else { return nil }
            position += 1
            if let mark = try take(Unicode.Scalar(bytes[position - 1])) { return mark }
        }
    }

    /// Skips what changes nothing: most characters of a string, those of a number, and spaces.
    private mutating func skip(in bytes: UnsafeRawBufferPointer) {
        var end = position
        switch phase {
        case .string:
            while end < bytes.count, bytes[end] != UInt8(ascii: "\""), bytes[end] != UInt8(ascii: "\\") { end += 1 }
        case .number:
            while end < bytes.count, bytes[end].mayBeInNumber { end += 1 }
        case .value, .key, .colon, .commaOrBracket:
            while end < bytes.count, bytes[end] == UInt8(ascii: " ") { end += 1 }
        case .escape, .hexDigits, .literal, .byteOrderMark, .end:
            break
        }
        position = end
    }

    /// - Throws: A `DecodingError` if the document should go on.
    func finish() throws {
        guard case .end = phase else { throw error("unexpected end", isCutOff: true) }
    }

    /// Whether the bytes that were read are an incomplete document. A document that is a number counts as complete.
    var needsMore: Bool {
        switch phase {
        case .end: false
        case .number: !collections.isEmpty
        case .value, .key, .colon, .commaOrBracket, .byteOrderMark, .string, .escape, .hexDigits, .literal: true
        }
    }

    /// The error of a document that is malformed at the last byte before the position.
    func error(_ problem: String = "unexpected character", isCutOff: Bool = false) -> DecodingError {
        let message = "The document is not valid JSON in UTF-8: \(problem) at byte \(byteNumber)."
        let cause = forgottenCount > 0 ? BeginningIsForgotten(byteNumber: byteNumber, isCutOff: isCutOff) : nil
        return .dataCorrupted(.init(codingPath: [], debugDescription: message, underlyingError: cause))
    }

    // MARK: Characters, which are bytes

    /// Takes the character before the position.
    private mutating func take(_ character: Unicode.Scalar) throws -> Mark? {
        switch phase {
        case .string:
            if character == "\"" { return endString() }
            phase = .escape
        case .escape:
            phase = character == "u" ? .hexDigits(left: 4) : .string
        case .hexDigits(let left):
            // JSONDecoder skips these characters when it looks for the end of a string, even if one of them is a backslash.
            // It rejects the document if one is a quotation mark.
            guard character != "\"" else { throw error() }
            phase = left == 1 ? .string : .hexDigits(left: left - 1)
        case .number:
            // The number has ended before this character, which is taken again.
            position -= 1
            return endValue()
        case .literal:
            guard character == expectedCharacters.first else { throw error() }
            expectedCharacters.removeFirst()
            if expectedCharacters.isEmpty { return endValue() }
        case .byteOrderMark:
            guard character == (byteNumber == 2 ? "\u{BB}" : "\u{BF}") else { throw error() }
            if byteNumber == 3 { phase = .value }
        case .value, .key, .colon, .commaOrBracket, .end:
            return try takeStructure(character)
        }
        return nil
    }

    private mutating func takeStructure(_ character: Unicode.Scalar) throws -> Mark? {
        switch (character, phase) {
        case (" ", _), ("\n", _), ("\r", _), ("\t", _):
            break
        case ("]", .value), ("]", .commaOrBracket):
            return try close(.array)
        case ("}", .key), ("}", .commaOrBracket):
            return try close(.object)
        case ("\"", .key):
            startOfKey = position - 1
            phase = .string
        case (":", .colon):
            phase = .value
        case (",", .commaOrBracket):
            phase = collections.last == .array ? .value : .key
        case ("\u{EF}", .value) where byteNumber == 1:
            phase = .byteOrderMark
        case (_, .value):
            return try beginValue(character)
        default:
            throw error()
        }
        return nil
    }

    // MARK: Values

    private mutating func beginValue(_ first: Unicode.Scalar) throws -> Mark? {
        let hasMark = isInEnteredCollection
        switch first {
        case "[": try open(.array)
        case "{": try open(.object)
        case "\"": phase = .string
        case "-", "0"..."9": phase = .number
        default:
            guard let literal = Self.literals.first(where: { $0.first == first }) else { throw error() }
            expectedCharacters = literal.dropFirst()
            phase = .literal
        }
        return hasMark ? .value(first: first, at: position - 1) : nil
    }

    private mutating func endValue() -> Mark? {
        phase = collections.isEmpty ? .end : .commaOrBracket
        return isInEnteredCollection ? .endOfValue(at: position) : nil
    }

    private mutating func endString() -> Mark? {
        guard let start = startOfKey else { return endValue() }
        startOfKey = nil
        phase = .colon
        return isInEnteredCollection ? .key(start..<position) : nil
    }

    private mutating func open(_ collection: JSONCollection) throws {
        guard collections.count < Self.deepestNesting else { throw error("too deep a nesting") }
        collections.append(collection)
        phase = collection == .array ? .value : .key
    }

    private mutating func close(_ collection: JSONCollection) throws -> Mark? {
        let wasEntered = isInEnteredCollection
        guard collections.popLast() == collection else { throw error() }
        let end = endValue()
        guard wasEntered else { return end }
        enteredCount -= 1
        return .closingBracket(at: position - 1)
    }
}

extension UInt8 {
    /// Whether the byte occurs in numbers of standard JSON.
    var mayBeInNumber: Bool {
        switch Unicode.Scalar(self) {
        case "0"..."9", "+", "-", ".", "e", "E": true
        default: false
        }
    }
}

/// Is beneath the error of a document whose beginning was dropped, so that only the rest of it is in memory.
package struct BeginningIsForgotten: Error {
    /// The number of the byte in the document that is wrong, from 1 on.
    package let byteNumber: Int

    /// Whether the byte is the last one, and more should follow.
    package let isCutOff: Bool
}
