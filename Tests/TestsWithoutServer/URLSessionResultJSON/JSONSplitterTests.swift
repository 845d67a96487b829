import Foundation
import Testing

@testable import URLSessionResultJSON
@testable import TestSupport

struct JSONSplitterTests {
    private func parts(of document: String, size: Int = 1) -> [String]? {
        let data = Data(document.utf8)
        guard let splitter = JSONSplitter(data, at: .root) else { return nil }
        var parts: [String] = []
        while let part = splitter.nextPart(size: size) {
            let keys = part.keys.joined(separator: " ")
            let text = String(decoding: data[part.bytes], as: UTF8.self)
            parts.append("\(part.firstIndex)+\(part.count) \(text)\(keys.isEmpty ? "" : " <\(keys)>")")
        }
        return parts
    }

    @Test(
        "Documents are cut at the commas between their members",
        arguments: [
            ("[1,22,333]", 1, ["0+1 1", "1+1 22", "2+1 333"]),
            ("[1,22,333]", 3, ["0+2 1,22", "2+1 333"]),
            ("[1,22,333]", 100, ["0+3 1,22,333"]),
            (" [ 1 , [2,3] ] \n", 1, ["0+1 1", "1+1 [2,3]"]),
            (#"["a,b\"],",{"c":[1,2]}]"#, 1, [#"0+1 "a,b\"],""#, #"1+1 {"c":[1,2]}"#]),
            (
                #"["a long text, with \\","\\\"],[","\u005c"]"#, 1,
                [#"0+1 "a long text, with \\""#, #"1+1 "\\\"],[""#, #"2+1 "\u005c""#]
            ),
            (#"{"a":1,"b":{"c":2}}"#, 1, [#"0+1 "a":1 <a>"#, #"1+1 "b":{"c":2} <b>"#]),
            (#"{"a":"x","b" : [1,"y"]}"#, 100, [#"0+2 "a":"x","b" : [1,"y"] <a b>"#]),
            ("[1,]", 1, ["0+1 1"]), ("[1,22 2,3]", 1, ["0+1 1", "1+1 22"]), ("[1,[2},3]", 1, ["0+1 1"]),
            ("[]", 1, []), ("[,1]", 1, []), ("[\u{0}1]", 1, []),
            (#"{"\u0061":1,"é":2}"#, 100, [#"0+2 "\u0061":1,"é":2 <a é>"#]),
            (#"{"\\":1,"\\\\":2," ":3}"#, 100, [#"0+3 "\\":1,"\\\\":2," ":3 <\ \\  >"#]),
            ("\u{FEFF}[1]", 1, ["0+1 1"]),
        ]
    )
    func cuts(document: String, size: Int, expected: [String]) {
        #expect(parts(of: document, size: size) == expected)
    }

    @Test("A part is as long as its padding, which grows with the members before it")
    func padding() throws {
        let document = Data("[\(Array(repeating: "1", count: 13).joined(separator: ","))]".utf8)
        let splitter = try #require(JSONSplitter(document, at: .root))
        // Of 1, 4 and 16 bytes, with the rest of the last member.
        #expect((0..<3).map { _ in splitter.nextPart(size: 1, padding: 4)?.count } == [1, 3, 9])
    }

    @Test("A key that is no UTF-8 has no member", arguments: [[0xFF], [0xC3], [0x61, 0xFF]] as [[UInt8]])
    func malformedKey(bytes: [UInt8]) {
        let document = Data("{\"".utf8) + bytes + Data("\":1}".utf8)
        #expect(JSONSplitter(document, at: .root)?.nextPart(size: 1) == nil)
    }

    @Test(
        "A document that is not an array or object is not split",
        arguments: ["", " ", "null", "1", "\"[\"", "\u{0}[1]", " \u{FEFF}[1]", "\u{FEFF}\u{FEFF}[1]"])
    func othersAreLeft(document: String) {
        #expect(parts(of: document) == nil)
    }

    @Test(
        "What surrounds the array or object stays when another value takes its place",
        arguments: [
            ("[1,2]", "0"), (" [1] \n", " 0 \n"), ("[1] 2", "0 2"), ("[1]]", "0]"), (#"{"a":[1}"#, nil), ("[1}", nil),
            ("[1,,2]", nil), ("[1 2]", nil),
            ("{]", nil), ("[", nil), ("[1,2", nil), ("[1,", nil), (#"[""#, nil), (#"["\"#, nil), (#"["\""#, nil),
            (#"["abcdefghijk"#, nil), (#"["\u"#, nil),
        ] as [(String, String?)]
    )
    func surroundings(document: String, expected: String?) {
        let data = Data(document.utf8)
        let splitter = JSONSplitter(data, at: .root)
        while splitter?.nextPart(size: 1) != nil {}
        let surroundings = splitter?.document(replacingCollectionBy: "0")
        #expect(surroundings.map { String(decoding: $0, as: UTF8.self) } == expected)
        let array = JSONOutcome { try JSONDecoder().decode([Int].self, from: data) }
        #expect(JSONOutcome { try SharedJSONDecoder.inParts.array(of: Int.self, in: data) } == array)
    }

    @Test("Every prefix of a document is scanned without reading past its end")
    func prefixes() {
        let document = #"{"key \"quoted\" \u00e9 and long":[1,{"a":"\\"},"text"],"b":null}"#
        for count in 0..<document.utf8.count {
            // A copy of exactly that size, so that the address sanitizer sees any byte too far.
            let splitter = JSONSplitter(Data(document.utf8.prefix(count)), at: .root)
            while let part = splitter?.nextPart(size: 1) { #expect(part.bytes.upperBound <= count) }
            #expect(splitter?.document(replacingCollectionBy: "0") == nil)
        }
    }

    @Test("The end of a string is found however long it is", arguments: 0..<20)
    func alignment(length: Int) {
        let text = String(repeating: "é", count: length / 2) + String(repeating: "x", count: length % 2)
        for string in ["\"\(text)\"", "\"\(text)\\\"\"", "\"\\\\\(text)\"", "\"\(text)!#[]\""] {
            #expect(parts(of: "[\(string),\(string)]") == ["0+1 \(string)", "1+1 \(string)"])
        }
    }
}
