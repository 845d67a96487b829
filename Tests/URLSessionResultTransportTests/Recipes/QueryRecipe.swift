import Foundation
import Testing
import URLSessionResult

// snippet.plus
nonisolated extension URL {
    /// The URL with more items in its query. A "+" in them is a plus
    /// sign.
    func appendingQuery(_ items: [URLQueryItem]) -> URL? {
        guard !items.isEmpty else { return self }
        var added = URLComponents()
        added.queryItems = items
        let query = added.percentEncodedQuery?
            .replacingOccurrences(of: "+", with: "%2B")
        var components = URLComponents(
            url: self, resolvingAgainstBaseURL: true)
        let queries = [components?.percentEncodedQuery, query]
        components?.percentEncodedQuery =
            queries
            .compactMap { $0 }
            .filter { !$0.isEmpty }
            .joined(separator: "&")
        return components?.url
    }
}
// snippet.end

@Suite("Recipe: a plus sign in a query", .inTurn)
struct QueryRecipe {
    @Test("A plus sign reaches the server as a plus sign")
    func plus() async throws {
        let server = try LoopbackServer(.ok())
        let url = server.url("/search?lang=pt+BR")
        // snippet.use-plus
        let search = url.appendingQuery([
            URLQueryItem(name: "name", value: "Elis + Tom & co")
        ])
        // snippet.end
        _ = await URLSession(configuration: .ephemeral).dataResult(from: try #require(search))
        #expect(server.requests.map(\.target) == ["/search?lang=pt+BR&name=Elis%20%2B%20Tom%20%26%20co"])
    }

    @Test(
        "Items are added to what is there",
        arguments: [
            ("https://a.test/", "https://a.test/?b=1"), ("https://a.test/?", "https://a.test/?b=1"),
            ("https://a.test/?a=1#x", "https://a.test/?a=1&b=1#x"),
        ])
    func adds(_ address: String, expected: String) throws {
        let url = try #require(URL(string: address))
        #expect(url.appendingQuery([URLQueryItem(name: "b", value: "1")])?.absoluteString == expected)
        #expect(url.appendingQuery([]) == url)
    }
}
