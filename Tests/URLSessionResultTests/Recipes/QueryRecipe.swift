import Foundation
import Testing
import URLSessionResult

// snippet.plus
extension URL {
    /// The URL with a query in which "+" is a plus sign.
    func query(_ items: [URLQueryItem]) -> URL? {
        var components = URLComponents(
            url: self, resolvingAgainstBaseURL: true)
        components?.queryItems = items
        let query = components?.percentEncodedQuery
        components?.percentEncodedQuery = query?
            .replacingOccurrences(of: "+", with: "%2B")
        return components?.url
    }
}
// snippet.end

@Suite("Recipe: a plus sign in a query", .inTurn)
struct QueryRecipe {
    @Test("A plus sign reaches the server as a plus sign")
    func plus() async throws {
        let server = try LoopbackServer(.ok())
        let url = server.url("/search")
        // snippet.use-plus
        let search = url.query([
            URLQueryItem(name: "name", value: "Elis + Tom & co")
        ])
        // snippet.end
        _ = await URLSession(configuration: .ephemeral).dataResult(from: try #require(search))
        #expect(server.requests.map(\.target) == ["/search?name=Elis%20%2B%20Tom%20%26%20co"])
    }
}
