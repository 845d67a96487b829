import Foundation
import Testing

@testable import URLSessionResultJSON
@testable import TestSupport

/// How a document is split into elements, without a network.
struct JSONElementSplitterTests {
    private func elements(_ pieces: some Sequence<Data>, at path: String = "") throws -> [String] {
        var splitter = JSONElementSplitter(at: JSONKeyPath(path))
        var elements: [String] = []
        for piece in pieces {
            splitter.append(piece)
            while let element = try splitter.next() { elements.append(String(decoding: element.bytes, as: UTF8.self)) }
        }
        try splitter.finish()
        return elements
    }

    /// Pieces of a document that is this text again and again, between two others.
    private func pieces(
        _ opening: String, _ text: String, times count: Int, _ closing: String, ofSize size: Int
    ) -> [Data] {
        let document =
            Data(opening.utf8) + Data(repeatElement(Data(text.utf8), count: count).joined()) + Data(closing.utf8)
        return stride(from: 0, to: document.count, by: size).map { document[$0..<min($0 + size, document.count)] }
    }

    @Test(
        "An error says whether the beginning of the document is forgotten",
        arguments: [([" ", "x"], true), (["  ", "x"], true), (["", "x"], false), ([" x"], false)])
    func beginning(pieces: [String], isForgotten: Bool) {
        let error = #expect(throws: DecodingError.self) { try elements(pieces.map { Data($0.utf8) }) }
        guard case .dataCorrupted(let context) = error else { return #expect(error == nil) }
        #expect((context.underlyingError is BeginningIsForgotten) == isForgotten)
    }

    @Test(
        "A malformed key is an error at its last byte",
        arguments: [
            ([#"{"a":1,"#, #""\q":2}"#], 11, true), ([#"{"a":1,"\q":2}"#], 11, false),
            ([#"{"a":1,"\q"#, #"":2}"#], 11, true), ([#"{"\ud800":2}"#], 9, false),
        ])
    func malformedKey(pieces: [String], byteNumber: Int, isForgotten: Bool) {
        let error = #expect(throws: DecodingError.self) { try elements(pieces.map { Data($0.utf8) }) }
        guard case .dataCorrupted(let context) = error else { return #expect(error == nil) }
        #expect(
            context.debugDescription == "The document is not valid JSON in UTF-8: malformed key at byte \(byteNumber).")
        let forgotten = context.underlyingError as? BeginningIsForgotten
        #expect(forgotten?.byteNumber == (isForgotten ? byteNumber : nil))
    }

    @Test(
        "Where the pieces begin and end changes nothing",
        arguments: [
            #"{"a":{"b":[1,"é\"\\\/",{"x":[]},-1.5e+3,null,true] } , "c\u00e9":"\u12\"","d":false}"#,
            #"{"x":[{"a":1}],"a":{"x":"]}","b":{"k":1,"\u006b":2,"€":[3,],"😀":"\ud83d\ude00","":{}}}}"#,
            "\u{FEFF}[1,2]", "\u{FEFF}null", " [ ] ", #"{"a":{"b":null}}"#, "[\"\\u123\\\"\",\"\u{1}\",01,1e999]",
            "[1,[2},3]", "[1,tru,3]", "[1E+2,2e-1]", "[1~2]", "[~1]", "[1~]", "{~}", #"{"a"~:1}"#, "[1,2", "[1,2]]",
            #"{"a":{"b":[1],"\ud800":0}}"#, #"{"a":[],"b":[1]}"#,
            #"{"\uD8"#,
            #"["\uabc""]"#, "\u{FEFF}\u{FEFF}[]", "[\u{0}1]", "\u{0}[1]", "[\"\u{0}1\u{0}\",\"\u{0}\u{0}\u{0}\",2]",
            #"{"a":{"\x":0,"b":[1]}}"#, "{\"\u{0}A\u{0}B\\\"\u{0}\":1}", "",
        ])
    func splits(text: String) throws {
        let document = Data(text.utf8)
        let sizes = (0...document.count).flatMap { first in (0...document.count - first).map { [first, $0] } }
        let ways = sizes + [Array(repeating: 1, count: document.count)]
        #expect(JSONElementsReference.disagreement(on: document, divided: ways, of: JSONContent.self) == nil)
        #expect(JSONElementsReference.disagreement(on: document, divided: [], of: JSONUnread.self) == nil)
    }

    @Test("The error for a path that leads nowhere names the key and says why")
    func missingKey() {
        let error = #expect(throws: DecodingError.self) { try elements([Data(#"{"b":[1]}"#.utf8)], at: "a") }
        guard case .keyNotFound(let key, let context) = error else { return #expect(error == nil) }
        #expect(key.stringValue == "a")
        #expect(context.debugDescription == "No value has the key.")
    }

    @Test("A member with the name of an index gives what JSONDecoder gives")
    func memberNamedLikeIndex() {
        let document = Data(#"{"Index 0": {}, "Index 1": 1}"#.utf8)
        #expect(JSONElementsReference.disagreement(on: document, divided: [], of: Int?.self) == nil)
    }

    @Test("Long documents give what JSONDecoder gives, in pieces of any size", arguments: 0..<4)
    func longDocuments(seed: UInt64) throws {
        var documents = JSONDocuments(seed: seed)
        var generator = SeededGenerator(seed: seed)
        // Documents that are JSON, as elements and as values.
        let elements = (0..<2000).compactMap { _ in String(data: documents.next(), encoding: .utf8) }
            .filter {
                (try? JSONDecoder().decode(JSONUnread.self, from: Data($0.utf8))) != nil && !$0.hasPrefix("\u{FEFF}")
            }
        #expect(elements.count > 300)
        let members = elements.enumerated().map { "\"\($0 * 7 % 300)\":\($1)" }
        for text in ["[\(elements.joined(separator: ","))]", "{\(members.joined(separator: ","))}"] {
            let document = Data(text.utf8)
            let ways = [10, 1000, 100_000].map { longest in
                (0..<document.count / longest + 1).map { _ in Int.random(in: 0...longest, using: &generator) }
            }
            #expect(JSONElementsReference.disagreement(on: document, divided: ways, of: JSONContent.self) == nil)
        }
    }

    @Test("What is kept is no more than an element and a piece")
    func memory() throws {
        let element = #"{"id":1,"text":"0123456789","list":[1,2,3]},"#
        var splitter = JSONElementSplitter(at: JSONKeyPath("data"))
        var count = 0
        let skipped = "\"skipped\":[\(String(repeating: "\"x\",", count: 10_000))1],"
        for piece in pieces("{\(skipped)\"data\":[", element, times: 10_000, "],\(skipped)}", ofSize: 100) {
            splitter.append(piece)
            while try splitter.next() != nil { count += 1 }
            #expect(splitter.bytes.count <= element.utf8.count + piece.count)
        }
        try splitter.finish()
        #expect(count == 10_000)
    }

    /// Looking at the bytes again with every piece would take minutes.
    @Test("Long strings, keys and values are found in thousands of pieces")
    func longParts() throws {
        let string = try elements(pieces("[\"", "0123456789", times: 100_000, "\",1]", ofSize: 100))
        #expect(string.map(\.utf8.count) == [1_000_002, 1])
        let nested = try elements(pieces("[[", "{\"a\":[1]},", times: 50_000, "0],1]", ofSize: 100))
        #expect(nested.map(\.utf8.count) == [500_003, 1])
        let key = try elements(
            pieces("{\"", "0123456789", times: 50_000, "\":{\"a\":[1]},\"a\":[2,3]}", ofSize: 100), at: "a")
        #expect(key == ["2", "3"])
        let memberKey = try elements(pieces("{\"", "é123456789", times: 50_000, "\":{\"a\":[1]}}", ofSize: 100))
        #expect(memberKey == ["{\"a\":[1]}"])
        let skipped = try elements(
            pieces("{\"b\":\"", "\\\"\\\\ \\u1234", times: 50_000, "\",\"a\":[2]}", ofSize: 999), at: "a")
        #expect(skipped == ["2"])
        let empty = try elements(pieces("[", "{},", times: 20_000, "]", ofSize: 10_000))
        #expect(empty.count == 20_000)
        let equal = try elements(pieces("{", "\"a\":0,", times: 20_000, "\"b\":1}", ofSize: 10_000))
        #expect(equal == ["0", "1"])
    }

    @Test("Arrays are nested as deeply as JSONDecoder allows, in an envelope as well", arguments: 509...513)
    func nesting(depth: Int) {
        for opening in ["[", "{\"a\":"] {
            let closing = opening == "[" ? "]" : "}"
            let nested = String(repeating: opening, count: depth) + "1" + String(repeating: closing, count: depth)
            for (document, path, levelsAround) in [
                (nested, "", 0), ("[\(nested)]", "", 1), (#"{"a":{"b":[1,\#(nested),2]}}"#, "a.b", 3),
            ] {
                let isRefused = (try? elements([Data(document.utf8)], at: path)) == nil
                #expect(isRefused == (depth + levelsAround > 512))
            }
        }
    }

    @Test("A document of nothing but opening brackets is refused, however many there are", arguments: [513, 200_000])
    func brackets(count: Int) {
        for bracket in ["[", "{\"\":"] {
            let document = Data(repeatElement(Data(bracket.utf8), count: count).joined())
            let error = #expect(throws: DecodingError.self) { try elements([document]) }
            guard case .dataCorrupted(let context) = error else { return #expect(error == nil) }
            #expect(context.debugDescription.contains(": too deep a nesting at byte "))
        }
    }
}
