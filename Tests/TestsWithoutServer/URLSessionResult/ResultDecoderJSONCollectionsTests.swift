import Foundation
import Testing

@testable import URLSessionResult
import URLSessionResultJSON
import URLSessionResultTesting

@testable import TestSupport

struct ResultDecoderJSONCollectionsTests {
    struct Item: Decodable, Equatable, Sendable {
        var id: Int
    }

    private func decode<T>(_ body: String, with decoder: ResultDecoder<T>) throws -> T {
        try decoder.decode(body)
    }

    @Test("jsonArray and jsonValues decode with a leading dot, with and without the type")
    func leadingDot() throws {
        #expect(try decode(#"[{"id": 1}]"#, with: .jsonArray(of: Item.self)) == [Item(id: 1)])
        #expect(try decode(#"{"a": {"id": 1}}"#, with: .jsonValues(of: Item.self)) == [Item(id: 1)])
        let array: [Item] = try decode(#"[{"id": 1}]"#, with: .jsonArray())
        let values: [Item] = try decode(#"{"a": {"id": 1}}"#, with: .jsonValues())
        #expect(array == values)
        #expect(try ResultDecoder.jsonValues(of: Item.self).map(\.count).decode("{}") == 0)
    }

    @Test("jsonValues keeps the order of the document", arguments: ["zam", "maz", "qwertzuiopasdfghjklyxcvbnm"])
    func order(keys: String) throws {
        let body = "{" + keys.map { #""\#($0)": "\#($0)""# }.joined(separator: ",") + "}"
        #expect(try decode(body, with: .jsonValues(of: String.self)) == keys.map { String($0) })
    }

    @Test(
        "jsonValues takes null for empty, and of an array what is not null",
        arguments: [
            ("null", []), (" null\n", []), ("[]", []), ("[null, 1, null, null, 2]", [1, 2]), ("{}", []),
            (#"{"b": 1, "a": 2}"#, [1, 2]),
        ]
    )
    func shapes(body: String, values: [Int]) throws {
        #expect(try decode(body, with: .jsonValues(of: Int.self)) == values)
    }

    @Test(
        "The first of two equal keys counts, however they are written",
        arguments: [
            #"{"é": 1, "b": 2, "é": 3}"#,
            #"{"é": 1, "b": 2, "\u00e9": 3}"#,
            #"{"\u00e9": 1, "b": 2, "é": 3}"#,
            "{\"\u{e9}\": 1, \"b\": 2, \"e\u{301}\": 3}",
            "{\"e\u{301}\": 1, \"b\": 2, \"\u{e9}\": 3, \"b\": 4}",
            #"{"é": 1, "\u0062": 2, "b": 3, "\u0065\u0301": 4}"#,
        ])
    func duplicates(body: String) throws {
        #expect(try decode(body, with: .jsonValues(of: Int.self)) == [1, 2])
    }

    @Test(
        "Order holds in every encoding that JSONDecoder reads",
        arguments: [
            String.Encoding.utf8, .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian,
        ], [false, true])
    func encodings(encoding: String.Encoding, marked: Bool) throws {
        let body = try #require((#"{"z": "ü", "a\n": "\u00e4", "m": "東"}"#).data(using: encoding))
        let mark = try #require("\u{FEFF}".data(using: encoding))
        let data = marked && encoding != .utf16 ? mark + body : body
        let expected = JSONOutcome { try JSONDecoder().decode([String: String].self, from: data).count }
        #expect(ResultDecoder.jsonValues(of: String.self).map(\.count).outcome(of: data) == expected)
        // JSONDecoder takes this mark for that of UTF-16.
        let isMisread = marked && encoding == .utf32LittleEndian
        #expect(expected.isError == isMisread)
        guard !isMisread else { return }
        #expect(try ResultDecoder.jsonValues(of: String.self).decode(data) == ["ü", "ä", "東"])
    }

    @Test("Order holds in JSON5, in objects without braces, and with key strategies")
    func dialects() throws {
        let json5 = JSONDecoder()
        json5.allowsJSON5 = true
        #expect(
            try decode("{z: 1, 'a': +2, /* c */ m: 0x3,}", with: .jsonValues(of: Int.self, using: json5)) == [1, 2, 3])
        let many = "{\((0..<40).map { "k\($0): \($0)" }.joined(separator: ", "))}"
        #expect(try decode(many, with: .jsonValues(of: Int.self, using: json5)) == Array(0..<40))
        let bare = JSONDecoder()
        bare.assumesTopLevelDictionary = true
        #expect(try decode(#""z": 1, "a": 2"#, with: .jsonValues(of: Int.self, using: bare)) == [1, 2])
        let snake = JSONDecoder()
        snake.keyDecodingStrategy = .convertFromSnakeCase
        let body = #"{"z_key": {"some_id": 1}, "zKey": {"some_id": 2}, "a_key": {"some_id": 3}}"#
        struct Row: Decodable, Sendable { var someId: Int }
        #expect(try decode(body, with: .jsonValues(of: Row.self, using: snake)).map(\.someId) == [1, 2, 3])
        let custom = JSONDecoder()
        custom.keyDecodingStrategy = .custom { path in JSONKey(stringValue: path.count == 1 ? "same" : "someId") }
        #expect(try decode(body, with: .jsonValues(of: Row.self, using: custom)).map(\.someId) == [1, 2, 3])
    }

    @Test("Elements keep the strategies for dates, data, URLs and decimals", arguments: [false, true])
    func strategies(skipping: Bool) throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let invalid: InvalidElements = skipping ? .skip { index, error in Issue.record("\(index): \(error)") } : .fail
        #expect(
            try decode("[60]", with: .jsonArray(of: Date.self, invalidElements: invalid, using: decoder)) == [
                Date(timeIntervalSince1970: 60)
            ])
        #expect(
            try decode(#"["aGk="]"#, with: .jsonArray(of: Data.self, invalidElements: invalid)) == [Data("hi".utf8)])
        #expect(
            try decode(#"{"a": "x:y"}"#, with: .jsonValues(of: URL.self, invalidElements: invalid)) == [
                URL(string: "x:y")
            ])
        #expect(
            try decode("[0.1]", with: .jsonValues(of: Decimal.self, invalidElements: invalid)) == [
                Decimal(string: "0.1")
            ])
        #expect(try decode("[1, null]", with: .jsonArray(of: Int?.self, invalidElements: invalid)) == [1, nil])
    }

