import Foundation
import Testing

@testable import URLSessionResult
import URLSessionResultJSON

@testable import TestSupport

struct ResultDecoderJSONCollectionsEnvelopeTests {
    private struct Album: Decodable, Equatable, Sendable {
        var year: Int
    }

    private static let albums = #"{"year": 1971}, {"year": 1972}, {"year": 1974}, {"year": "1976"}, {"year": 1977}"#

    private func decode<T>(_ body: String, with decoder: ResultDecoder<T>) throws -> T {
        try decoder.decode(body)
    }

    private struct Starter: Decodable, Sendable {
        let task: Task<Int, Never>

        init(from decoder: any Decoder) throws {
            let year = try decoder.singleValueContainer().decode(Int.self)
            // It inherits the task-local values, and keeps them.
            task = Task {
                // Until it is cancelled.
                for await _ in AsyncStream(Void.self, { _ in }) {}
                return year
            }
        }
    }

    @Test("A model may start a task while it is decoded, which outlives the decoding")
    func startedTask() async throws {
        let starter = try decode(#"{"a": 1971}"#, with: .json(Starter.self, at: "a"))
        starter.task.cancel()
        #expect(await starter.task.value == 1971)
    }

    @Test("jsonArray and jsonValues take a collection out of its envelope, with a leading dot")
    func envelope() throws {
        let body = #"{"page": 1, "data": {"list": [3, 1, 2], "byName": {"z": 3, "a": 1, "m": 2}}, "next": null}"#
        #expect(try decode(body, with: .jsonArray(of: Int.self, at: "data.list")) == [3, 1, 2])
        #expect(try decode(body, with: .jsonValues(of: Int.self, at: "data.byName")) == [3, 1, 2])
        #expect(try decode(body, with: .jsonValues(of: Int.self, at: "data.list")) == [3, 1, 2])
        let array: [Int] = try decode(body, with: .jsonArray(at: "data.list"))
        let values: [Int] = try decode(body, with: .jsonValues(at: "data.byName"))
        #expect(array == values)
        #expect(try decode(#"[[1], [2, 3]]"#, with: .jsonArray(of: Int.self, at: "1")) == [2, 3])
        #expect(try decode(#"[{"b": 1, "a": 2}]"#, with: .jsonValues(of: Int.self, at: "0")) == [1, 2])
    }

    @Test(
        "In an envelope jsonValues takes null for empty, and of an array what is not null",
        arguments: [
            (#"{"r": null}"#, []), (#"{"r": []}"#, []), (#"{"r": {}}"#, []), (#"{"r": [null, 1, null, 2]}"#, [1, 2]),
            (#"{"r": {"b": 1, "a": 2}}"#, [1, 2]),
        ])
    func values(body: String, expected: [Int]) throws {
        #expect(try decode(body, with: .jsonValues(of: Int.self, at: "r")) == expected)
    }

    @Test(
        "A path that leads to no collection is a decodingError whose path names the step",
        arguments: [
            ("x", "keyNotFound(x) at []"),
            ("data.x", #"keyNotFound(x) at ["data"]"#),
            ("data.list.x", #"typeMismatch(Dictionary<String, Any>) at ["data", "list"]"#),
            ("data.list.7", ##"valueNotFound(Array<Int>) at ["data", "list", "#7"]"##),
            ("data.number.x", #"typeMismatch(Dictionary<String, Any>) at ["data", "number"]"#),
            ("data.none.x", #"valueNotFound(Dictionary<String, Any>) at ["data", "none"]"#),
            ("data.number", #"typeMismatch(Array<Any>) at ["data", "number"]"#),
            ("data.none", #"valueNotFound(Array<Any>) at ["data", "none"]"#),
            ("data", #"typeMismatch(Array<Any>) at ["data"]"#),
        ])
    func wrongSteps(path: String, expected: String) throws {
        let body = #"{"data": {"list": [1], "number": 3, "none": null}}"#
        let failure = try #require(ResultDecoder<[Int]>.jsonArray(of: Int.self, at: path).failure(body))
        #expect(failure.hasPrefix(expected), "\(failure)")
    }

    @Test("An index outside of an array is an error that names it", arguments: [2, -1, Int.max, Int.min])
    func wrongIndices(index: Int) {
        // So long that it would be split.
        let list = "[\(Array(repeating: "1971", count: 20_000).joined(separator: ","))]"
        let body = #"{"data": [\#(list), \#(list)]}"#
        let failures = [
            ResultDecoder.json([Int].self, at: "data.\(index)").failure(body),
            ResultDecoder.jsonArray(of: Int.self, at: "data.\(index)").failure(body),
            ResultDecoder.jsonValues(of: Int.self, at: "data.\(index)").failure(body),
        ]
        for failure in failures {
            #expect(failure?.contains(##"at ["data", "#\##(index)"]"##) == true, "\(failure as Any)")
        }
    }

    @Test("An error names the whole path", arguments: [#"{"results": [\#(albums)]}"#])
    func errors(body: String) {
        let decoder = ResultDecoder<[Album]>.jsonArray(of: Album.self, at: "results")
        let error = #expect(throws: NetworkError.self) { try decode(body, with: decoder) }
        #expect(error.map { "\($0)" }?.contains("results[3].year: expected Int, found a string") == true)
    }

    @Test("skip keeps the valid elements of an envelope and reports the others with their positions in the collection")
    func skipping() throws {
        let reports = Reports()
        let array = ResultDecoder<[Album]>.jsonArray(
            of: Album.self, at: "results", invalidElements: .skip(reports.append))
        let years = try decode(#"{"count": 5, "results": [\#(Self.albums)]}"#, with: array).map(\.year)
        #expect(years == [1971, 1972, 1974, 1977])
        #expect(reports.indices == [3])
        #expect(reports.signatures.first?.hasPrefix(##"typeMismatch(Int) at ["results", "#3", "year"]"##) == true)
        let values = ResultDecoder<[Int]>.jsonValues(
            of: Int.self, at: "r.v", invalidElements: .skip(reports.append))
        #expect(try decode(#"{"r": {"v": {"z": 1, "y": "x", "x": 3}}}"#, with: values) == [1, 3])
        #expect(reports.indices == [3, 1])
        #expect(reports.signatures.last?.hasPrefix(#"typeMismatch(Int) at ["r", "v", "y"]"#) == true)
    }

    @Test("With a key strategy a step is the converted name, and the values keep their order")
    func keyStrategies() throws {
        let body = #"{"next_page": {"z": 9}, "all_pages": {"first_page": {"z_1": 1, "a_b": 2, "m": 3, "c_d": 4}}}"#
        let snake = JSONDecoder()
        snake.keyDecodingStrategy = .convertFromSnakeCase
        let converted = ResultDecoder<[Int]>.jsonValues(of: Int.self, at: "allPages.firstPage", using: snake)
        #expect(try decode(body, with: converted) == [1, 2, 3, 4])
        let upper = JSONDecoder()
        upper.keyDecodingStrategy = .custom { path in
            JSONKey(stringValue: path[path.count - 1].stringValue.uppercased())
        }
        let custom = ResultDecoder<[Int]>.jsonValues(of: Int.self, at: "ALL_PAGES.FIRST_PAGE", using: upper)
        #expect(try decode(body, with: custom) == [1, 2, 3, 4])
        #expect(
            converted.failure(body.replacingOccurrences(of: "first", with: "last"))?.hasPrefix("keyNotFound") == true)
    }

    @Test("A name that stands unconverted in the document does not hide the one that a key strategy converts")
    func collidingNames() throws {
        let snake = JSONDecoder()
        snake.keyDecodingStrategy = .convertFromSnakeCase
        let body = #"{"the_page": {"z": 1, "a": 2}, "thePage": {"a": 3, "z": 4}}"#
        #expect(try decode(body, with: .jsonValues(of: Int.self, at: "thePage", using: snake)) == [1, 2])
        #expect(try decode(body, with: .jsonValues(of: Int.self, at: "thePage")) == [3, 4])
    }

    @Test(
        "Of two equal names on the path the first counts, however they are written",
        arguments: [
            #"{"é": {"x": 1, "y": 2}, "é": {"y": 2, "x": 1}}"#,
            #"{"\u00e9": {"x": 1, "y": 2}, "é": {"y": 2, "x": 1}}"#,
            #"{"é": {"x": 1, "y": 2}, "\u00e9": {"y": 2, "x": 1}}"#,
            "{\"e\u{301}\": {\"x\": 1, \"y\": 2}, \"\u{e9}\": {\"y\": 2, \"x\": 1}}",
        ])
    func equalNames(body: String) throws {
        #expect(try decode(body, with: .jsonValues(of: Int.self, at: "é")) == [1, 2])
    }

    @Test("In an envelope order holds in JSON5, in objects without braces, and in UTF-16 and UTF-32")
    func dialects() throws {
        let json5 = JSONDecoder()
        json5.allowsJSON5 = true
        let many = (0..<40).map { "k\($0): \($0)" }.joined(separator: ", ")
        let values = ResultDecoder<[Int]>.jsonValues(of: Int.self, at: "a.b", using: json5)
        #expect(try decode("{c: {z: 1}, a: {/* c */ b: {\(many),}},}", with: values) == Array(0..<40))
        let bare = JSONDecoder()
        bare.assumesTopLevelDictionary = true
        #expect(try decode(#""r": {"z": 1, "a": 2}"#, with: .jsonValues(of: Int.self, at: "r", using: bare)) == [1, 2])
        for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian] {
            let body = try #require(#"{"r": {"z": 1, "ü": 2, "a": 3}}"#.data(using: encoding))
            #expect(try ResultDecoder.jsonValues(of: Int.self, at: "r").decode(body) == [1, 2, 3])
        }
    }
}
