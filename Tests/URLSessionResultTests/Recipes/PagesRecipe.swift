import Foundation
import Testing
import URLSessionResult

struct Album: Codable, Equatable {
    let artist: String
    let name: String
    let year: Int
}

// snippet.origin
nonisolated extension URL {
    /// The scheme, the host and the port (RFC 6454).
    var origin: [String] {
        let scheme = scheme?.lowercased() ?? ""
        let port = port ?? (scheme == "https" ? 443 : 80)
        return [scheme, host?.lowercased() ?? "", String(port)]
    }
}
// snippet.end

// snippet.next-page
extension NetworkResponse {
    /// The page that `Link: <…>; rel="next"` names (RFC 8288).
    var nextPage: URL? {
        for link in (header("Link") ?? "").split(separator: "<") {
            let parts = link.split(separator: ">", maxSplits: 1)
            guard parts.count == 2, isNext(parts[1]) else { continue }
            let page = URL(
                string: String(parts[0]), relativeTo: urlResponse.url)
            return page?.absoluteURL
        }
        return nil
    }

    /// Whether one of the parameters is `rel` with the word `next`.
    private func isNext(_ parameters: Substring) -> Bool {
        parameters.lowercased().split(separator: ";").contains {
            let words = $0.split { " =\",".contains($0) }
            return words.first == "rel" && words.contains("next")
        }
    }
}
// snippet.end

// snippet.all-pages
/// The server names a page elsewhere, where the token must not go.
struct PageOfAnotherOrigin: Error {
    let page: URL
}

func allAlbums(
    from firstPage: URL, token: String, in session: URLSession
) async throws(NetworkError) -> [Album] {
    var albums: [Album] = []
    var nextPage: URL? = firstPage
    while let page = nextPage {
        guard page.origin == firstPage.origin else {
            throw .transportError(PageOfAnotherOrigin(page: page))
        }
        var request = URLRequest(url: page)
        request.setValue(
            "Bearer \(token)", forHTTPHeaderField: "Authorization")
        let response = try await session.dataResult(
            for: request, decoder: .response(.json([Album].self))
        ).get()
        albums += response.body
        nextPage = response.nextPage
    }
    return albums
}
// snippet.end

@Suite("Recipe: all pages", .inTurn)
struct PagesRecipe {
    private let session = URLSession(configuration: .ephemeral)

    private func page(_ year: Int, link: String) -> LoopbackServer.Response {
        .ok(#"[{"artist": "A", "name": "N", "year": \#(year)}]"#, headers: ["Link": link])
    }

    @Test("Every page that Link names is read, in order, also by a relative address with commas")
    func pages() async throws {
        let server = try LoopbackServer([
            "/1": page(1, link: #"</0>; rel="prev", </2?fields=a,b>; title="b"; rel="next", </3>; rel="last""#),
            "/2": page(2, link: #"</3>; rel="next""#),
            "/3": page(3, link: #"</1>; rel="first""#),
        ])
        let albums = try await allAlbums(from: server.url("/1"), token: "secret", in: session)
        #expect(albums.map(\.year) == [1, 2, 3])
        #expect(server.requests.map(\.target) == ["/1", "/2?fields=a,b", "/3"])
    }

    @Test("A page that fails is the error")
    func failingPage() async throws {
        let server = try LoopbackServer(["/1": page(1, link: #"</2>; rel="next""#)])
        let error = await #expect(throws: NetworkError.self) {
            try await allAlbums(from: server.url("/1"), token: "secret", in: session)
        }
        #expect(error?.statusCode == 404)
    }

    @Test(
        "The token goes to no other origin: the albums of a page elsewhere are an error",
        arguments: ["http://other.test/2", "https://127.0.0.1/2", "//127.0.0.1:1/2"])
    func otherOrigin(_ page: String) async throws {
        let server = try LoopbackServer(["/1": self.page(1, link: "<\(page)>; rel=next")])
        let error = await #expect(throws: NetworkError.self) {
            try await allAlbums(from: server.url("/1"), token: "secret", in: session)
        }
        #expect(error?.underlyingError is PageOfAnotherOrigin)
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer secret"])
    }

    @Test(
        "The relation of a link may be one of several, without quotes and in capitals",
        arguments: [
            ("</2>; rel=next", true), (#"</2>; rel="next last""#, true), (#"</2>; REL="Next""#, true),
            (#"</2>; title="rel=next""#, false), (#"</2>; rel="nextcloud""#, false), (#"</2>; rev="next""#, false),
        ])
    func relations(_ link: String, isNext: Bool) throws {
        let url = try #require(URL(string: "https://albums.test/1"))
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: ["Link": link]))
        let next = NetworkResponse(body: (), urlResponse: response).nextPage
        #expect(next?.absoluteString == (isNext ? "https://albums.test/2" : nil))
    }

    @Test(
        "An origin has a port, whether the URL names it or not",
        arguments: [
            ("https://a.test", "https://A.test:443/x", true), ("http://a.test:80", "HTTP://a.test", true),
            ("http://a.test", "https://a.test", false), ("https://a.test", "https://a.test:8443", false),
            ("https://a.test", "https://b.test", false),
        ])
    func origin(_ one: String, _ other: String, isSame: Bool) throws {
        let origins = try [one, other].map { try #require(URL(string: $0)).origin }
        #expect((origins[0] == origins[1]) == isSame)
    }
}
