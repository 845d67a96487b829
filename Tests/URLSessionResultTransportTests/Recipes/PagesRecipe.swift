import Foundation
import Testing
import URLSessionResult

nonisolated struct Album: Codable, Equatable {
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
nonisolated extension NetworkResponse {
    /// The address in `Link: <…>; rel="next"` (RFC 8288).
    var nextPage: String? {
        for link in (header("Link") ?? "").parts(separatedBy: ",") {
            let parts = link.parts(separatedBy: ";")
            guard let target = parts.first,
                target.hasPrefix("<"), target.hasSuffix(">"),
                isNext(parts.dropFirst())
            else { continue }
            return String(target.dropFirst().dropLast())
        }
        return nil
    }

    /// Whether the first `rel` has the word `next`.
    private func isNext(_ parameters: ArraySlice<String>) -> Bool {
        let relation = parameters.first { parameter in
            parameter.lowercased().split { "= ".contains($0) }
                .first == "rel"
        }
        let value = (relation ?? "").lowercased()
            .split(separator: "=", maxSplits: 1).dropFirst().first
        return (value ?? "").split { " \t\"".contains($0) }
            .contains("next")
    }
}

nonisolated extension String {
    /// The parts between separators that are not in `"…"` or `<…>`.
    fileprivate func parts(
        separatedBy separator: Character
    ) -> [String] {
        var parts = [""]
        var end: Character?
        var isEscaped = false
        for character in self {
            if isEscaped {
                isEscaped = false
            } else if character == "\\", end == "\"" {
                isEscaped = true
            } else if character == end {
                end = nil
            } else if end == nil, character == "\"" {
                end = "\""
            } else if end == nil, character == "<" {
                end = ">"
            } else if end == nil, character == separator {
                parts.append("")
                continue
            }
            parts[parts.count - 1].append(character)
        }
        return parts.map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
// snippet.end

// snippet.all-pages
/// Why pages are not read: the server names one elsewhere, where the
/// token must not go, or one that was read before.
nonisolated enum PageError: Error {
    case otherOrigin(URL)
    case repeated(URL)
}

func allAlbums(
    from firstPage: URL, token: String, in session: URLSession
) async throws(NetworkError) -> [Album] {
    var albums: [Album] = []
    var pages: Set<URL> = []
    var page = firstPage
    while true {
        guard page.origin == firstPage.origin else {
            throw .transportError(PageError.otherOrigin(page))
        }
        guard pages.insert(page).inserted else {
            throw .transportError(PageError.repeated(page))
        }
        var request = URLRequest(url: page)
        request.setValue(
            "Bearer \(token)", forHTTPHeaderField: "Authorization")
        let response = try await session.dataResult(
            for: request, decoder: .response(.json([Album].self))
        ).get()
        // A redirect may have led elsewhere.
        let base = response.urlResponse.url ?? page
        guard base.origin == firstPage.origin else {
            throw .transportError(PageError.otherOrigin(base))
        }
        albums += response.body
        guard let address = response.nextPage else { return albums }
        guard let next = URL(string: address, relativeTo: base) else {
            throw .transportError(URLError(.badURL))
        }
        page = next.absoluteURL
    }
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
        guard case .otherOrigin = error?.underlyingError as? PageError else {
            Issue.record("It is another error: \(String(describing: error))")
            return
        }
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer secret"])
    }

    @Test(
        "The relation of a link may be one of several, without quotes and in capitals",
        arguments: [
            ("</2>; rel=next", true), (#"</2>; rel="next last""#, true), (#"</2>; REL="Next""#, true),
            (#"</2>; title="a<b, c; d\" e"; rel = "next""#, true), ("</2>;\trel=next", true),
            ("</1>, </2>; rel=next", true), ("</2>; rel=\"prev\tnext\"", true),
            (#"</2>; rel="https://x.test/?rel=next""#, false),
            (#"</2>; title="rel=next""#, false), (#"</2>; rel="nextcloud""#, false), (#"</2>; rev="next""#, false),
            (#"</2>; title="x; rel=next"; rel="prev""#, false), (#"</2>; rel="prev"; rel="next""#, false),
            ("/2; rel=next", false),
        ])
    func relations(_ link: String, isNext: Bool) throws {
        let url = try #require(URL(string: "https://albums.test/1"))
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: ["Link": link]))
        let next = NetworkResponse(body: (), urlResponse: response).nextPage
        #expect(next == (isNext ? "/2" : nil))
    }

    @Test("A page that a redirect leads elsewhere is an error, too")
    func redirectedElsewhere() async throws {
        let other = try LoopbackServer(page(2, link: "</1>; rel=prev"))
        let server = try LoopbackServer(.redirect(to: other.url("/2").absoluteString))
        let error = await #expect(throws: NetworkError.self) {
            try await allAlbums(from: server.url("/1"), token: "secret", in: session)
        }
        guard case .otherOrigin = error?.underlyingError as? PageError else {
            Issue.record("It is another error: \(String(describing: error))")
            return
        }
    }

    @Test("Pages that name each other are read once, and then an error", arguments: ["/1", "/2"])
    func loop(_ last: String) async throws {
        let server = try LoopbackServer([
            "/1": page(1, link: "</2>; rel=next"), "/2": page(2, link: "<\(last)>; rel=next"),
        ])
        let error = await #expect(throws: NetworkError.self) {
            try await allAlbums(from: server.url("/1"), token: "secret", in: session)
        }
        guard case .repeated = error?.underlyingError as? PageError else {
            Issue.record("It is another error: \(String(describing: error))")
            return
        }
        #expect(server.requests.count == 2)
    }

    @Test("A next page that is no URL is an error, and not the end")
    func noURL() async throws {
        let server = try LoopbackServer(["/1": page(1, link: "<http://[bad>; rel=next")])
        let error = await #expect(throws: NetworkError.self) {
            try await allAlbums(from: server.url("/1"), token: "secret", in: session)
        }
        #expect(error?.urlError?.code == .badURL)
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
