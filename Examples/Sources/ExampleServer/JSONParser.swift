import Foundation

extension JSON {
    /// Parses JSON text as RFC 8259 has it, nested at most 32 deep, which is Firebase's limit.
    init(parsing text: Data) throws(JSONSyntaxError) {
        var parser = JSONParser(bytes: Array(text))
        self = try parser.parse()
    }
}

private struct JSONParser {
    let bytes: [UInt8]
    private var index = 0
    private var depth = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func parse() throws(JSONSyntaxError) -> JSON {
        let value = try value()
        guard next == nil else { throw failure }
        return value
    }

    private mutating func value() throws(JSONSyntaxError) -> JSON {
        switch next {
        case UInt8(ascii: "{"): try object()
        case UInt8(ascii: "["): try array()
        case UInt8(ascii: "\""): .string(try string())
        default: try literal()
        }
    }

    private mutating func object() throws(JSONSyntaxError) -> JSON {
        var members: [JSON.Member] = []
        try list(until: "}") { (parser) throws(JSONSyntaxError) in
            guard parser.next == UInt8(ascii: "\"") else { throw parser.failure }
            let key = try parser.string()
            guard parser.skip(":") else { throw parser.failure }
            let member = JSON.Member(key: key, value: try parser.value())
            members.removeAll { $0.key == key }
            members.append(member)
        }
        return .object(members)
    }

    private mutating func array() throws(JSONSyntaxError) -> JSON {
        var elements: [JSON] = []
        try list(until: "]") { (parser) throws(JSONSyntaxError) in elements.append(try parser.value()) }
        return .array(elements)
    }

    private mutating func list(
        until end: Unicode.Scalar,
        item: (inout JSONParser) throws(JSONSyntaxError) -> Void
    ) throws(JSONSyntaxError) {
        index += 1
        depth += 1
        defer { depth -= 1 }
        guard depth <= 32 else { throw failure }
        if skip(end) { return }
        repeat { try item(&self) } while skip(",")
        guard skip(end) else { throw failure }
    }

    private mutating func string() throws(JSONSyntaxError) -> String {
        let start = index
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index += 1
        return try decode(String.self, from: start)
    }

    private mutating func literal() throws(JSONSyntaxError) -> JSON {
        let start = index
        while index < bytes.count, !Self.delimiters.contains(bytes[index]) { index += 1 }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        switch text {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        default:
            _ = try decode(Double.self, from: start)
            return .number(text)
        }
    }

    /// Leaves the fine print of strings and numbers, such as surrogates and leading zeros, to `JSONDecoder`.
    private func decode<T: Decodable>(_ type: T.Type, from start: Int) throws(JSONSyntaxError) -> T {
        guard index <= bytes.count, let value = try? JSONDecoder().decode(T.self, from: Data(bytes[start..<index]))
        else {
            throw JSONSyntaxError(offset: start)
        }
        return value
    }

    private var failure: JSONSyntaxError { JSONSyntaxError(offset: index) }

    private var next: UInt8? {
        mutating get {
            while index < bytes.count, Self.whitespace.contains(bytes[index]) { index += 1 }
            return index < bytes.count ? bytes[index] : nil
        }
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: scalar) else { return false }
        index += 1
        return true
    }

    private static let whitespace = Set(" \t\r\n".utf8)
    private static let delimiters = Set(" \t\r\n,:\"[]{}".utf8)
}
