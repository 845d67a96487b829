import Foundation
import Testing
import URLSessionResultClient
import URLSessionResultTesting

@testable import TestSupport

nonisolated struct Song: Codable, Equatable, Sendable {
    var artist = "Joni Mitchell"
    var name = "Blue"
    var year = 1971
}

/// An endpoint.
struct EndpointTests {
    private func client(_ base: String = "https://api.test/v1", headers: [String: String] = [:]) throws -> APIClient {
        APIClient(baseURL: try #require(URL(string: base)), headers: headers)
    }

    private func client(_ stub: SessionStub) throws -> APIClient {
        APIClient(baseURL: try #require(URL(string: "https://api.test")), session: stub.session)
    }

    private func address(_ path: EndpointPath, query: QueryItems = [:], base: String = "https://api.test/v1") throws
        -> String?
    {
        try client(base).request(for: Endpoint(.get, path, query: query)).url?.absoluteString
    }

    @Test(
        "A path is appended to the base URL, with one slash",
        arguments: [
            ("https://api.test", "albums", "https://api.test/albums"),
            ("https://api.test/", "/albums", "https://api.test/albums"),
            ("https://api.test/v1", "albums", "https://api.test/v1/albums"),
            ("https://api.test/v1/", "//albums/", "https://api.test/v1/albums/"),
            ("https://api.test/v1", "", "https://api.test/v1"), ("https://api.test/v1/", "/", "https://api.test/v1/"),
            ("https://api.test/v1?key=1", "albums", "https://api.test/v1/albums?key=1"),
            ("https://api.test/v1?key=1#top", "albums?a=b", "https://api.test/v1/albums?key=1&a=b"),
            ("https://api.test/v1", "https://other.test/x", "https://other.test/x"),
            ("https://u:p@api.test:8443/a%2Fb", "c", "https://u:p@api.test:8443/a%2Fb/c"),
        ])
    func base(_ base: String, path: String, url: String) throws {
        #expect(try address(EndpointPath(stringLiteral: path), base: base) == url)
    }

    @Test("An array is its values with commas")
    func array() throws {
        #expect(["b", "c"].requestValue == "b,c")
        #expect([1].requestValue == "1")
        #expect([Int]().requestValue.isEmpty)
    }

    @Test(
        "A value in a path is one segment, whatever it has",
        arguments: [
            ("AC/DC", "AC%2FDC"), ("a b", "a%20b"), ("a+b&c=d", "a%2Bb%26c%3Dd"), ("50%", "50%25"), ("%2F", "%252F"),
            ("a?b#c", "a%3Fb%23c"), ("Björk", "Bj%C3%B6rk"), ("🎸", "%F0%9F%8E%B8"), ("a;b:c@d", "a%3Bb%3Ac%40d"),
            ("~._-", "~._-"), ("..a", "..a"), ("\u{0}\r\n", "%00%0D%0A"), ("https://x.test", "https%3A%2F%2Fx.test"),
        ])
    func value(_ value: String, encoded: String) throws {
        #expect(try address("artists/\(value)/albums") == "https://api.test/v1/artists/\(encoded)/albums")
        #expect(try address("search?q=\(value)&n=\(2)") == "https://api.test/v1/search?q=\(encoded)&n=2")
    }

    @Test("A value that is a path keeps its slashes, and may not lead elsewhere")
    func pathValue() throws {
        #expect(try address("models/\(path: "meta/llama 3")/x") == "https://api.test/v1/models/meta/llama%203/x")
        #expect(throws: NetworkError.self) { try address("models/\(path: "../users")") }
        #expect(throws: NetworkError.self) { try address("models/\(path: "")") }
    }

    @Test("A path as the first value may not begin with a slash, and a later one may")
    func absolutePathValue() throws {
        for path: EndpointPath in ["\(path: "/abs")", "/\(path: "/abs")"] {
            let error = #expect(throws: NetworkError.self) { try address(path) }
            #expect(error?.urlError?.code == .badURL)
        }
        #expect(try address("keys/\(path: "/abs")") == "https://api.test/v1/keys//abs")
    }

    @Test(
        "A path at run time keeps its slashes, one at its beginning makes no difference, and each segment is escaped",
        arguments: [
            ("a/b c/d", "/a/b%20c/d"), ("/a/b", "/a/b"), ("a//b/", "/a//b/"), ("/", ""), ("a?b#c", "/a%3Fb%23c"),
            ("50%/%2F", "/50%25/%252F"), ("https://other.test/x", "/https%3A//other.test/x"),
            ("é[1]", "/%C3%A9%5B1%5D"),
            ("a/..b/.c", "/a/..b/.c"), ("", nil), ("//other.test/x", nil), ("../users", nil), ("a/./b", nil),
            ("a/..", nil),
            ("/..", nil),
        ] as [(String, String?)])
    func runtimePath(_ path: String, expected: String?) throws {
        guard let expected else {
            let error = #expect(throws: NetworkError.self) { try address(EndpointPath(path: path)) }
            #expect(error?.urlError?.code == .badURL)
            return
        }
        #expect(try address(EndpointPath(path: path)) == "https://api.test/v1" + expected)
        #expect(try address(EndpointPath(path: path), query: ["a": 1]) == "https://api.test/v1\(expected)?a=1")
    }

    @Test(
        "A value that leads to another resource is an error, also for a server that decodes slashes",
        arguments: ["", ".", "..", "../../admin", "a/../b", #"..\admin"#])
    func otherResource(_ value: String) throws {
        for path in ["artists/\(value)", "https://other.test/artists/\(value)"] as [EndpointPath] {
            let error = #expect(throws: NetworkError.self) { try address(path) }
            #expect(error?.urlError?.code == .badURL)
        }
    }

    @Test("A value may be empty in a query, and nowhere else")
    func emptyValue() throws {
        let none = ""
        #expect(try address("a?b=\(none)&c=\(path: none)") == "https://api.test/v1/a?b=&c=")
        #expect(throws: NetworkError.self) { try address("a\(none)?b=1") }
    }

    @Test("A part of a segment may not complete it to one that leads elsewhere")
    func dots() throws {
        #expect(throws: NetworkError.self) { try address("\(".")\(".")/x") }
        #expect(throws: NetworkError.self) { try address("%2e%2E/x") }
        #expect(try address("albums/\(7).json") == "https://api.test/v1/albums/7.json")
    }

    @Test("What no URL has is escaped once, also where it is written in the code, and beside other queries")
    func literal() throws {
        let number = 1
        #expect(
            try address("a?filter[name]=\(number)&b=%C3%A9&c=100%", query: ["d[]": "%5B é"])
                == "https://api.test/v1/a?filter%5Bname%5D=1&b=%C3%A9&c=100%25&d%5B%5D=%255B%20%C3%A9")
        #expect(try address("50%\(41)%zz%4") == "https://api.test/v1/50%2541%25zz%254")
        #expect(try address("álbuns do ano/<1>") == "https://api.test/v1/%C3%A1lbuns%20do%20ano/%3C1%3E")
        #expect(try address("a#b") == "https://api.test/v1/a%23b")
        #expect(try address("a%2Fb") == "https://api.test/v1/a%2Fb")
    }

    @Test("The host of a whole URL stays as it is written, and what follows is escaped once")
    func hosts() throws {
        let port = 8080
        let paths: [(EndpointPath, String)] = [
            ("http://[::1]:8080/a b?c[]=[1]", "http://[::1]:8080/a%20b?c%5B%5D=%5B1%5D"),
            ("HTTP://[::1]:\(port)/\("a/[b]")", "http://[::1]:8080/a%2F%5Bb%5D"), ("https://[::1]", "https://[::1]"),
            ("https://[::1]?c[]=[1]", "https://[::1]?c%5B%5D=%5B1%5D"),
            ("https://bücher.test/bücher?a=%2B", "https://xn--bcher-kva.test/b%C3%BCcher?a=%2B"),
            ("a/http://[b]", "https://api.test/v1/a/http://%5Bb%5D"),
        ]
        let client = try client()
        for (path, url) in paths {
            #expect(try client.request(for: Endpoint(.get, path)).url?.absoluteString == url)
        }
    }

    @Test("The items of a query are in order, strictly encoded, and without those that are nil")
    func query() throws {
        let year: Int? = nil
        let query: QueryItems = ["q": "Elis + Tom & co/é", "page": 2, "year": year, "live": true, "q": ""]
        #expect(
            try address("search", query: query)
                == "https://api.test/v1/search?q=Elis%20%2B%20Tom%20%26%20co%2F%C3%A9&page=2&live=true&q=")
        let flags = QueryItems([URLQueryItem(name: "a b", value: nil), URLQueryItem(name: "c", value: "=")])
        #expect(try address("search?x=1", query: flags) == "https://api.test/v1/search?x=1&a%20b&c=%3D")
    }

    @Test(
        "A URL is resolved against the base, as in a document (RFC 3986, section 5)",
        arguments: [
            ("b", "https://api.test/v1/b"), ("./b/../c?x=1#top", "https://api.test/v1/c?x=1"),
            ("/b", "https://api.test/b"), ("../b", "https://api.test/b"), ("?x=1", "https://api.test/v1/?x=1"),
            ("//other.test/b", "https://other.test/b"), ("HTTP://other.test/b", "http://other.test/b"),
            ("https://other.test/%5B?a=%5B", "https://other.test/%5B?a=%5B"), ("ftp://other.test/b", nil),
            ("file:///etc/passwd", nil), ("data:,x", nil), ("mailto:a@b.test", nil),
        ])
    func resolved(_ reference: String, url: String?) throws {
        let path = EndpointPath(try #require(URL(string: reference)))
        let base = "https://api.test/v1/?key=1"
        if let url {
            #expect(try address(path, base: base)?.lowercased() == url.lowercased())
            #expect(try address(path, query: ["n": 2], base: base)?.hasSuffix("n=2") == true)
        } else {
            let error = #expect(throws: NetworkError.self) { try address(path, base: base) }
            #expect(error?.urlError?.code == .badURL)
        }
    }

    @Test("A base without a slash at its end is a document, too, and a URL with a base of its own has that")
    func resolvedElsewhere() throws {
        #expect(try address(EndpointPath(try #require(URL(string: "b")))) == "https://api.test/b")
        let own = URL(string: "b", relativeTo: URL(string: "https://other.test/a/"))
        #expect(try address(EndpointPath(try #require(own))) == "https://other.test/a/b")
    }

    @Test("A type with a raw value is one if it says so")
    func values() throws {
        let id = try #require(UUID(uuidString: "6ba7b810-9dad-11d1-80b4-00c04fd430c8"))
        var query: QueryItems = ["order": Order.year, "level": Level.high, "price": Decimal(1.5), "id": id]
        query.append("ids", 1)
        query.append("ids", 2)
        query.append("none", nil)
        let items = "order=year&level=3&price=1.5&id=6BA7B810-9DAD-11D1-80B4-00C04FD430C8&ids=1&ids=2"
        #expect(try address("a/\(Order.name)", query: query) == "https://api.test/v1/a/name?\(items)")
    }

    private enum Order: String, RequestValue { case name, year }

    private enum Level: Int, RequestValue { case high = 3 }

    @Test("A base that is no URL of a server makes an error, and no crash", arguments: ["api.test/v1", "%", "a:b"])
    func oddBase(_ base: String) async throws {
        let result = await (try client(base)).result(for: Endpoint(.get, "albums"))
        #expect(result.error?.urlError != nil)
    }

    @Test("The header fields of the endpoint replace those of the client, and JSON is accepted by default")
    func headers() throws {
        let client = try client(headers: ["Accept": "application/vnd.x+json", "X-Key": "1"])
        let request = try client.request(for: Endpoint(.get, "a", headers: ["x-key": "2"], as: Song.self))
        #expect(request.value(forHTTPHeaderField: "Accept") == "application/vnd.x+json")
        #expect(request.value(forHTTPHeaderField: "X-Key") == "2")
        let plain = try self.client().request(for: Endpoint(.get, "a", as: Song.self))
        #expect(plain.allHTTPHeaderFields == ["Accept": "application/json"])
        #expect(try self.client().request(for: Endpoint(.get, "a")).allHTTPHeaderFields ?? [:] == [:])
    }

    @Test(
        "Header fields of the client don't go to another origin",
        arguments: ["https://other.test/a", "http://api.test/a"])
    func otherOrigin(_ url: String) throws {
        let client = try client(headers: ["X-Key": "1"])
        let path = EndpointPath(try #require(URL(string: url)))
        let request = try client.request(for: Endpoint(.get, path, headers: ["X-Own": "2"]))
        #expect(request.url?.absoluteString == url)
        #expect(request.allHTTPHeaderFields == ["X-Own": "2"])
    }

    @Test(
        "Header fields of the client don't go to another origin that `configured` chooses, and those of the endpoint do",
        arguments: ["https://other.test/a", "http://api.test/a", "https://api.test/b"])
    func configuredOrigin(_ text: String) throws {
        let url = try #require(URL(string: text))
        let client = try client(headers: ["X-Key": "1", "X-Both": "1", "X-Changed": "1", "User-Agent": "x"])
        let endpoint = Endpoint(.get, "a", headers: ["X-Own": "2", "x-both": "1"]).configured { request in
            request.url = url
            request.setValue("3", forHTTPHeaderField: "X-Changed")
        }
        let request = try client.request(for: endpoint)
        #expect(request.url == url)
        #expect(
            request.value(forHTTPHeaderField: "X-Key") == (url.host == "api.test" && url.scheme == "https" ? "1" : nil))
        let others = ["X-Both", "X-Changed", "X-Own", "User-Agent"].map { request.value(forHTTPHeaderField: $0) }
        #expect(others == ["1", "3", "2", "x"])
    }

    @Test(
        "A header field that would be two is an error that does not show its value",
        arguments: [
            ("X-Key", "secret\r\nX-Other: 1"), ("X-Key", "secret\n"), ("X-Key", "secret\0"), ("X-Key", "\rsecret"),
            ("X Key", "secret"),
            ("", "secret"),
        ])
    func headerInjection(_ name: String, value: String) throws {
        let error = #expect(throws: NetworkError.self) {
            try client().request(for: Endpoint(.get, "a", headers: [name: value]))
        }
        guard case .encodingError = error else { return #expect(Bool(false)) }
        #expect(error.map { "\($0) \($0.localizedDescription)".contains("secret") } == false)
    }

    @Test("A range of status codes may be as long as it likes", arguments: [(0, 404), (1, 404)])
    func statusCodes(_ first: Int, status: Int) async throws {
        let client = try client(SessionStub(.text("none", statusCode: status)))
        let endpoint = Endpoint(.get, "", decoder: .string(), accepting: first...Int.max)
        #expect(try await client.result(for: endpoint).get() == "none")
        #expect(await client.result(for: Endpoint(.get, "", accepting: [200])).error?.statusCode == status)
    }

    @Test("A method that is none is an error, and nothing is sent", arguments: ["GET /x\r\n", "", "A B"])
    func method(_ method: String) async throws {
        let stub = SessionStub(.response())
        let client = try client(stub)
        let error = await client.result(for: Endpoint(HTTPMethod(stringLiteral: method), "a")).error
        guard case .encodingError(EncodingError.invalidValue(_, let context))? = error else {
            return #expect(Bool(false))
        }
        #expect(context.debugDescription == "This is no method.")
        #expect(stub.requests.isEmpty)
    }

    @Test("Of all bytes, letters, digits and four marks of ASCII stay as they are")
    func unreserved() throws {
        let characters = (0..<128).map { String(UnicodeScalar(UInt8($0))) }
        let kept = characters.filter { QueryItems([URLQueryItem(name: $0, value: nil)]).percentEncoded == $0 }
        let unreserved = "-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~"
        #expect(kept.joined() == unreserved)
        let path = EndpointPath(stringLiteral: "/" + unreserved)
        let client = APIClient(baseURL: try #require(URL(string: "https://a.test")))
        let url = try client.request(for: Endpoint(.get, path)).url
        #expect(url?.absoluteString == "https://a.test/" + unreserved)
    }

    @Test("A byte that is escaped has two digits in upper case", arguments: [0, 9, 15, 16, 17, 31, 127] as [UInt8])
    func escapedByte(_ byte: UInt8) {
        let name = String(UnicodeScalar(byte))
        #expect(QueryItems([URLQueryItem(name: name, value: nil)]).percentEncoded == String(format: "%%%02X", byte))
    }

    @Test("An endpoint may be changed, have another value, and none for an empty body")
    func variations() async throws {
        let stub = SessionStub { $0.url?.path == "/a" ? .json("[1, 2]") : .response(statusCode: 204) }
        let client = try client(stub)
        let numbers = Endpoint(.get, "a", as: [Int].self)
        #expect(try await client.result(for: numbers.map(\.count)).get() == 2)
        let changed = numbers.configured { $0.setValue("1", forHTTPHeaderField: "X-Own") }.map(\.count).optional
            .configured { $0.timeoutInterval = 9 }
        #expect(try await client.result(for: changed).get() == 2)
        #expect(stub.requests.last?.value(forHTTPHeaderField: "X-Own") == "1")
        #expect(stub.requests.last?.value(forHTTPHeaderField: "Accept") == "application/json")
        #expect(try client.request(for: changed).timeoutInterval == 9)
        #expect(try await client.result(for: Endpoint(.get, "none", as: Int.self).optional).get() == nil)
        #expect(await client.result(for: Endpoint(.get, "none", as: Int.self)).error != nil)
        let failing = numbers.map { _ -> Int in throw CocoaError(.coderInvalidValue) }
        guard case .decodingError(let error, let response)? = await client.result(for: failing).error else {
            return #expect(Bool(false))
        }
        #expect(error is CocoaError && response?.body == Data("[1, 2]".utf8))
        let invalid = numbers.configured { $0.allHTTPHeaderFields = ["X-Own": "a\nb"] }
        guard case .encodingError? = await client.result(for: invalid).error else { return #expect(Bool(false)) }
    }

    @Test("An error that a model throws while it is encoded is one of encoding, and nothing is sent")
    func brokenModel() async throws {
        struct Broken: Encodable {
            func encode(to encoder: any Encoder) throws { throw CocoaError(.fileNoSuchFile) }
        }
        let stub = SessionStub(.response())
        let client = try client(stub)
        let endpoint = Endpoint(.post, "a", body: .json(Broken()))
        for error in [await client.result(for: endpoint).error, await client.bytesResult(for: endpoint).error] {
            guard case .encodingError(let error)? = error else { return #expect(Bool(false)) }
            #expect(error is CocoaError)
        }
        #expect(stub.requests.isEmpty)
    }

    @Test("Each part of a client can be replaced in a copy")
    func parts() throws {
        var client = try client(headers: ["X-Key": "1"])
        let other = client
        client.baseURL = try #require(URL(string: "https://other.test"))
        client.headers = [:]
        client.encoder = JSONEncoder()
        client.encoder.keyEncodingStrategy = .convertToSnakeCase
        let endpoint = Endpoint(.post, "a", body: .json(["oneTwo": Song()]))
        #expect(try client.request(for: endpoint).url?.host == "other.test")
        #expect(try client.request(for: endpoint).value(forHTTPHeaderField: "X-Key") == nil)
        #expect(try other.request(for: endpoint).value(forHTTPHeaderField: "X-Key") == "1")
        #expect(other.encoder !== client.encoder && other.decoder === client.decoder)
    }

    @Test("Bodies have their types")
    func bodies() throws {
        let client = try client()
        let json = try client.request(for: Endpoint(.post, "a", body: .json(["a": 1])))
        #expect(json.httpBody == Data(#"{"a":1}"#.utf8))
        #expect(json.value(forHTTPHeaderField: "Content-Type") == "application/json")
        let form = try client.request(for: Endpoint(.post, "a", body: .form(["a": "1 + 1", "b": nil, "c": "é&"])))
        #expect(form.httpBody == Data("a=1%20%2B%201&c=%C3%A9%26".utf8))
        #expect(form.value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded")
        let data = try client.request(
            for: Endpoint(
                .put, "a", headers: ["content-type": "image/gif"], body: .data(Data([1]), contentType: "image/png")))
        #expect(data.value(forHTTPHeaderField: "Content-Type") == "image/gif")
        let error = #expect(throws: NetworkError.self) {
            try client.request(for: Endpoint(.post, "a", body: .json([Double.nan])))
        }
        guard case .encodingError = error else { return #expect(Bool(false)) }
    }

    @Test(
        "Codes may be a range of any length",
        arguments: [
            -5_000..<600, Int.min..<Int.max, -5_000...599, Int.min...Int.max, [200], 200..<201, 0..<1_000_000,
        ] as [any StatusCodes])
    func codes(_ codes: any StatusCodes) async throws {
        let client = try client(SessionStub(.text("ok")))
        func endpoint(_ codes: some StatusCodes) -> Endpoint<String> {
            Endpoint(.get, "a", decoder: .string(), accepting: codes)
        }
        #expect(try await client.result(for: endpoint(codes)).get() == "ok")
    }

    @Test("A content type of the client is for JSON alone: a form has its own")
    func contentTypeOfClient() throws {
        var client = try client()
        client.headers = ["content-type": "application/vnd.api+json"]
        for (body, type) in [
            (.json(["a": 1]), "application/vnd.api+json"), (.form(["a": 1]), "application/x-www-form-urlencoded"),
            (.data(Data(), contentType: "image/png"), "image/png"), (.multipart(MultipartForm()), nil),
        ] as [(RequestBody, String?)] {
            let request = try client.request(for: Endpoint(.post, "a", body: body))
            let sent = request.value(forHTTPHeaderField: "Content-Type")
            #expect(sent == type || type == nil && sent?.hasPrefix("multipart/form-data; boundary=") == true)
        }
    }

    @Test("The encoder and the decoder are those of the client")
    func coders() async throws {
        struct Post: Codable, Equatable {
            let createdAt: Date
        }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        let stub = SessionStub { .response(body: $0.httpBody ?? Data()) }
        var client = try client(stub)
        client.encoder = encoder
        client.decoder = decoder
        let post = Post(createdAt: Date(timeIntervalSince1970: 0))
        let result = await client.result(for: Endpoint(.post, "", body: .json(post), as: Post.self))
        #expect(try result.get() == post)
        #expect(stub.requests.map(\.httpBody) == [Data(#"{"created_at":"1970-01-01T00:00:00Z"}"#.utf8)])
    }
}
