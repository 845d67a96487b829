import Foundation
import Testing

@testable import URLSessionResultJSON
@testable import TestSupport

struct JSONParallelDecodingTests {
    private struct Row: Decodable, Equatable, Sendable {
        var rowId: Int
        var path: [String]
        var index: Int?

        private enum CodingKeys: String, CodingKey { case rowId }

        init(from decoder: any Decoder) throws {
            rowId = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .rowId)
            path = decoder.codingPath.map(\.stringValue)
            index = decoder.codingPath.last?.intValue
        }
    }

    private struct Answer<Rows: Decodable>: Decodable {
        struct Contents: Decodable {
            let rows: Rows

            private enum CodingKeys: String, CodingKey { case rows = "some rows" }
        }

        let data: Contents
    }

    private static let rows = (0..<40).map { #"{"rowId":\#($0 * 3)}"# }
    private static let array = Data("[\(rows.joined(separator: ","))]".utf8)
    private static let object = Data(
        "{\(rows.enumerated().map { #""\#($0 % 2 == 0 ? "k" : "")\#($0)":\#($1)"# }.joined(separator: ","))}".utf8
    )

    private func decodedInParts<Element: Decodable & SendableMetatype>(
        _ document: Data,
        as type: Element.Type,
        using decoder: JSONDecoder = JSONDecoder()
    ) -> [Element]? {
        let json = SharedJSONDecoder.inParts(decoder)
        return json.onlyInParts(.array, of: type, in: document) ?? json.onlyInParts(.object, of: type, in: document)
    }

    @Test("In parts the elements have the coding paths that they have in the whole document")
    func codingPaths() throws {
        let array = try #require(decodedInParts(Self.array, as: Row.self))
        #expect(array == (try JSONDecoder().decode([Row].self, from: Self.array)))
        let values = try #require(decodedInParts(Self.object, as: Row.self))
        let whole = try JSONDecoder().decode([String: Row].self, from: Self.object)
        #expect(values == whole.values.sorted { $0.rowId < $1.rowId })
    }

    @Test("In parts key strategies see the paths of the whole document")
    func keyStrategies() throws {
        let paths = Monitor<Set<String>>([])
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .custom { path in
            _ = paths.withLock { $0.insert(path.map(\.stringValue).joined(separator: "/")) }
            return JSONKey(stringValue: "rowId")
        }
        for (document, isArray) in [(Self.array, true), (Self.object, false)] {
            let decoded = try #require(decodedInParts(document, as: Row.self, using: decoder))
            #expect(decoded.map(\.rowId) == (0..<40).map { $0 * 3 })
            let seen = paths.withLock { paths in
                defer { paths = [] }; return paths
            }
            _ =
                isArray
                ? try decoder.decode([Row].self, from: document).count
                : try decoder.decode([String: Row].self, from: document).count
            #expect(
                seen
                    == paths.withLock { paths in
                        defer { paths = [] }; return paths
                    })
        }
        let snake = JSONDecoder()
        snake.keyDecodingStrategy = .convertFromSnakeCase
        let document = Data("{\((0..<20).map { #""k_\#($0)":{"row_id":\#($0)}"# }.joined(separator: ","))}".utf8)
        #expect(
            try #require(decodedInParts(document, as: Row.self, using: snake)).map(\.path)
                == (0..<20).map { ["k_\($0)"] })
    }

    @Test("Dates, data, URLs, decimals, numbers, texts and nulls are decoded in parts")
    func elementTypes() throws {
        func check<Element: Decodable & Equatable & SendableMetatype>(_ type: Element.Type, _ element: String) throws {
            let document = Data("[\(Array(repeating: element, count: 30).joined(separator: ", "))]".utf8)
            #expect(decodedInParts(document, as: type) == (try JSONDecoder().decode([Element].self, from: document)))
        }
        try check(Date.self, "7.5")
        try check(Data.self, #""aGk=""#)
        try check(URL.self, #""https://a.example/b""#)
        try check(Decimal.self, "0.1")
        try check(Double.self, "1e3")
        try check(UInt8.self, "255")
        try check(Bool.self, "true")
        try check(String.self, #""\ud83d\ude00,]""#)
        try check(Int?.self, "null")
        try check([[Int]].self, "[[1, 2], []]")
        try check([String: [Bool]].self, #"{"a": [true], "b": []}"#)
    }

    @Test("No part is taken for UTF-16 when the document is not")
    func noUTF16() {
        let array = Data(" [\u{0}1\u{0}]\u{0}".utf8)
        #expect(throws: DecodingError.self) { try SharedJSONDecoder.inParts.array(of: Int.self, in: array) }
        let object = Data(" {\u{0}\"\u{0}a\u{0}\"\u{0}:\u{0}1\u{0}}\u{0}".utf8)
        let snake = JSONDecoder()
        snake.keyDecodingStrategy = .convertFromSnakeCase
        #expect(throws: DecodingError.self) { try SharedJSONDecoder.inParts(snake).values(of: Int.self, in: object) }
    }

    @Test(
        "What does not add up is left to JSONDecoder",
        arguments: [
            "[1,2,3,,]", "{\"a\":1,\"b\":2,,}", "[1,,2]", "[,1]", "[1,2", "[1,2}", "[1] 2", "{\"a\":1,2}",
            "{\"a\":1,\"b\"}",
            "{\"a\":1,\"b\":2,\"a\":3}", "{\"a\":1,\"\\u0061\":2}", "{\"\u{e9}\":1,\"b\":2,\"e\u{301}\":3}",
            "{\"\\ud800\":1}",
            "[1,\"x\",3]", "{\"a\":1,\"b\":[]}", "{\"a\":1 \"b\":2}", "[1,nul,3]", "[1,01]", "{a:1}",
        ]
    )
    func irregularities(document: String) {
        let document = Data(document.utf8)
        #expect(decodedInParts(document, as: Int.self) == nil)
        let json = SharedJSONDecoder.inParts
        let array = JSONOutcome { try JSONDecoder().decode([Int].self, from: document) }
        #expect(JSONOutcome { try json.array(of: Int.self, in: document) } == array)
        let values = JSONOutcome { try JSONReference.values(of: Int.self, in: document) }
        #expect(JSONOutcome { try json.values(of: Int.self, in: document) } == values)
    }

    @Test(
        "A document broken at any byte ends in the error of JSONDecoder",
        arguments: [UInt8(ascii: "]"), UInt8(ascii: "x"), 0xFF, 0])
    func brokenAnywhere(byte: UInt8) {
        for place in Self.array.indices {
            var document = Self.array
            document[place] = byte
            let expected = JSONOutcome { try JSONDecoder().decode([Row].self, from: document) }
            #expect(JSONOutcome { try SharedJSONDecoder.inParts.array(of: Row.self, in: document) } == expected)
        }
    }

    @Test("In parts invalid elements are skipped and reported as in one piece", arguments: [10, 64, 4096])
    func skipping(partSize: Int) throws {
        let names = (0..<500).map { $0 % 10 == 9 ? "\($0)" : "\"the name of \($0)\"" }
        let json = SharedJSONDecoder(decoder: JSONDecoder(), partSize: partSize, cores: FreeCores(16))
        let array = Data("[\(names.joined(separator: ","))]".utf8)
        let object = Data("{\(names.enumerated().map { "\"k\($0)\":\($1)" }.joined(separator: ","))}".utf8)
        var reports: [String] = []
        func report(_ index: Int, _ error: any Error) { reports.append("\(index): \(signature(of: error))") }
        let kept: [String] = try json.array(of: JSONSkippableElement.self, in: array).valid(
            reportingOthersTo: report)
        let values: [String] = try json.values(of: JSONSkippableElement.self, in: object).valid(
            reportingOthersTo: report)
        #expect(kept.count == 450 && kept == values)
        let invalid = (0..<500).filter { $0 % 10 == 9 }
        let mismatch = "Expected to decode String but found number instead."
        #expect(
            reports
                == ["#", "k"].flatMap { prefix in
                    invalid.map { "\($0): typeMismatch(String) at [\"\(prefix)\($0)\"]: \(mismatch)" }
                })
    }

    @Test("Documents above the threshold are split, others and other dialects are not")
    func threshold() {
        func isSplit(_ document: String, _ configure: (JSONDecoder) -> Void = { _ in }, partSize: Int = 2) -> Bool {
            let decoder = JSONDecoder()
            configure(decoder)
            let json = SharedJSONDecoder(decoder: decoder, partSize: partSize, cores: FreeCores(2))
            return json.onlyInParts(.array, of: Int.self, in: Data(document.utf8)) == [1, 2, 3, 4, 5]
        }
        #expect(isSplit("[1,2,3,4,5]"))
        #expect(!isSplit("[1,2,3,4,5]", partSize: 3))
        #expect(!isSplit("[1,2,3,4,5]") { $0.allowsJSON5 = true })
        #expect(!isSplit("[1,2,3,4,5]") { $0.assumesTopLevelDictionary = true })
        #expect(isSplit("\u{FEFF}[1,2,3,4,5]"))
    }

    @Test(
        "From four parts of 16 KiB on, a document is worth a core for each part",
        arguments: [(0, 1), (65_535, 1), (65_536, 4), (81_919, 4), (81_920, 5)])
    func usefulCores(size: Int, count: Int) {
        #expect(SharedJSONDecoder(decoder: JSONDecoder()).usefulCores(for: Data(count: size)) == count)
    }

    @Test("An array whose elements are shorter than the padding they need is not split, unless they need none")
    func tinyElements() {
        func isSplit<Element: Decodable & SendableMetatype>(_ element: String, as type: Element.Type) -> Bool {
            let document = Data("[\(Array(repeating: element, count: 20_000).joined(separator: ","))]".utf8)
            let json = SharedJSONDecoder(decoder: JSONDecoder(), partSize: 4096, cores: FreeCores(4))
            return json.onlyInParts(.array, of: type, in: document)?.count == 20_000
        }
        #expect(!isSplit("7", as: UInt8.self))
        #expect(!isSplit("null", as: Bool?.self))
        #expect(!isSplit(#"{"x":1}"#, as: [String: Int].self))
        #expect(isSplit(#"{"x":1234567890}"#, as: [String: Int].self))
        #expect(isSplit("7", as: Int.self))
    }

    @Test("Many documents are decoded at once, each as if alone")
    func concurrency() {
        let document = Data("[\((0..<40_000).map { "\"element \($0)\"" }.joined(separator: ","))]".utf8)
        let expected = (0..<40_000).map { "element \($0)" }
        let json = SharedJSONDecoder(decoder: JSONDecoder())
        let equal = Monitor(0)
        DispatchQueue.concurrentPerform(iterations: 24) { _ in
            let isEqual = (try? json.array(of: String.self, in: document)) == expected
            equal.withLock { $0 += isEqual ? 1 : 0 }
        }
        #expect(equal.withLock { $0 } == 24)
    }

    @Test("In parts the elements of an envelope have the coding paths that they have in the whole document")
    func envelopedCodingPaths() throws {
        let path = JSONKeyPath("data.some rows")
        let json = SharedJSONDecoder.inParts
        for (collection, text) in [(JSONCollection.array, Self.array), (.object, Self.object)] {
            let document = Data(#" {"x": [{"data": 1}], "data": {"some rows" :"#.utf8) + text + Data(#","y":0}} "#.utf8)
            let rows = try #require(json.onlyInParts(collection, of: Row.self, in: document, at: path))
            #expect(rows.map(\.rowId) == (0..<40).map { $0 * 3 })
            let expected =
                collection == .array
                ? try JSONDecoder().decode(Answer<[Row]>.self, from: document).data.rows
                : try JSONDecoder().decode(Answer<[String: Row]>.self, from: document).data.rows.values
                    .sorted { $0.rowId < $1.rowId }
            #expect(rows == expected)
            #expect(rows == (try SharedJSONDecoder.whole.values(of: Row.self, in: document, at: path)))
            #expect(rows[1].path.prefix(2) == ["data", "some rows"] && rows[1].path.count == 3)
        }
    }

    @Test(
        "In parts or not, a path leads to the value that JSONDecoder finds, or to its error",
        arguments: [
            (#"{"a":[1,2]}"#, true), (#"{"a":{"x":1,"y":2}}"#, true), ("{\"\u{e9}\":[3],\"a\" \n:\t[1,2] } ", true),
            (#"{"a":[1],"a":[2]}"#, true), (#"{"\u0061":[1],"b":[2],"a":[3]}"#, true),
            (#"{"\u0061":{"x":1,"y":2},"a":{"y":2,"x":1}}"#, true), (#"{"b":[1],"\u0061":[3]}"#, true),
            (#"{"a":1,"a":[2]}"#, false), (#"{"a":null,"a":[2]}"#, false), (#"{"b":"a","c":{"a":[1]}}"#, false),
            (#"{"a":[1,2]"#, false), (#"{"a":[1,2]]"#, false), (#"{"a":[1,2}]"#, false), (#"{"a":[1,2]} x"#, false),
            (#"{"a":[1,2],"\ud800":0}"#, false), (#"{"a":[1,2],}"#, true), (#"{"a":[1,2,]}"#, true),
            (#"{"a":[1,2],"b"}"#, false), (#"{"a" [1,2]}"#, false), (#"{"a""b":[1,2]}"#, false),
            (#"{"a":[1,2] [3]}"#, false), (#"{"b" "a":[1,2]}"#, false), (#"{["a":[1,2]]}"#, false),
            (#"{"a":{"x":1,"\u0078":2}}"#, false), (#"["a",[1,2]]"#, false), (#"{"a":"#, false), (#"{"a"#, false),
        ]
    )
    func envelopes(text: String, isSplit: Bool) {
        let document = Data(text.utf8)
        let envelope = JSONReference.Envelope.a
        let path = envelope.path
        let json = SharedJSONDecoder.inParts
        let array = json.onlyInParts(.array, of: Int.self, in: document, at: path)
        let values = json.onlyInParts(.object, of: Int.self, in: document, at: path)
        #expect(((array ?? values) != nil) == isSplit)
        let expectedArray = JSONOutcome { try envelope.decode([Int].self, from: document) }
        let expectedValues = JSONOutcome { try JSONReference.values(of: Int.self, in: document, envelope) }
        for json in [json, .whole] {
            #expect(JSONOutcome { try json.array(of: Int.self, in: document, at: path) } == expectedArray)
            #expect(JSONOutcome { try json.values(of: Int.self, in: document, at: path) } == expectedValues)
        }
    }

    @Test(
        "Of two equal names on the path the first counts in parts, too, however they are written",
        arguments: [
            #"{"é": {"x": 1, "y": 2}, "é": {"y": 2, "x": 1}}"#,
            #"{"\u00e9": {"x": 1, "y": 2}, "é": {"y": 2, "x": 1}}"#,
            #"{"é": {"x": 1, "y": 2}, "\u00e9": {"y": 2, "x": 1}}"#,
            "{\"e\u{301}\": {\"x\": 1, \"y\": 2}, \"\u{e9}\": {\"y\": 2, \"x\": 1}}",
        ])
    func equalNames(body: String) throws {
        let values = try SharedJSONDecoder.inParts.values(of: Int.self, in: Data(body.utf8), at: JSONKeyPath("é"))
        #expect(values == [1, 2])
    }

    @Test("A document is nested as deeply as JSONDecoder allows, in an envelope as well", arguments: 507...512)
    func nestingInEnvelopes(depth: Int) {
        let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let document = Data(#"{"a":{"b":[1,\#(nested),2]}}"#.utf8)
        let expected = JSONOutcome { try JSONDecoder().decode(JSONOnlooker.self, from: document) }
        let path = JSONKeyPath("a.b")
        let isSplit =
            SharedJSONDecoder.inParts.onlyInParts(.array, of: JSONOnlooker.self, in: document, at: path) != nil
        #expect(isSplit == !expected.isError)
    }

    @Test(
        "In an envelope invalid elements are skipped and reported in parts as in one piece", arguments: [1, 64, .max])
    func skippingInEnvelopes(partSize: Int) throws {
        let json = SharedJSONDecoder(decoder: JSONDecoder(), partSize: partSize, cores: FreeCores(8))
        let names = (0..<50).map { $0 % 10 == 9 ? "\($0)" : "\"the name of \($0)\"" }
        let document = Data(#"{"total":50,"results":[\#(names.joined(separator: ","))],"next":null}"#.utf8)
        var reports: [String] = []
        func report(_ index: Int, _ error: any Error) { reports.append("\(index): \(signature(of: error))") }
        let kept: [String] = try json.array(
            of: JSONSkippableElement.self, in: document, at: JSONKeyPath("results")
        ).valid(reportingOthersTo: report)
        #expect(kept.count == 45)
        #expect(reports.count == 5)
        #expect(reports.last?.hasPrefix(##"49: typeMismatch(String) at ["results", "#49"]"##) == true)
    }
}
