import Foundation
import Testing
import URLSessionResultClient

@testable import TestSupport

@Suite(.inTurn)
struct APIClientPagesTests {
    private let session = URLSession(configuration: .forTests)

    private func page(_ number: Int, link: String) -> LoopbackServer.Response {
        .ok("\(number)", headers: ["Link": link])
    }

    private func client(_ server: LoopbackServer) -> APIClient {
        APIClient(baseURL: server.url(), session: session, headers: ["X-Key": "secret"])
    }

    private func numbers(_ pages: NetworkSequence<Int>) async throws -> [Int] {
        var numbers: [Int] = []
        for try await number in pages { numbers.append(number) }
        return numbers
    }

    @Test("Every page that Link names is read, in order, also by a relative address with commas")
    func pages() async throws {
        let server = try LoopbackServer([
            "/a/1": page(1, link: #"</0>; rel="prev", <2?fields=a,b>; title="b"; rel="next", </3>; rel="last""#),
            "/a/2": page(2, link: #"</a/3>; rel="next""#),
            "/a/3": page(3, link: #"</a/1>; rel="first""#),
        ])
        #expect(try await numbers(client(server).pages(for: Endpoint(.get, "a/1", query: ["b": 1]))) == [1, 2, 3])
        #expect(server.requests.map(\.target) == ["/a/1?b=1", "/a/2?fields=a,b", "/a/3"])
        #expect(server.requests.allSatisfy { $0.header("X-Key") == "secret" })
    }

    @Test("A function names the next page, by its cursor")
    func cursors() async throws {
        struct Page: Codable {
            let items: [Int]
            var cursor: String?
        }
        let server = try LoopbackServer { request, connection in
            switch request.target {
            case "/songs": try connection.respond(body: #"{"items": [1, 2], "cursor": "a+b"}"#)
            case "/songs?after=a%2Bb": try connection.respond(body: #"{"items": [3]}"#)
            default: try connection.respond(404)
            }
        }
        @Sendable func songs(after cursor: String? = nil) -> Endpoint<Page> {
            Endpoint(.get, "songs", query: ["after": cursor])
        }
        var items: [Int] = []
        let pages = client(server).pages(for: songs()) { page in page.cursor.map { songs(after: $0) } }
        for try await page in pages { items += page.items }
        #expect(items == [1, 2, 3])
    }

    @Test(
        "A page that fails is thrown after the others, and ends them",
        arguments: ["</2>", "<http://[bad>", "</1>", "</1#2>", "<file:///etc/passwd>"])
    func failingPage(_ link: String) async throws {
        let server = try LoopbackServer(["/1": page(1, link: "\(link); rel=next")])
        var pages = client(server).pages(for: Endpoint(.get, "1", as: Int.self)).makeAsyncIterator()
        #expect(try await pages.next() == 1)
        let error = await #expect(throws: NetworkError.self) { try await pages.next() }
        #expect(error?.statusCode == (link == "</2>" ? 404 : nil))
        #expect(try await pages.next() == nil)
    }

    @Test("An endpoint that makes no request is thrown")
    func noRequest() async throws {
        let server = try LoopbackServer(.ok())
        await #expect(throws: NetworkError.self) {
            try await numbers(client(server).pages(for: Endpoint(.get, "\("..")")))
        }
        #expect(server.requests.isEmpty)
    }

    @Test("Links of any relation are URLs, relative to the response")
    func links() async throws {
        let server = try LoopbackServer(["/a/1": page(1, link: #"<0>; rel="prev", <http://[bad>; rel=last"#)])
        let response = try await client(server).response(for: Endpoint(.get, "a/1", as: Int.self)).get()
        #expect(response.link("Prev") == server.url("/a/0"))
        #expect(response.link("last") == nil && response.link("next") == nil)
    }

    @Test(
        "What a link needs escaped is escaped once, and its scheme may be in capitals",
        arguments: [("/2?title=a b&cursor=x%3D", "/2?title=a%20b&cursor=x%3D"), ("HTTP:", "/2"), ("/2#x", "/2")])
    func oddLinks(_ link: String, target: String) async throws {
        let server = try LoopbackServer { request, connection in
            guard request.target == "/1" else { return try connection.respond(body: "2") }
            let url = link == "HTTP:" ? "HTTP://\(request.header("Host") ?? "")/2" : link
            try connection.respond(headers: ["Link": "<\(url)>; rel=next"], body: "1")
        }
        #expect(try await numbers(client(server).pages(for: Endpoint(.get, "1"))) == [1, 2])
        #expect(server.requests.last?.target == target)
    }

    @Test("What `configured` makes of an endpoint does not leave its origin either", arguments: ["method", "body"])
    func configured(_ change: String) async throws {
        let other = try LoopbackServer(.ok("9"))
        let server = try LoopbackServer(page(1, link: "<\(other.url())>; rel=next"))
        let endpoint = Endpoint(.get, "1", as: Int.self).configured { request in
            if change == "method" { request.httpMethod = "POST" } else { request.httpBody = Data("secret".utf8) }
        }
        await #expect(throws: NetworkError.self) { try await numbers(client(server).pages(for: endpoint)) }
        #expect(other.requests.isEmpty)
    }

    @Test("Leaving the loop asks for no more, and cancelling ends it")
    func leaving() async throws {
        let server = try LoopbackServer(["/1": page(1, link: "</2>; rel=next"), "/2": .silent])
        let pages = client(server).pages(for: Endpoint(.get, "1", as: Int.self))
        for try await _ in pages { break }
        #expect(server.requests.count == 1)
        let running = Task { try await numbers(pages) }
        try await server.requests(atLeast: 3)
        running.cancel()
        let error = await #expect(throws: NetworkError.self) { try await running.value }
        #expect(error?.isCancelled == true)
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
            ("/2; rel=next", false), ("</2>; rel", false), ("", false), (",;,", false),
        ])
    func relations(_ link: String, isNext: Bool) async throws {
        let server = try LoopbackServer(["/1": page(1, link: link), "/2": .ok("2")])
        #expect(try await numbers(client(server).pages(for: Endpoint(.get, "1"))) == (isNext ? [1, 2] : [1]))
    }

    @Test("No page is loaded twice, wherever the links lead", arguments: [true, false])
    func circle(byFunction: Bool) async throws {
        let server = try LoopbackServer([
            "/1": page(1, link: "</2>; rel=next"), "/2": page(2, link: "</3>; rel=next"),
            "/3": page(3, link: "</1>; rel=next"),
        ])
        let first = Endpoint(.get, "1", as: Int.self)
        let pages =
            byFunction
            ? client(server).pages(for: first) { page in Endpoint(.get, "\(page % 3 + 1)") }
            : client(server).pages(for: first)
        var received: [Int] = []
        let error = await #expect(throws: NetworkError.self) {
            for try await page in pages { received.append(page) }
        }
        #expect(error?.urlError?.code == .badURL)
        #expect(received == [1, 2, 3])
        #expect(server.requests.count == 3)
    }

    @Test(
        "A page is another one if its header field is, or what is sent from a file",
        arguments: ["field", "file", "form"])
    func otherRequests(_ what: String) async throws {
        let folder = TemporaryFolder()
        let count = Monitor(0)
        let server = try LoopbackServer { _, connection in
            let number = count.withLock { count in
                count += 1
                return count
            }
            try connection.respond(body: "\(number)")
        }
        @Sendable func endpoint(_ number: Int) -> Endpoint<Int> {
            let file = folder.file("\(number)", Data("\(number)".utf8))
            return switch what {
            case "field": Endpoint(.get, "a", headers: ["X-Cursor": "\(number)"])
            case "file": Endpoint(.post, "a", body: .file(file, contentType: "a/b"))
            default: Endpoint(.post, "a", body: .multipart([.file("a", file)]))
            }
        }
        let pages = client(server).pages(for: endpoint(1)) { page in page < 3 ? endpoint(page + 1) : nil }
        #expect(try await numbers(pages) == [1, 2, 3])
        guard what == "field" else { return }
        let same = client(server).pages(for: endpoint(1)) { _ in endpoint(1) }
        let error = await #expect(throws: NetworkError.self) { try await numbers(same) }
        #expect(error?.urlError?.code == .badURL)
        #expect(server.requests.count == 4)
    }

    @Test("A later page is repeated by a retry, and after a refresh")
    func middleware() async throws {
        let server = try LoopbackServer.inTurn(
            page(1, link: "</2>; rel=next"), .status(503), .status(401), .ok("2"))
        let token = TokenAuthentication("0", for: server.url()) { _ in .success("1") }
        var retry = Retry()
        retry.sleep = { _ in }
        var client = client(server)
        client.middleware = [retry, token]
        #expect(try await numbers(client.pages(for: Endpoint(.get, "1"))) == [1, 2])
        #expect(server.requests.map(\.path) == ["/1", "/2", "/2", "/2"])
        #expect(server.requests.map { $0.header("Authorization")?.last } == ["0", "0", "0", "1"])
    }

    @Test("After a link to another origin and back, the token is there again, and other secrets are not")
    func thereAndBack() async throws {
        let back = Monitor("")
        let other = try LoopbackServer { _, connection in
            try connection.respond(headers: ["Link": "<\(back.value)>; rel=next"], body: "2")
        }
        let server = try LoopbackServer(["/1": page(1, link: "<\(other.url("/2"))>; rel=next"), "/3": .ok("3")])
        back.withLock { $0 = server.url("/3").absoluteString }
        var client = client(server)
        client.middleware = [TokenAuthentication("0", for: server.url())]
        #expect(try await numbers(client.pages(for: Endpoint(.get, "1"))) == [1, 2, 3])
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer 0", "Bearer 0"])
        #expect(server.requests.map { $0.header("X-Key") } == ["secret", nil])
        #expect(other.requests.map { $0.header("Authorization") ?? $0.header("X-Key") } == [nil])
    }

    @Test("Each endpoint is read by its own decoder, codes and key path")
    func decoders() async throws {
        let server = try LoopbackServer([
            "/1": .json(#"{"a": 1}"#), "/2": .status(404, #"{"b": {"c": 2}}"#), "/3": .ok("3"),
        ])
        let pages = client(server).pages(for: Endpoint(.get, "1", as: Int.self, at: "a")) { page in
            switch page {
            case 1: Endpoint(.get, "2", at: "b.c", accepting: [404])
            case 2: Endpoint(.get, "3", decoder: .string().map { Int($0) ?? 0 })
            default: nil
            }
        }
        #expect(try await numbers(pages) == [1, 2, 3])
    }

    @Test("A page by POST may have its cursor in the body, and follows a link within the origin, and no other")
    func post() async throws {
        let other = try LoopbackServer(.ok("9"))
        let server = try LoopbackServer { request, connection in
            switch request.target {
            case "/graph": try connection.respond(body: request.text)
            case "/1": try connection.respond(headers: ["Link": "</2>; rel=next"], body: "1")
            case "/2": try connection.respond(headers: ["Link": "<\(other.url())>; rel=next"], body: "2")
            default: try connection.respond(404)
            }
        }
        @Sendable func graph(_ cursor: Int) -> Endpoint<Int> { Endpoint(.post, "graph", body: .json(cursor)) }
        let graphs = client(server).pages(for: graph(1)) { page in page < 3 ? graph(page + 1) : nil }
        #expect(try await numbers(graphs) == [1, 2, 3])
        var received: [Int] = []
        let pages = client(server).pages(for: Endpoint(.post, "1", body: .json("secret"), as: Int.self))
        let error = await #expect(throws: NetworkError.self) {
            for try await page in pages { received.append(page) }
        }
        #expect(error?.urlError?.code == .badURL)
        #expect(received == [1, 2])
        #expect(server.requests.last?.text == "\"secret\"")
        #expect(other.requests.isEmpty)
    }

    @Test("A link takes over no field that is for the page before alone", arguments: [HTTPMethod.get, .post])
    func fieldsOfPage(_ method: HTTPMethod) async throws {
        let server = try LoopbackServer(["/1": page(1, link: "</2>; rel=next"), "/2": .ok("2")])
        let own = [
            "Idempotency-Key", "If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since",
            "Range",
        ]
        var headers = Dictionary(uniqueKeysWithValues: own.map { ($0, "1") })
        headers["X-Own"] = "1"
        #expect(try await numbers(client(server).pages(for: Endpoint(method, "1", headers: headers))) == [1, 2])
        #expect(server.requests.map(\.path) == ["/1", "/2"])
        for name in own { #expect(server.requests.map { $0.header(name) } == ["1", nil]) }
        for name in ["X-Own", "X-Key"] { #expect(server.requests.allSatisfy { $0.header(name) != nil }) }
    }

    @Test("A body is encoded when the first page is asked for, and not on the main actor") @MainActor
    func encoding() async throws {
        let server = try LoopbackServer(.ok("1"))
        let threads = Monitor<[Bool]>([])
        let body = RequestBody.json(Witness(threads: threads))
        let client = client(server)
        let pages = client.pages(for: Endpoint(.post, "1", body: body, as: Int.self))
        let values = client.values(for: Endpoint(.post, "1", body: body, as: Int.self))
        let events = client.events(for: Endpoint(.post, "1", body: body, accepting: [204]))
        #expect(threads.value.isEmpty)
        #expect(Witness.isOnMainActor)
        for try await page in pages { #expect(page == 1) }
        for try await value in values { #expect(value == 1) }
        await #expect(throws: NetworkError.self) { for try await _ in events {} }
        _ = await client.result(for: Endpoint(.post, "1", body: body))
        #expect(threads.value == [false, false, false, false])
    }

    /// Writes down whether it is encoded on the main actor.
    private struct Witness: Encodable {
        let threads: Monitor<[Bool]>

        func encode(to encoder: any Encoder) throws {
            threads.withLock { $0.append(Self.isOnMainActor) }
            try 1.encode(to: encoder)
        }

        /// On Linux, the main queue may have another thread than the main one.
        static var isOnMainActor: Bool { DispatchQueue.getSpecific(key: key) != nil }

        private static let key = {
            let key = DispatchSpecificKey<Bool>()
            DispatchQueue.main.setSpecific(key: key, value: true)
            return key
        }()
    }
}
