import Foundation

@testable import TestSupport

/// Writes small JSON documents that are as odd as JSON allows, and damages some of them.
struct JSONDocuments {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func next() -> Data {
        var bytes = Array(document().utf8)
        for _ in 0..<[0, 1, 1, 2, 3][pick(5)] {
            mutate(&bytes)
        }
        return encode(bytes)
    }

    private mutating func pick(_ count: Int) -> Int {
        Int.random(in: 0..<count, using: &random)
    }

    private mutating func pick<T>(from choices: [T]) -> T {
        choices[pick(choices.count)]
    }

    private mutating func document() -> String {
        switch pick(20) {
        case 0: space() + pick(from: ["null", "1", "\"x\"", "true", "", "{}", "[]"]) + space()
        case 1..<6: space() + member("a", of: member("b", of: collection())) + space()
        case 6..<13: space() + object(members: pick(9), depth: 0) + space()
        default: space() + array(elements: pick(9), depth: 0) + space()
        }
    }

    private mutating func collection() -> String {
        pick(2) == 0 ? object(members: pick(9), depth: 1) : array(elements: pick(9), depth: 1)
    }

    /// An object with a member that is wanted, among others that may look like it.
    private mutating func member(_ name: String, of value: String) -> String {
        let decoys = [
            #""a":{"b":[7]}"#, #""\u0061":{"b":{"x":7}}"#, #""b":[8]"#, #""\u0062":{"x":8}"#, #""\#(name)":null"#,
        ]
        // Mostly simple keys, because one malformed key makes an envelope unreadable.
        let others = (0..<pick(4)).map { _ in
            pick(4) == 0 ? pick(from: decoys) : "\"k\(pick(9))\":\(space())\(self.value(depth: 2))"
        }
        let wanted = "\"\(name)\"\(space()):\(space())\(value)\(space())"
        return "{" + (others + [wanted]).shuffled(using: &random).joined(separator: ",") + "}"
    }

    private mutating func space() -> String {
        pick(from: ["", "", "", "", " ", "\n", "\t \r\n"])
    }

    private mutating func object(members: Int, depth: Int) -> String {
        let written = (0..<members).map { _ in "\(space())\(key())\(space()):\(space())\(value(depth: depth))\(space())"
        }
        return "{" + written.joined(separator: ",") + "}"
    }

    private mutating func array(elements: Int, depth: Int) -> String {
        let written = (0..<elements).map { _ in "\(space())\(value(depth: depth))\(space())" }
        return "[" + written.joined(separator: ",") + "]"
    }

    private mutating func key() -> String {
        let keys = [
            "a", "b", "a.b", "1", "2", "", "z_key", "zKey", "é", "e\u{301}", #"\u00e9"#, #"\u0061"#, #"\/"#, #"\\"#,
            #"\""#,
            #"\ud83d\ude00"#, "😀", #"\ud800"#, #"\x"#, "[", "}", ",", ":",
        ]
        return "\"\(pick(4) == 0 ? "k\(pick(100))" : pick(from: keys))\""
    }

    private mutating func value(depth: Int) -> String {
        switch pick(depth < 3 ? 12 : 9) {
        case 0...2: pick(from: ["0", "1", "-7", "3.0", "1e2", "12345678901234567890", "1e999", "01", "-", "2.5"])
        case 3...4: key()
        case 5: "null"
        case 6: pick(from: ["true", "false"])
        case 7:
            pick(from: [#""plain text of some length""#, #""tab\tquote\"back\\""#, "\"東京\"", #""\u12""#, #""\u123\"""#])
        case 8: pick(from: ["{}", "[]"])
        case 9: array(elements: pick(4), depth: depth + 1)
        default: object(members: pick(4), depth: depth + 1)
        }
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        let place = pick(bytes.count + 1)
        let odd = Array(#"[]{},:"\u0 9ntfe-+./*"#.utf8) + [0, 0x0A, 0x1F, 0x80, 0xC3, 0xFF]
        switch pick(6) {
        case 0: bytes.insert(pick(from: odd), at: place)
        case 1 where place < bytes.count: bytes[place] = pick(from: odd)
        case 2 where place < bytes.count: bytes.remove(at: place)
        case 3: bytes.removeLast(bytes.count - place)
        case 4: bytes.insert(contentsOf: bytes[place...].prefix(pick(12)), at: place)
        default: bytes.append(contentsOf: pick(from: [[0x2C], [0x5D], [0x7D], [0x20], [0x00]]))
        }
    }

    private mutating func encode(_ bytes: [UInt8]) -> Data {
        let encodings: [String.Encoding] = [.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian]
        switch pick(40) {
        case 0: return Data([0xEF, 0xBB, 0xBF] + bytes)
        case 1...2: return String(decoding: bytes, as: UTF8.self).data(using: pick(from: encodings)) ?? Data(bytes)
        default: return Data(bytes)
        }
    }
}
