import Foundation
import Testing
import URLSessionResultClient

@testable import TestSupport

struct EncodableQueryTests {
    private typealias Arrays = QueryItems.ArrayStyle
    private typealias Keys = QueryItems.KeyStyle

    private struct Search: Encodable, Sendable {
        struct Filter: Encodable, Sendable {
            var year = 1971
            var live: Bool? = true
        }

        var text = "Elis & Tom"
        var page: Int?
        var tags = ["a", "b,c"]
        var filter = Filter()
        var price = 0.1
        var isExact = false
        var none: [Int] = []
    }

    @Test("Its members are items by their names, arrays in order, and what is nil or empty is left out")
    func value() throws {
        #expect(
            try QueryItems(encoding: Search()).items.map(\.description) == [
                "filter[live]=true", "filter[year]=1971", "isExact=false", "price=0.1", "tags=a", "tags=b,c",
                "text=Elis & Tom",
            ])
    }

    @Test(
        "Arrays and nested members have the style that is named",
        arguments: [
            (Arrays.repeated, Keys.brackets, "f%5By%5D=1&t=a&t=b%2Cc"), (.repeated, .dots, "f.y=1&t=a&t=b%2Cc"),
            (.brackets, .brackets, "f%5By%5D=1&t%5B%5D=a&t%5B%5D=b%2Cc"),
            (.commaSeparated, .dots, "f.y=1&t=a,b%2Cc"),
        ] as [(Arrays, Keys, String)])
    func styles(arrays: QueryItems.ArrayStyle, keys: QueryItems.KeyStyle, encoded: String) throws {
        struct Value: Encodable {
            var t = ["a", "b,c"]
            var f = ["y": 1]
        }
        let query = try QueryItems(encoding: Value(), arrays: arrays, keys: keys)
        #expect(query.percentEncoded == encoded)
        if arrays == .commaSeparated { #expect(query.items.last == URLQueryItem(name: "t", value: "a,b,c")) }
    }

    private struct Lists: Encodable {
        var t = ["a", "b"]
        var f = ["t": ["a", "b"]]
    }

    @Test("A list with commas between its values and an equal value are told apart")
    func listAndEqualValue() throws {
        var query = try QueryItems(encoding: Lists(), arrays: .commaSeparated)
        query.append("t", "a,b")
        query.append("f[t]", "a,b")
        #expect(query.percentEncoded == "f%5Bt%5D=a,b&t=a,b&t=a%2Cb&f%5Bt%5D=a%2Cb")
        query.items.append(URLQueryItem(name: "t", value: "a,b"))
        #expect(query.percentEncoded.hasSuffix("&t=a%2Cb"))
        query.items.removeAll { $0.name != "t" }
        #expect(query.percentEncoded == "t=a,b&t=a%2Cb&t=a%2Cb")
        query.items = query.items.map { URLQueryItem(name: $0.name, value: "b,c") }
        #expect(query.percentEncoded == "t=b%2Cc&t=b%2Cc&t=b%2Cc")
    }

    @Test("Names within a value are told apart, too")
    func equalNames() throws {
        let dots: [String: any Encodable] = ["f.t": "a,b", "f": ["t": ["a", "b"]]]
        struct Value: Encodable {
            let members: [String: any Encodable]

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                for (name, member) in members { try container.encode(member, forKey: Key(stringValue: name)) }
            }
        }
        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        let query = try QueryItems(encoding: Value(members: dots), arrays: .commaSeparated, keys: .dots)
        #expect(query.percentEncoded == "f.t=a,b&f.t=a%2Cb")
    }

    @Test(
        "Objects in arrays repeat the names of their members",
        arguments: [
            (Arrays.repeated, Keys.brackets, ["a[b][x]=1", "a[b][x]=2", "a[c]=3", "a[c]=4"]),
            (.brackets, .dots, ["a.b[].x=1", "a.b[].x=2", "a.c[][]=3", "a.c[][]=4"]),
        ] as [(Arrays, Keys, [String])])
    func nested(arrays: QueryItems.ArrayStyle, keys: QueryItems.KeyStyle, items: [String]) throws {
        struct Value: Encodable {
            var b = [["x": 1], ["x": 2]]
            var c = [[3], [4], []]
        }
        let query = try QueryItems(encoding: ["a": Value()], arrays: arrays, keys: keys)
        #expect(query.items.map(\.description) == items)
    }

    @Test("Dates, data and names are written by the encoder, and numbers as in JSON")
    func encoder() throws {
        struct Value: Encodable {
            var createdAt = Date(timeIntervalSince1970: 0)
            var rawData = Data([0, 255])
            var large = Decimal(string: "12345678901234567890.5")
            var low = Int64.min
            var text = "\"\\\n\u{0}é🎸"
        }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes]
        let query = try QueryItems(encoding: Value(), using: encoder)
        #expect(
            query.items == [
                URLQueryItem(name: "created_at", value: "1970-01-01T00:00:00Z"),
                URLQueryItem(name: "large", value: "12345678901234567890.5"),
                URLQueryItem(name: "low", value: "-9223372036854775808"),
                URLQueryItem(name: "raw_data", value: "AP8="),
                URLQueryItem(name: "text", value: "\"\\\n\u{0}é🎸"),
            ])
    }

    @Test("What is no object, and what commas cannot separate, is an error that does not show the value")
    func errors() throws {
        struct Broken: Encodable {
            func encode(to encoder: any Encoder) throws { throw CocoaError(.fileNoSuchFile) }
        }
        func error(_ value: some Encodable) -> NetworkError? {
            #expect(throws: NetworkError.self) { _ = try QueryItems(encoding: value, arrays: .commaSeparated) }
        }
        for error in [
            error(["secret"]), error("secret"), error(7), error(String?.none), error(["a": [["secret"]]]),
            error(["a": [["b": "secret"]]]), error(["a": Double.nan]), error(Broken()),
        ] {
            guard case .encodingError? = error else { return #expect(Bool(false)) }
            #expect(error.map { "\($0) \($0.localizedDescription)".contains("secret") } == false)
        }
        #expect(error(Broken())?.underlyingError is CocoaError)
        #expect(try QueryItems(encoding: [String: Int]()).items.isEmpty)
    }

    @Test("An array in a literal repeats the name, and has no place in a path")
    func arrays() async throws {
        let tags = ["a", "b c"]
        let none: [Int]? = nil
        let empty: [Int] = []
        var query: QueryItems = [
            "tag": ["x", "y"], "n": [1, 2], "t": tags, "none": none, "empty": empty, "one": ["z"],
        ]
        query.append("id", [[3], [4, 5]])
        #expect(query.percentEncoded == "tag=x&tag=y&n=1&n=2&t=a&t=b%20c&one=z&id=3&id=4&id=5")
        let client = APIClient(baseURL: try #require(URL(string: "https://api.test")))
        let request = try client.request(
            for: Endpoint(.post, "a", query: ["tag": ["a", "b"]], body: .form(["tag": ["a", "b"]])))
        #expect(request.url?.query == "tag=a&tag=b")
        #expect(request.httpBody == Data("tag=a&tag=b".utf8))
        for path in ["tags/\(tags)", "tags/\(["a"])", "tags?tag=\(tags)"] as [EndpointPath] {
            let error = #expect(throws: NetworkError.self) { try client.request(for: Endpoint(.get, path)) }
            #expect(error?.urlError?.code == .badURL)
        }
    }

    @Test("An array in a field of a multipart form repeats the name, and an empty one is left out")
    func multipart() async throws {
        let empty: [Int] = []
        let form: MultipartForm = [
            .field("tag", value: ["a", "b"]), .field("n", value: empty), .field("c", value: [7]),
        ]
        let body = String(decoding: try await form.data(), as: UTF8.self)
        let parts = body.components(separatedBy: "Content-Disposition: form-data; ").dropFirst().map {
            $0.components(separatedBy: "\r\n--")[0]
        }
        #expect(parts == ["name=\"tag\"\r\n\r\na", "name=\"tag\"\r\n\r\nb", "name=\"c\"\r\n\r\n7"])
    }

    @Test("A form is written by the encoder of the client, and has its own content type")
    func form() async throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let client = APIClient(
            baseURL: try #require(URL(string: "https://api.test")), headers: ["Content-Type": "application/x+json"],
            encoder: encoder)
        let body = RequestBody.form(encoding: Search(), arrays: .brackets, keys: .dots)
        let request = try client.request(for: Endpoint(.post, "a", body: body))
        #expect(
            request.httpBody.map { String(decoding: $0, as: UTF8.self) }
                == "filter.live=true&filter.year=1971&is_exact=false&price=0.1&tags%5B%5D=a&tags%5B%5D=b%2Cc&text=Elis%20%26%20Tom"
        )
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded")
        let broken = Endpoint(.post, "a", body: .form(encoding: [1]))
        guard case .encodingError(EncodingError.invalidValue)? = await client.result(for: broken).error else {
            return #expect(Bool(false))
        }
    }
}
