import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

struct ResultDecoderJSONTests {
    private struct Item: Decodable, Equatable, Sendable {
        var id: Int
    }

    private static let envelope =
        #"{"junk": [1, {"data": "\ud800"}], "data": {"items": [{"id": 1}, {"id": 2}], "n.0": 3, "0": {"id": 9}, "none": null}}"#

    private func decode<T>(_ body: String, with decoder: ResultDecoder<T>) throws -> T {
        try decoder.decode(body)
    }

    @Test("json decodes with a leading dot, with and without the type")
    func json() throws {
        #expect(try decode(#"{"id": 1}"#, with: .json(Item.self)) == Item(id: 1))
        let item: Item = try decode(#"{"id": 1}"#, with: .json())
        #expect(item == Item(id: 1))
    }

    @Test("json uses the decoder that it is given")
    func strategies() throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        #expect(try decode("60", with: .json(Date.self, using: decoder)) == Date(timeIntervalSince1970: 60))
    }

    @Test(
        "json gives the error of JSONDecoder",
        arguments: ["", "{", #"{"id": "1"}"#, "{}", "[1]", "null", #"{"id": 1e999}"#])
    func errors(body: String) {
        let expected = JSONOutcome { try JSONDecoder().decode(Item.self, from: Data(body.utf8)) }
        #expect(expected.isError)
        #expect(ResultDecoder.json(Item.self).outcome(of: Data(body.utf8)) == expected)
    }

    @Test("json(at:) takes a value out of its envelope")
    func keyPath() throws {
        let body = Self.envelope
        #expect(try decode(body, with: .json([Item].self, at: "data.items")) == [Item(id: 1), Item(id: 2)])
        #expect(try decode(body, with: .json(Int.self, at: "data.items.1.id")) == 2)
        #expect(try decode(body, with: .json(Item.self, at: "data.0")) == Item(id: 9))
        #expect(try decode(body, with: .json(Item?.self, at: "data.none")) == nil)
        #expect(try decode("[[1, 2], [3]]", with: .json(Int.self, at: "1.0")) == 3)
    }

    @Test("The empty path is the whole document")
    func emptyPath() throws {
        #expect(try decode(#"{"id": 1}"#, with: .json(Item.self, at: "")) == Item(id: 1))
        #expect(try decode("60", with: .json(Int.self, at: "")) == 60)
    }

    @Test("json(at:) applies the strategies for dates, data and URLs at the end of the path")
    func keyPathStrategies() throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let body = #"{"date": 60, "data": "aGk=", "url": "https://a.example"}"#
        #expect(try decode(body, with: .json(Date.self, at: "date", using: decoder)) == Date(timeIntervalSince1970: 60))
        #expect(try decode(body, with: .json(Data.self, at: "data")) == Data("hi".utf8))
        #expect(try decode(body, with: .json(URL.self, at: "url")) == URL(string: "https://a.example"))
    }

    @Test(
        "A step that leads nowhere is a decodingError whose path names it",
        arguments: [
            ("data.rows", "keyNotFound(rows) at [\"data\"]"),
            ("rows.items", "keyNotFound(rows) at []"),
            ("data.items.5", "valueNotFound(Item) at [\"data\", \"items\", \"#5\"]: The array is at end."),
            ("data.items.2", "valueNotFound(Item) at [\"data\", \"items\", \"#2\"]: The array is at end."),
            ("data.items.id", "typeMismatch(Dictionary<String, Any>) at [\"data\", \"items\"]"),
            ("data.items.-1", "valueNotFound(Item) at [\"data\", \"items\", \"#-1\"]"),
            ("data.none.id", "valueNotFound(Dictionary<String, Any>) at [\"data\", \"none\"]"),
            ("data.items.0.id.x", "typeMismatch(Dictionary<String, Any>) at [\"data\", \"items\", \"#0\", \"id\"]"),
            ("data..items", "keyNotFound() at [\"data\"]"),
            ("data.items", "typeMismatch(Dictionary<String, Any>) at [\"data\", \"items\"]"),
            ("data", "keyNotFound(id) at [\"data\"]"),
            ("data.99999999999999999999", "keyNotFound(99999999999999999999) at [\"data\"]"),
        ]
    )
    func keyPathErrors(path: String, expected: String) throws {
        let failure = try #require(ResultDecoder.json(Item.self, at: path).failure(Self.envelope))
        #expect(failure.hasPrefix(expected))
    }

    @Test("With a key strategy a step is the name that the strategy makes of the one in the document")
    func keyPathKeyStrategy() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let body = #"{"other": 1, "page_data": {"first_item": {"id": "x"}, "last_item": {"id": 4}, "none_yet": null}}"#
        #expect(try decode(body, with: .json(Item.self, at: "pageData.lastItem", using: decoder)) == Item(id: 4))
        #expect(try decode(body, with: .json(Int?.self, at: "pageData.noneYet", using: decoder)) == nil)
        let missing = ResultDecoder.json(Item.self, at: "pageData.last_item", using: decoder).failure(body)
        #expect(missing?.hasPrefix("keyNotFound(last_item) at [\"pageData\"]") == true)
    }

    @Test("Only the wanted part is decoded: what stands beside it may be of any shape")
    func onlyTheWantedPart() throws {
        struct Place: Decodable {
            static let visited = Monitor<[String]>([])

            init(from decoder: any Decoder) throws {
                let path = decoder.codingPath.map(\.stringValue).joined(separator: "/")
                Self.visited.withLock { $0.append(path) }
            }
        }
        let body = #"{"a": {"x": 1}, "b": [{"y": 2}, 7, 1e999]}"#
        #expect(try decode(body, with: .json(Int.self, at: "b.1")) == 7)
        _ = try decode(body, with: .json(Place.self, at: "b.1"))
        #expect(Place.visited.withLock { $0 } == ["b/Index 1"])
    }

    @Test("A decoder may have an envelope of its own")
    func envelopingDecoder() throws {
        final class Enveloping: JSONDecoder, @unchecked Sendable {
            struct Envelope<T: Decodable>: Decodable { let data: T }

            override func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
                try super.decode(Envelope<T>.self, from: data).data
            }
        }
        let body = #"{"data": {"id": 1, "item": {"id": 2}, "items": [{"id": 3}]}}"#
        for (path, id) in [("", 1), ("item", 2), ("items.0", 3)] {
            #expect(try decode(body, with: .json(Item.self, at: path, using: Enveloping())) == Item(id: id))
        }
    }

    @Test("A model that uses json(at:) itself can be decoded by json(at:)")
    func nested() throws {
        struct Outer: Decodable, Sendable {
            var inner: Int
            init(from decoder: any Decoder) throws {
                let text = try decoder.singleValueContainer().decode(String.self)
                inner = try ResultDecoder.json(Int.self, at: "p.q.r").decode(.success(Data(text.utf8))).get()
            }
        }
        let body = #"{"list": ["{\"p\": {\"q\": {\"r\": 1}}}", "{\"p\": {\"q\": {\"r\": 2}}}"]}"#
        #expect(try decode(body, with: .json([Outer].self, at: "list")).map(\.inner) == [1, 2])
    }
}
