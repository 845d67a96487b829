import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Where a document is wrong, in the description of an error.
struct JSONFaultTests {
    private struct Album: Codable, Sendable {
        var title: String?
        var year: Int
    }

    private func description<T>(of text: String, _ decoder: ResultDecoder<T>) -> String? {
        decoder.decode(.success(Data(text.utf8))).error?.description
    }

    private static let usual = "decodingError(the body is not valid JSON, or a number in it does not fit)"

    @Test(
        "A mistake in syntax has its line and its column",
        arguments: [
            (#"[{"year": 1} {"year": 2}]"#, "line 1, column 14"), ("[\n  {\"year\": 1,,}\n]", "line 2, column 14"),
            ("[\r\n{\"year\" 1}]", "line 2, column 9"), ("[\r{\"year\": 1]", "line 2, column 11"),
            ("[\n\r{\"year\": 1]", "line 3, column 11"), (#"[{year: 1}]"#, "line 1, column 3"),
            (#"[{"title": "é😀", "year": 1}}"#, "line 1, column 28"), ("[] []", "line 1, column 4"),
            (#"[{"year": tru}]"#, "line 1, column 14"), (#"[{'year': 1}]"#, "line 1, column 3"),
            ("\u{FEFF}[,]", "line 1, column 2"), (#"[{"year": 01}]"#, "line 1, column 11"),
            (#"[{"year": 1.}]"#, "line 1, column 11"), (#"[{"title": "a\x", "year": 1}]"#, "line 1, column 14"),
            ("[{\"title\": \"a\nb\", \"year\": 1}]", "line 1, column 14"),
            (#"[{"title": "\u00g0", "year": 1}]"#, "line 1, column 13"),
        ])
    func syntax(text: String, place: String) {
        let expected = "decodingError(the body is not valid JSON (\(place)))"
        #expect(description(of: text, .json([Album].self)) == expected)
        #expect(description(of: text, .jsonArray(of: Album.self)) == expected)
        let response = NetworkResponse(
            body: Data(text.utf8),
            urlResponse: URLResponse(
                url: URL(fileURLWithPath: "/"), mimeType: nil, expectedContentLength: 0, textEncodingName: nil))
        #expect(response.decode(with: .json([Album].self)).error?.description == expected)
    }

    @Test(
        "One of two malformed strings is not named, because only one may have been decoded",
        arguments: [
            ("{\"note\": \"a\tb\", \"title\": \"\\ud800\", \"year\": 1}", nil),
            (#"{"title": "\ud800", "year": 1}"#, "line 1, column 12"),
        ] as [(String, String?)])
    func malformedStrings(text: String, place: String?) {
        let expected = place.map { "decodingError(the body is not valid JSON (\($0)))" } ?? Self.usual
        #expect(description(of: text, .json(Album.self)) == expected)
    }

    @Test(
        "A decoder of one's own tells the place, unless JSON5 allows what is there",
        arguments: [
            (#"[{"year": 1}, {"year" 2}]"#, nil), (#"[{"year": 1} {"year": 2}]"#, "line 1, column 14"),
            ("[1,,2]", "line 1, column 4"), ("[// comment", nil), ("[one]", nil), ("[+1]", nil),
        ] as [(String, String?)])
    func ownDecoder(text: String, place: String?) {
        let decoder = ResultDecoder<[Album]>.response { response in
            try JSONDecoder().decode([Album].self, from: response.body)
        }
        let response = NetworkResponse(
            body: Data(text.utf8),
            urlResponse: URLResponse(
                url: URL(fileURLWithPath: "/"), mimeType: nil, expectedContentLength: 0, textEncodingName: nil))
        let expected = place.map { "decodingError(the body is not valid JSON (\($0)))" } ?? Self.usual
        #expect(response.decode(with: decoder).error?.description == expected)
    }

    #if canImport(FoundationNetworking)
    private struct Wrapped: Decodable, Sendable {
        var albums: [Album]
    }

    @Test(
        "A number that does not fit has its path and the type that was expected",
        arguments: [
            (#"[{"title": "Blue", "year": 19.5}]"#, "[0].year: expected Int, found a number that does not fit"),
            (
                #"[{"year": 1971}, {"year": -3}, {"year": 1e400, "title": "9.9"}, {"year": 2.5}]"#,
                "[2].year: expected Int, found a number that does not fit"
            ),
            (
                #"[{"unused": 1.5, "year": 99999999999999999999}]"#,
                "[0].year: expected Int, found a number that does not fit"
            ),
            (
                #"[{"year": 1}, {"x": [0.5, 1e5], "year": 0.25}]"#,
                "[1].year: expected Int, found a number that does not fit"
            ),
        ])
    func numbers(text: String, finding: String) throws {
        let expected = "decodingError(\(finding))"
        #expect(description(of: text, .json([Album].self)) == expected)
        #expect(description(of: text, .jsonArray(of: Album.self)) == expected)
        let enveloped = "{\"data\": \(text)}"
        let inside = "decodingError(data\(finding))"
        #expect(description(of: enveloped, .json([Album].self, at: "data")) == inside)
        #expect(description(of: "{\"albums\": \(text)}", .json(Wrapped.self)) == "decodingError(albums\(finding))")
        let values = "{\"v\": \(text)}"
        #expect(description(of: values, .jsonValues(of: [Album].self)) == "decodingError(v\(finding))")
    }

    @Test(
        "The type is that of the model",
        arguments: [
            ("300", ResultDecoder.json(UInt8.self).map { _ in }, "UInt8"),
            ("-1", .json(UInt.self).map { _ in }, "UInt"),
            ("1e400", .json(Double.self).map { _ in }, "Double"), ("128", .json(Int8.self).map { _ in }, "Int8"),
        ])
    func types(number: String, decoder: ResultDecoder<Void>, type: String) throws {
        let text = try #require(description(of: number, decoder))
        // JSONDecoder may say more itself.
        #expect(text.hasPrefix("decodingError(the body: expected "))
        #expect(
            text == "decodingError(the body: expected \(type), found a number that does not fit)"
                || text.contains("range"))
    }

    /// Reads a year only in version 200.
    private struct Versioned: Decodable, Sendable {
        private enum Key: CodingKey { case year, version, month }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            guard try container.decode(Int.self, forKey: .version) == 200 else { return }
            _ = try container.decode(Int.self, forKey: .year)
        }
    }

    @Test(
        "A number that others depend on is not taken for the one that does not fit",
        arguments: [
            (#"{"version": 200, "year": 19.5}"#, "decodingError(year: expected Int, found a number that does not fit)"),
            (#"{"year": 19.5, "version": 200}"#, usual), (#"{"version": 200, "month": 0.5, "year": 7}"#, nil),
        ] as [(String, String?)])
    func dependent(text: String, expected: String?) {
        #expect(description(of: text, .json(Versioned.self)) == expected)
    }

    @Test("An element of a stream, a line and an event say the same of themselves")
    func parts() throws {
        let error = try #require(ServerSentEvent(data: #"{"year": 0.5}"#).decode(with: .json(Album.self)).error)
        #expect(error.description == "decodingError(year: expected Int, found a number that does not fit)")
    }

    private static func skipped<T: Decodable & SendableMetatype>(
        of type: T.Type, at path: String = "", by decoder: JSONDecoder? = nil, in text: String
    ) throws -> (count: Int, reports: [String]) {
        let reports = Monitor<[String]>([])
        let array = ResultDecoder<[T]>.jsonArray(
            at: path,
            invalidElements: .skip { index, error in reports.withLock { $0.append("\(index) \(error)") } },
            using: decoder)
        return (try array.decode(.success(Data(text.utf8))).get().count, reports.value)
    }

    @Test(
        "An element that is skipped says where within it the number stands",
        arguments: [
            (#"[{"year": 1}, {"title": "Blue", "year": 19.5}, {"year": 2}]"#, ["1 [1].year: expected Int"]),
            (
                #"[{"year": 0.5}, {"year": 1e400, "x": 0.5}, {"year": 2}]"#,
                ["0 [0].year: expected Int", "1 [1].year: expected Int"]
            ),
        ])
    func skipped(text: String, findings: [String]) throws {
        func described(_ inner: String) -> [String] {
            findings.map { finding in
                let (index, path) = (finding.prefix(2), finding.dropFirst(2))
                return "\(index)decodingError(\(inner)\(path), found a number that does not fit)"
            }
        }
        #expect(try Self.skipped(of: Album.self, in: text).reports == described(""))
        let enveloped = "{\"data\": {\"items\": \(text)}}"
        #expect(try Self.skipped(of: Album.self, at: "data.items", in: enveloped).reports == described("data.items"))
        let long =
            "[\(text.dropFirst().dropLast()),\(Array(repeating: #"{"year": 1}"#, count: 50_000).joined(separator: ","))]"
        #expect(try Self.skipped(of: Album.self, in: long).reports == described(""))
    }

    @Test("A value of an object that is skipped says where, by its key")
    func skippedValues() {
        let text = #"{"a": {"year": 1}, "b": {"year": 0.5}, "b": {"year": 2}, "c": {"year": -0.5}}"#
        let reports = Monitor<[String]>([])
        let skip = InvalidElements.skip { index, error in reports.withLock { $0.append("\(index) \(error)") } }
        _ = description(of: text, .jsonValues(of: Album.self, invalidElements: skip))
        let expected = [
            "1 decodingError(b.year: expected Int, found a number that does not fit)",
            "2 decodingError(c.year: expected Int, found a number that does not fit)",
        ]
        #expect(reports.value == expected)
        _ = description(of: text, .jsonMembers(of: Album.self, invalidElements: skip))
        #expect(reports.value == expected + expected)
    }

    @Test("An element of a date in seconds is read as it is within the array")
    func skippedDate() throws {
        struct Concert: Decodable, Sendable {
            var at: Date
            var seats: UInt8
        }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let found = try Self.skipped(
            of: Concert.self, by: decoder, in: #"[{"at": 0.5, "seats": 7}, {"at": 1.5, "seats": 256}]"#)
        #expect(found.count == 1)
        let report = try #require(found.reports.first)
        #expect(report.hasPrefix("1 decodingError([1]"))
        #expect(report.contains("seats"))
    }

    @Test("A skipped element of a document with thousands of them is found by reading the document once")
    func manySkipped() throws {
        let text = "[\(Array(repeating: "0.5", count: 20_000).joined(separator: ","))]"
        let count = Monitor(0)
        let found = try Self.skipped(
            of: Counted.self, by: Counted.decoder { count.withLock { $0 += 1 } }, in: text)
        #expect(found.reports.count == 20_000)
        let last = "19999 decodingError([19999]: expected Int, found a number that does not fit)"
        #expect(found.reports.last == last)
        #expect(count.value < 20_000 * 10)
    }

    @Test("In a document of many numbers, few are tried")
    func many() throws {
        let numbers = (0..<5_000).map { $0 == 3_210 ? "0.5" : "\($0 + 1_000)" }
        let count = Monitor(0)
        let decoder = ResultDecoder.json([Counted].self, using: Counted.decoder { count.withLock { $0 += 1 } })
        let text = description(of: "[\(numbers.joined(separator: ","))]", decoder)
        #expect(text == "decodingError([3210]: expected Int, found a number that does not fit)")
        #expect(count.value < 25 * 5_000)
    }

    private struct Counted: Decodable, Sendable {
        private static let key = CodingUserInfoKey(rawValue: "count")

        init(from decoder: any Decoder) throws {
            if let key = Self.key { (decoder.userInfo[key] as? @Sendable () -> Void)?() }
            _ = try decoder.singleValueContainer().decode(Int.self)
        }

        static func decoder(_ count: @escaping @Sendable () -> Void) -> JSONDecoder {
            let decoder = JSONDecoder()
            if let key { decoder.userInfo[key] = count }
            return decoder
        }
    }

    @Test("A document of more than a mebibyte is not decoded again")
    func long() {
        let text = #"[{"title": "\#(String(repeating: "a", count: 1024 * 1024))", "year": 0.5}]"#
        #expect(description(of: text, .json([Album].self)) == Self.usual)
    }
    #endif

    @Test("A valid document is decoded once")
    func once() throws {
        struct Once: Decodable, Sendable {
            init(from decoder: any Decoder) throws {
                let key = try #require(CodingUserInfoKey(rawValue: "count"))
                (decoder.userInfo[key] as? Monitor<Int>)?.withLock { $0 += 1 }
            }
        }
        let count = Monitor(0)
        let decoder = JSONDecoder()
        decoder.userInfo[try #require(CodingUserInfoKey(rawValue: "count"))] = count
        _ = try ResultDecoder.json(Once.self, using: decoder).decode("{}")
        #expect(count.value == 1)
    }

    @Test(
        "What is read otherwise has no place: JSON5, other encodings, subclasses",
        arguments: ["JSON5", "UTF-16", "subclass"])
    func others(kind: String) throws {
        final class Subclass: JSONDecoder, @unchecked Sendable {}
        let decoder = kind == "subclass" ? Subclass() : JSONDecoder()
        decoder.allowsJSON5 = kind == "JSON5"
        let text = "{\"title\": \"a\", /* x */ \"year\": }"
        let encoding: String.Encoding = kind == "UTF-16" ? .utf16LittleEndian : .utf8
        let body = try #require(text.data(using: encoding))
        let error = try #require(ResultDecoder.json(Album.self, using: decoder).decode(.success(body)).error)
        #expect(error.description == Self.usual)
    }

    @Test("No value is shown, and the error is that of JSONDecoder")
    func underlying() throws {
        let text = #"[{"title": "secret", "year": 12.5}]"#
        let error = try #require(ResultDecoder.json([Album].self).decode(.success(Data(text.utf8))).error)
        #expect(!"\(error) \(error.localizedDescription) \((error as NSError).userInfo)".contains("12.5"))
        let own = #expect(throws: DecodingError.self) { try JSONDecoder().decode([Album].self, from: Data(text.utf8)) }
        guard case .dataCorrupted(let expected)? = own,
            case DecodingError.dataCorrupted(let context)? = error.underlyingError
        else { return #expect(Bool(false)) }
        #expect(context.debugDescription == expected.debugDescription)
        #expect(context.codingPath.map(\.stringValue) == expected.codingPath.map(\.stringValue))
    }
}