    @Test("An element finds its key at the end of its coding path")
    func keys() throws {
        struct Keyed: Decodable, Sendable {
            var key: String
            init(from decoder: any Decoder) { key = decoder.codingPath.map(\.stringValue).joined(separator: "/") }
        }
        #expect(try decode(#"{"-Nz": 0, "-Na": 1}"#, with: .jsonValues(of: Keyed.self)).map(\.key) == ["-Nz", "-Na"])
        #expect(try decode("[7, 8]", with: .jsonArray(of: Keyed.self)).map(\.key) == ["Index 0", "Index 1"])
    }

    @Test(
        "jsonMembers gives the keys in the order of the document, and indices of an array",
        arguments: [
            (#"{"-Nz": 1, "-Na": 2}"#, ["-Nz": 1, "-Na": 2]), ("[null, 1, null, 2]", ["1": 1, "3": 2]),
            (#"{"3": 1, "Index 7": 2, "": 3}"#, ["3": 1, "Index 7": 2, "": 3]),
            (#"{"b": 1, "b": 2}"#, ["b": 1]), ("null", [:]), ("{}", [:]),
        ] as [(String, KeyValuePairs<String, Int>)])
    func members(body: String, expected: KeyValuePairs<String, Int>) throws {
        let members = try decode(body, with: .jsonMembers(of: Int.self))
        #expect(members.map(\.key) == expected.map(\.key))
        #expect(members.map(\.value) == expected.map(\.value))
    }

    @Test("jsonMembers reads large documents, dates, an envelope and other keys like jsonValues, and skips like it")
    func membersOfLargeDocument() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .secondsSince1970
        let keys = (0..<20_000).map { "key_\($0 * 7919 % 20_000)" }
        let members = keys.enumerated().map { index, key in "\"\(key)\": \(index == 9 ? "null" : "\(index)")" }
        let document = "{\(members.joined(separator: ","))}"
        let reports = Reports()
        let dates = ResultDecoder<[(key: String, value: Date)]>.jsonMembers(
            of: Date.self, at: "data", invalidElements: .skip(reports.append), using: decoder)
        let decoded = try dates.decode(#"{"data": \#(document)}"#)
        #expect(reports.indices == [9])
        #expect(decoded.map { Int($0.value.timeIntervalSince1970) } == (0..<20_000).filter { $0 != 9 })
        #expect(decoded.map(\.key) == keys.enumerated().filter { $0.offset != 9 }.map(\.element))
        let failure = ResultDecoder<[(key: String, value: Int)]>.jsonMembers(of: Int.self).failure(#"{"a": "x"}"#)
        #expect(failure == ResultDecoder<[Int]>.jsonValues(of: Int.self).failure(#"{"a": "x"}"#))
    }

    @Test("skip keeps the valid elements and reports the others in order; fail gives the error of the first")
    func invalidElements() throws {
        let names = (0..<500).map { $0 % 10 == 9 ? "\($0)" : "\"name \($0)\"" }
        let body = "[" + names.joined(separator: ",") + "]"
        let reports = Reports()
        let kept = try decode(body, with: .jsonArray(of: String.self, invalidElements: .skip(reports.append)))
        #expect(kept == (0..<500).filter { $0 % 10 != 9 }.map { "name \($0)" })
        #expect(reports.indices == (0..<500).filter { $0 % 10 == 9 })
        #expect(
            reports.signatures.last
                == "typeMismatch(String) at [\"#499\"]: Expected to decode String but found number instead.")
        let failure = ResultDecoder<[String]>.jsonArray(of: String.self).failure(body)
        #expect(failure == "typeMismatch(String) at [\"#9\"]: Expected to decode String but found number instead.")
    }

    @Test("skip counts the values, also those that are left out, but no nulls in place of a value")
    func skippedPositions() throws {
        let reports = Reports()
        let decoder = ResultDecoder<[Int]>.jsonValues(of: Int.self, invalidElements: .skip(reports.append))
        #expect(try decoder.decode(#"{"z": "x", "a": 1, "m": {}}"#) == [1])
        #expect(reports.indices == [0, 2])
        #expect(
            reports.signatures == [
                "typeMismatch(Int) at [\"z\"]: Expected to decode Int but found a string instead.",
                "typeMismatch(Int) at [\"m\"]: Expected to decode Int but found a dictionary instead.",
            ])
        #expect(try decoder.decode(#"[null, 1, "x", null, 2]"#) == [1, 2])
        #expect(reports.indices == [0, 2, 1])
        let array = ResultDecoder<[Int]>.jsonArray(of: Int.self, invalidElements: .skip(reports.append))
        #expect(try array.decode("[1, null]") == [1])
        #expect(reports.signatures.last?.hasPrefix("valueNotFound(Int) at [\"#1\"]") == true)
    }

    @Test("skip reports what JSONDecoder cannot convert as a DecodingError, and a model's own error as it is")
    func skippedErrors() throws {
        struct JSONError: Error {}
        struct Refusing: Decodable, Sendable {
            init(from decoder: any Decoder) throws { throw JSONError() }
        }
        let reports = Reports()
        #expect(try decode("[1.5, 2]", with: .jsonArray(of: Int.self, invalidElements: .skip(reports.append))) == [2])
        #expect(reports.signatures == ["dataCorrupted at [\"#0\"]: The given data was not valid JSON."])
        _ = try decode("[1]", with: .jsonArray(of: Refusing.self, invalidElements: .skip(reports.append)))
        #expect(reports.signatures.last == "JSONError: JSONError()")
    }

    @Test("skip reports a NetworkError of a model as it is, and any other error as a decodingError that may be logged")
    func skippedNetworkErrors() throws {
        struct Refusing: Decodable, Sendable {
            init(from decoder: any Decoder) throws {
                if try decoder.singleValueContainer().decode(Int.self) == 0 { throw NetworkError.noData }
            }
        }
        let log = Monitor<[String]>([])
        let skip = InvalidElements.skip { index, error in log.withLock { $0.append("\(index): \(error)") } }
        _ = try decode(#"[0, "secret"]"#, with: .jsonArray(of: Refusing.self, invalidElements: skip))
        #expect(log.value == ["0: noData", "1: decodingError([1]: expected Int, found a string)"])
    }

    @Test("The error of an element that is skipped has the response, as that of a whole body")
    func skippedElementsOfResponse() async throws {
        let stub = SessionStub(.json(#"{"a": 1, "b": "x"}"#, statusCode: 201))
        let bodies = Monitor<[NetworkResponse<Data>?]>([])
        let skip = InvalidElements.skip { _, error in bodies.withLock { $0.append(error.response) } }
        let url = try #require(URL(string: "https://example.com/numbers"))
        let numbers = await stub.session.dataResult(
            from: url, decoder: .jsonValues(of: Int.self, invalidElements: skip))
        #expect(try numbers.get() == [1])
        #expect(bodies.value.map { $0?.statusCode } == [201])
        #expect(bodies.value.map { $0?.body } == [Data(#"{"a": 1, "b": "x"}"#.utf8)])
    }

    @Test(
        "skip leaves a document that is no collection a failure",
        arguments: ["", "[1", "3", "\"x\"", "[1,,2]", "[1] 2"])
    func skippingIsNoLeniency(body: String) {
        let skip = InvalidElements.skip { _, _ in Issue.record("reported") }
        let expected = JSONOutcome { try JSONDecoder().decode([Int].self, from: Data(body.utf8)) }
        #expect(expected.isError)
        let decoder = ResultDecoder<[Int]>.jsonArray(of: Int.self, invalidElements: skip)
        #expect(decoder.outcome(of: Data(body.utf8)) == expected)
    }
}

/// What `skip` reports.
final class Reports: @unchecked Sendable {
    private let lock = NSLock()
    private var all: [(index: Int, signature: String)] = []

    var indices: [Int] { lock.withLock { all.map(\.index) } }
    var signatures: [String] { lock.withLock { all.map(\.signature) } }

    func append(_ index: Int, _ error: any Error) {
        let cause = (error as? NetworkError)?.underlyingError ?? error
        lock.withLock { all.append((index, signature(of: cause))) }
    }
}
