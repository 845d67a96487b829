#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// Cookies go where RFC 6265 says, and for as long as it says.
@Suite(.inTurn)
struct SentCookiesTests {
    /// A `Set-Cookie` field with the cookie `a=b`, and whether a request to a path has the cookie then.
    struct Row: CustomTestStringConvertible {
        let attributes: String
        let path: String
        let isSent: Bool
        var field = "Set-Cookie"

        var testDescription: String { "\(field): a=b\(attributes), then \(path)" }

        static let past = "Thu, 01 Jan 1970 00:00:00 GMT"
        static let future = "Thu, 01 Jan 2099 00:00:00 GMT"

        /// `URLSession` stores the cookies of `Set-Cookie` itself, those of `set-cookie` not.
        static let all = ["Set-Cookie", "set-cookie"].flatMap { field in
            rows.map { row in
                var row = row
                row.field = field
                return row
            }
        }

        private static let rows = [
            Row(attributes: "", path: "/", isSent: true),
            Row(attributes: "; Secure", path: "/", isSent: false),
            Row(attributes: "; secure; Path=/", path: "/", isSent: false),
            Row(attributes: "; Secure=true", path: "/", isSent: false),
            Row(attributes: "; Secure=", path: "/", isSent: false),
            Row(attributes: ";SECURE =false;Path=/", path: "/", isSent: false),
            Row(attributes: "; Path=/; Max-Age=100; Secure=1,2", path: "/", isSent: false),
            Row(attributes: "; Secure=1; Max-Age=100", path: "/", isSent: false),
            Row(attributes: "; NotSecure=1", path: "/", isSent: true),
            Row(attributes: "; Path=/a", path: "/a", isSent: true),
            Row(attributes: "; Path=/a", path: "/a/b", isSent: true),
            Row(attributes: "; Path=/a/", path: "/a/b", isSent: true),
            Row(attributes: "; Path=/a/", path: "/a", isSent: false),
            Row(attributes: "; Path=/a", path: "/ab", isSent: false),
            Row(attributes: "; Path=/a", path: "/", isSent: false),
            Row(attributes: "; Path=/a", path: "/A", isSent: false),
            Row(attributes: "; Path=/a%20b", path: "/a%20b", isSent: true),
            Row(attributes: "; Expires=\(future)", path: "/", isSent: true),
            Row(attributes: "; Expires=\(past)", path: "/", isSent: false),
            Row(attributes: "; Max-Age=100", path: "/", isSent: true),
            Row(attributes: "; Max-Age=0", path: "/", isSent: false),
            Row(attributes: "; max-age=-1", path: "/", isSent: false),
            Row(attributes: "; Max-Age=100; Expires=\(past)", path: "/", isSent: true),
            Row(attributes: "; Expires=\(future); Max-Age=0", path: "/", isSent: false),
            Row(attributes: "; Max-Age=100; Secure", path: "/", isSent: false),
            Row(attributes: "; Domain=127.0.0.1", path: "/", isSent: true),
            Row(attributes: "; Domain=example.com", path: "/", isSent: false),
            Row(attributes: "; Domain=", path: "/", isSent: true),
            Row(attributes: "; Domain=.127.0.0.1", path: "/", isSent: true),
            Row(attributes: "; Domain=0.0.1", path: "/", isSent: false),
            Row(attributes: "; Domain=.1", path: "/", isSent: false),
            Row(attributes: "; Path=/b; Path", path: "/", isSent: true),
            Row(attributes: "; Expires=Friday, 1-Jan-99 0:0:00", path: "/", isSent: false),
            Row(attributes: "; Expires=\(past); Expires=never", path: "/", isSent: false),
            Row(attributes: "; Expires=never", path: "/", isSent: true),
            Row(attributes: "; Max-Age=1e9; Expires=\(past)", path: "/", isSent: false),
            Row(attributes: "; Max-Age=99999999999999999999", path: "/", isSent: true),
            Row(attributes: "; HttpOnly", path: "/", isSent: true),
            Row(attributes: "; SameSite=Strict", path: "/", isSent: true),
        ]
    }

    @Test("A cookie is sent as its attributes say", arguments: Row.all, APIForm.some)
    func attributes(_ row: Row, _ form: APIForm) async throws {
        let server = try LoopbackServer { request, connection in
            let field = request.target == "/set" ? row.field : "X-Other"
            try connection.respond(headers: ["\(field)": "a=b\(row.attributes)"])
        }
        let configuration = URLSessionConfiguration.forTests
        for path in ["/set", row.path] {
            _ = try await form(server.url(path), in: URLSession(configuration: configuration)).get()
        }
        #expect(server.requests.map { $0.header("Cookie") } == [nil, row.isSent ? "a=b" : nil])
    }

    @Test("The cookies of several fields are all stored", arguments: ["Set-Cookie", "set-cookie"])
    func severalFields(field: String) async throws {
        let headers: KeyValuePairs = [
            field: "a=1; Expires=\(Row.future)", field: "b=2; Max-Age=9; Path=/", field: "c=3",
        ]
        let server = try LoopbackServer { try $1.respond(headers: headers) }
        let configuration = URLSessionConfiguration.forTests
        _ = try await APIForm.all[0](server.url(), in: URLSession(configuration: configuration)).get()
        let cookies = configuration.httpCookieStorage?.cookies ?? []
        #expect(Set(cookies.map { "\($0.name)=\($0.value)" }) == ["a=1", "b=2", "c=3"])
    }

    @Test("A Secure with a value makes one cookie of several secure", arguments: ["Set-Cookie", "set-cookie"])
    func severalSecureFields(field: String) async throws {
        let headers: KeyValuePairs = [
            field: "secure=1; Path=/", field: "b=2; Secure=yes", field: "c=3; Secure=; Expires=\(Row.future)",
            field: "d=4; HttpOnly",
        ]
        let server = try LoopbackServer { try $1.respond(headers: headers) }
        let configuration = URLSessionConfiguration.forTests
        for _ in 0..<2 {
            _ = try await APIForm.all[0](server.url(), in: URLSession(configuration: configuration)).get()
        }
        let cookies = configuration.httpCookieStorage?.cookies ?? []
        #expect(Set(cookies.filter(\.isSecure).map(\.name)) == ["b", "c"])
        let sent = server.requests.last?.header("Cookie")?.components(separatedBy: "; ") ?? []
        #expect(Set(sent) == ["secure=1", "d=4"])
    }

    @Test("Of a response with 100 cookies, the last 50 are stored", arguments: APIForm.some, [1, 16, 100])
    func bomb(_ form: APIForm, count: Int) async throws {
        let server = try LoopbackServer { request, connection in
            let cookies = (0..<100).map { "c\($0)=\(request.target.dropFirst())" }
            try connection.respond(headers: ["Set-Cookie": cookies.joined(separator: "\r\nSet-Cookie: ")])
        }
        let configuration = URLSessionConfiguration.forTests
        let session = URLSession(configuration: configuration)
        await withTaskGroup { group in
            for number in 0..<count {
                let request = URLRequest(url: server.url("/\(number)"), method: form.uploads ? .post : .get)
                group.addTask { await form.run(session, request).error }
            }
            for await error in group { #expect(error == nil) }
        }
        let cookies = configuration.httpCookieStorage?.cookies ?? []
        #expect(Set(cookies.map(\.name)) == Set((50..<100).map { "c\($0)" }))
        session.finishTasksAndInvalidate()
    }

    @Test(
        "The cookies of a stream are for requests that are sent while it arrives",
        arguments: ["Set-Cookie", "set-cookie"])
    func cookiesOfStream(field: String) async throws {
        let streaming = LoopbackServer.Response { _, connection in
            try connection.sendHead(200, headers: [field: "a=1; Secure=true", field: "b=2"], contentLength: 9)
            connection.waitForClientToClose()
        }
        let server = try LoopbackServer(["/": streaming, "/other": .ok()])
        let session = URLSession(configuration: .forTests)
        let stream = try await session.bytesResult(from: server.url()).get()
        _ = try await session.dataResult(from: server.url("/other")).get()
        #expect(server.requests.last?.header("Cookie") == "b=2")
        withExtendedLifetime(stream) {}
        session.invalidateAndCancel()
    }

    @Test(
        "Cookies with longer paths come first, then those that were set first, also if they were set again",
        arguments: APIForm.some, ["Set-Cookie", "set-cookie"])
    func order(_ form: APIForm, field: String) async throws {
        let server = try LoopbackServer { request, connection in
            let headers: KeyValuePairs =
                switch request.target {
                case "/1":
                    [field: "e=1; Path=/", field: "a=1; Path=/p", field: "d=1", field: "b=1; Path=/p; Max-Age=9"]
                case "/2": [field: "c=2; Path=/p", field: "b=2; Path=/p", field: "e=2; Path=/; HttpOnly"]
                default: [:]
                }
            try connection.respond(headers: headers)
        }
        let configuration = URLSessionConfiguration.forTests
        for path in ["/1", "/2", "/p"] {
            _ = try await form(server.url(path), in: URLSession(configuration: configuration)).get()
        }
        #expect(server.requests.last?.header("Cookie") == "a=1; b=2; c=2; e=2; d=1")
    }

    @Test(
        "The cookies of sixteen responses that come at once are all stored as they are",
        arguments: APIForm.some, ["Set-Cookie", "set-cookie"])
    func crowd(_ form: APIForm, field: String) async throws {
        let names = (0..<16).map { "\($0)" }
        let server = try LoopbackServer { request, connection in
            let name = request.header("X-Name") ?? ""
            try connection.respond(headers: [field: "k\(name)=\(name); Secure=1", field: "m\(name)=\(name)"])
        }
        let configuration = URLSessionConfiguration.forTests
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        try await withThrowingTaskGroup { group in
            for name in names {
                var request = URLRequest(url: server.url())
                request.httpMethod = form.uploads ? "POST" : "GET"
                request.setValue(name, forHTTPHeaderField: "X-Name")
                group.addTask { [request] in _ = try await form.run(session, request, 200..<300).get() }
            }
            try await group.waitForAll()
        }
        let cookies = configuration.httpCookieStorage?.cookies ?? []
        #expect(Set(cookies.filter(\.isSecure).map(\.name)) == Set(names.map { "k\($0)" }))
        #expect(Set(cookies.filter { !$0.isSecure }.map(\.name)) == Set(names.map { "m\($0)" }))
    }

    @Test("No Secure cookie goes over http, while sixteen requests at once set some", arguments: APIForm.some)
    func secureCrowd(_ form: APIForm) async throws {
        let server = try LoopbackServer { request, connection in
            let name = request.target.dropFirst()
            try connection.respond(headers: [
                "Set-Cookie": "a\(name)=1; Path=/; Secure=true", "Set-Cookie": "b=1; Path=/",
            ])
        }
        let session = URLSession(configuration: .forTests)
        defer { session.finishTasksAndInvalidate() }
        await withTaskGroup { group in
            for worker in 0..<16 {
                group.addTask {
                    for round in 0..<8 {
                        var request = URLRequest(url: server.url("/\(worker)-\(round)"))
                        request.httpMethod = form.uploads ? "POST" : "GET"
                        _ = await form.run(session, request, 200..<300)
                    }
                }
            }
        }
        let sent = Set(server.requests.map { $0.header("Cookie") })
        #expect(sent == [nil, "b=1"])
    }

    @Test(
        "While a response arrives, other requests have its cookies",
        arguments: APIForm.some)
    func incompleteResponse(_ form: APIForm) async throws {
        let gate = Gate()
        let server = try LoopbackServer { request, connection in
            guard request.target == "/slow" else { return try connection.respond() }
            let headers: KeyValuePairs = [
                "Set-Cookie": "a=1; Path=/; Secure=true", "Set-Cookie": "b=new; Path=/", "Set-Cookie": "c=3; Path=/",
            ]
            try connection.sendHead(200, headers: headers, contentLength: 1)
            gate.wait()
            try connection.send("x")
        }
        let configuration = URLSessionConfiguration.forTests
        let storage = try #require(configuration.httpCookieStorage)
        storage.setCookie(try .stored(name: "b", value: "old"))
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        let slowURL = server.url("/slow")
        async let slow: DataResult = session.dataResult(from: slowURL)
        while storage.cookies?.count != 3 { try await letOthersRun() }
        _ = try await form(server.url(), in: URLSession(configuration: configuration)).get()
        #expect(server.requests.last?.header("Cookie") == "b=new; c=3")
        gate.open()
        _ = try await slow.get()
        _ = try await form(server.url(), in: URLSession(configuration: configuration)).get()
        #expect(server.requests.last?.header("Cookie") == "b=new; c=3")
    }

    @Test("A response that is cut off after its head has set its cookies", arguments: APIForm.some)
    func cutOff(_ form: APIForm) async throws {
        let server = try LoopbackServer { request, connection in
            guard request.target == "/cut" else { return try connection.respond() }
            let headers: KeyValuePairs = ["Set-Cookie": "a=1; Path=/; Secure=true", "Set-Cookie": "b=new; Path=/"]
            try connection.sendHead(200, headers: headers, contentLength: 9)
            try connection.send("x")
            connection.close()
        }
        let configuration = URLSessionConfiguration.forTests
        configuration.httpCookieStorage?.setCookie(try .stored(name: "b", value: "old"))
        #expect(await form(server.url("/cut"), in: URLSession(configuration: configuration)).error != nil)
        let cookies = configuration.httpCookieStorage?.cookies ?? []
        #expect(cookies.contains { $0.name == "a" && $0.isSecure })
        _ = try await form(server.url(), in: URLSession(configuration: configuration)).get()
        #expect(server.requests.last?.header("Cookie") == "b=new")
    }

    @Test(
        "A cookie that breaks the promise of its name is not stored, and leaves the one that keeps it",
        arguments: APIForm.some, ["Set-Cookie", "set-cookie"])
    func prefix(_ form: APIForm, field: String) async throws {
        let server = try LoopbackServer(
            .ok(headers: [field: "__Secure-a=new; Path=/; Secure", field: "__Host-b=new; Path=/; Domain=127.0.0.1"]))
        let configuration = URLSessionConfiguration.forTests
        configuration.httpCookieStorage?.setCookie(try .stored(name: "__Secure-a", value: "old", isSecure: true))
        _ = try await form(server.url(), in: URLSession(configuration: configuration)).get()
        #expect(configuration.httpCookieStorage?.cookies?.map(\.value) == ["old"])
    }

    @Test(
        "A cookie for a domain that hosts don't share is not sent, whoever stored it", arguments: APIForm.some,
        [("127.0.0.1", ".0.0.1"), ("127.0.0.1", ".1"), ("a.localhost", ".localhost"), ("localhost", ".localhost")])
    func unsharedDomain(_ form: APIForm, _ row: (host: String, domain: String)) async throws {
        let server = try LoopbackServer(.ok())
        let configuration = URLSessionConfiguration.forTests
        configuration.httpCookieStorage?.setCookie(try .stored(domain: row.domain))
        let url = try #require(URL(string: "http://\(row.host):\(server.port)/"))
        _ = try await form(url, in: URLSession(configuration: configuration)).get()
        #expect(server.requests.map { $0.header("Cookie") } == [nil])
    }

    @Test("A field makes no cookie whose name none can have", arguments: ["Set-Cookie", "set-cookie"])
    func neighbours(field: String) async throws {
        let headers: KeyValuePairs = [
            field: "six", field: "v w=x", field: "a=b; Expires=\(Row.future)", field: "=", field: "=x; Path=/",
            field: "user[1]=c",
            field: "d=\"e, f=g\"; b,az=qux", field: "h=i,j=k", field: "l=m; Comment=n, o p=q",
            field: "r=\"s; Path=/", field: "t=\"u\"",
        ]
        let server = try LoopbackServer { try $1.respond(headers: headers) }
        let configuration = URLSessionConfiguration.forTests
        for _ in 0..<2 {
            _ = try await APIForm.all[0](server.url(), in: URLSession(configuration: configuration)).get()
        }
        #expect(
            server.requests.last?.header("Cookie")
                == "v w=x; a=b; user[1]=c; d=\"e, f=g\"; h=i,j=k; l=m; r=\"s; t=\"u\"")
    }

    @Test("A value goes to its end, and a neighbour with an empty name is not in it")
    func emptyNeighbour() async throws {
        let server = try LoopbackServer(
            .ok(headers: ["Set-Cookie": "a=Doe, John", "Set-Cookie": "b=1", "Set-Cookie": "="]))
        let configuration = URLSessionConfiguration.forTests
        for _ in 0..<2 {
            _ = try await APIForm.all[0](server.url(), in: URLSession(configuration: configuration)).get()
        }
        #expect(server.requests.last?.header("Cookie") == "a=Doe, John; b=1")
    }

    @Test("The cookies of the final head are stored, after an early one", arguments: APIForm.some)
    func earlyHead(_ form: APIForm) async throws {
        let head = "HTTP/1.1 103 Early Hints\r\nSet-Cookie: a=early\r\n\r\nHTTP/1.1 200 OK\r\nset-cookie: b=final\r\n"
        let server = try LoopbackServer(.raw(head + "Content-Length: 3\r\n\r\nabc"))
        let configuration = URLSessionConfiguration.forTests
        _ = try await form(server.url(), in: URLSession(configuration: configuration)).get()
        #expect(configuration.httpCookieStorage?.cookies?.map(\.value).contains("final") == true)
    }

    @Test("A cookie that is removed while its response arrives stays away", arguments: ["Set-Cookie", "set-cookie"])
    func removed(field: String) async throws {
        let gate = Gate()
        let server = try LoopbackServer { _, connection in
            try connection.sendHead(200, headers: [field: "a=b; Max-Age=9"], contentLength: 1)
            gate.wait()
            try connection.send("x")
        }
        let session = URLSession(configuration: .forTests)
        defer { session.finishTasksAndInvalidate() }
        let stream = try await session.bytesResult(from: server.url()).get()
        let storage = try #require(session.configuration.httpCookieStorage)
        for cookie in storage.cookies ?? [] { storage.deleteCookie(cookie) }
        gate.open()
        #expect(try await stream.body.collect(upTo: 9) == Data("x".utf8))
        #expect(storage.cookies == [])
    }

    @Test(
        "A redirect that leads nowhere sets its cookies, once", arguments: APIForm.some,
        [301, 302, 303, 305, 306, 307, 308])
    func redirectToNowhere(_ form: APIForm, status: Int) async throws {
        let server = try LoopbackServer([
            "/": .status(status, headers: ["Set-Cookie": "a=b"]),
            "/empty": .status(status, headers: ["Location": "", "Set-Cookie": "c=d"]),
        ])
        let configuration = URLSessionConfiguration.forTests
        for path in ["/", "/empty"] {
            let error = await form(server.url(path), in: URLSession(configuration: configuration)).error
            #expect(error?.statusCode == status)
        }
        #expect(Set(configuration.httpCookieStorage?.cookies?.map(\.name) ?? []) == ["a", "c"])
    }

    @Test("A redirect that the delegate changes has the cookies that are for where it goes", arguments: APIForm.some)
    func changedRedirect(_ form: APIForm) async throws {
        let server = try LoopbackServer([
            "/": .redirect(to: "/there"), "/elsewhere": .ok(),
        ])
        let configuration = URLSessionConfiguration.forTests
        for path in ["/there", "/elsewhere"] {
            configuration.httpCookieStorage?.setCookie(try .stored(name: String(path.dropFirst()), path: path))
        }
        let elsewhere = server.url("/elsewhere")
        let delegate = SessionDelegate { request in
            var request = request
            request.url = elsewhere
            return request
        }
        _ = try await form(server.url(), in: delegate.session(with: configuration)).get()
        #expect(server.requests.map { $0.header("Cookie") } == [nil, "elsewhere=b"])
    }

    @Test("A Secure cookie of a redirect does not go to its target over http", arguments: ["Secure", "Secure=true"])
    func secureCookieOfRedirect(attribute: String) async throws {
        let server = try LoopbackServer([
            "/": .status(302, headers: ["Location": "/there", "Set-Cookie": "a=b; \(attribute)"]), "/there": .ok(),
        ])
        for form in APIForm.some { _ = try await form(server.url()).get() }
        #expect(server.requests.allSatisfy { $0.header("Cookie") == nil })
    }

    @Test("Max-Age becomes the date on which the cookie expires, and leaves the rest as it was")
    func maximumAge() async throws {
        let server = try LoopbackServer(
            .ok(headers: ["Set-Cookie": "a=b; Max-Age=1000; Secure; HttpOnly; Path=/p; Expires=\(Row.past)"]))
        let configuration = URLSessionConfiguration.forTests
        let start = Date()
        _ = try await APIForm.all[0](server.url(), in: URLSession(configuration: configuration)).get()
        let cookie = try #require(configuration.httpCookieStorage?.cookies?.first)
        let expiry = try #require(cookie.expiresDate)
        #expect((start + 1000...Date() + 1000).contains(expiry))
        #expect(cookie.isSecure && cookie.isHTTPOnly)
        #expect(cookie.path == "/p")
    }

    @Test("A cookie that has expired in the storage is not sent")
    func expired() async throws {
        let server = try LoopbackServer(.ok())
        let configuration = URLSessionConfiguration.forTests
        let properties: [HTTPCookiePropertyKey: Any] = [
            .domain: "127.0.0.1", .path: "/", .name: "a", .value: "b",
        ]
        let cookie = try #require(ExpiringCookie(properties: properties))
        configuration.httpCookieStorage?.setCookie(cookie)
        cookie.isExpired.withLock { $0 = true }
        #expect(configuration.httpCookieStorage?.cookies?.count == 1)
        _ = try await APIForm.all[0](server.url(), in: URLSession(configuration: configuration)).get()
        #expect(server.requests.map { $0.header("Cookie") } == [nil])
    }

    @Test("A redirect sets a cookie for the request that follows, and takes none along that is for another path")
    func redirect() async throws {
        let server = try LoopbackServer([
            "/set": .ok(headers: ["Set-Cookie": "old=1; Path=/from"]),
            "/from": .status(302, headers: ["Location": "/to", "set-cookie": "new=2; Path=/to"]), "/to": .ok(),
        ])
        let configuration = URLSessionConfiguration.forTests
        for path in ["/set", "/from"] {
            _ = try await APIForm.all[0](server.url(path), in: URLSession(configuration: configuration)).get()
        }
        #expect(server.requests.map { $0.header("Cookie") } == [nil, "old=1", "new=2"])
    }

    @Test("A challenge sets a cookie, which goes with the credential", arguments: APIForm.some)
    func challenge(_ form: APIForm) async throws {
        let server = try LoopbackServer { request, connection in
            let status = request.header("Authorization") == nil ? 401 : 200
            let headers: KeyValuePairs = ["WWW-Authenticate": #"Basic realm="x""#, "Set-Cookie": "a=b"]
            try connection.respond(status, headers: headers)
        }
        let credential = URLCredential(user: "user", password: "pass", persistence: .none)
        let delegate = SessionDelegate(challenge: (.useCredential, credential))
        _ = try await form(server.url(), in: delegate.session()).get()
        #expect(server.requests.map { $0.header("Cookie") } == [nil, "a=b"])
    }

    @Test("The caller's own Cookie field stays, unless a stored cookie is for the URL", arguments: APIForm.some)
    func callersField(_ form: APIForm) async throws {
        let server = try LoopbackServer([
            "/set": .ok(headers: ["Set-Cookie": "stored=1; Path=/stored"]), "/own": .redirect(to: "/again"),
            "/again": .ok(), "/stored": .redirect(to: "/after"), "/after": .ok(),
        ])
        let configuration = URLSessionConfiguration.forTests
        for path in ["/set", "/own", "/stored"] {
            let session = URLSession(configuration: configuration)
            _ = try await form(server.url(path), headers: ["Cookie": "own=2"], in: session).get()
        }
        #expect(server.requests.map { $0.header("Cookie") } == ["own=2", "own=2", "own=2", "stored=1", "own=2"])
    }

    @Test("A request or a session that is not to handle cookies sends none", arguments: [true, false])
    func unhandled(byRequest: Bool) async throws {
        let server = try LoopbackServer(.ok())
        let configuration = URLSessionConfiguration.forTests
        configuration.httpShouldSetCookies = byRequest
        configuration.httpCookieStorage?.setCookie(try .stored())
        var request = URLRequest(url: server.url())
        request.httpShouldHandleCookies = !byRequest
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        _ = try await session.dataResult(for: request).get()
        #expect(server.requests.map { $0.header("Cookie") } == [nil])
    }

    @Test(
        "A request that is not to handle cookies stores none, and leaves those that are there", arguments: APIForm.some,
        ["Set-Cookie", "set-cookie"])
    func unhandledResponse(_ form: APIForm, field: String) async throws {
        let server = try LoopbackServer(.ok(headers: [field: "a=new; Path=/", field: "b=new"]))
        let configuration = URLSessionConfiguration.forTests
        configuration.httpCookieStorage?.setCookie(try .stored(value: "old"))
        var request = URLRequest(url: server.url())
        request.httpShouldHandleCookies = false
        request.httpMethod = form.uploads ? "POST" : "GET"
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        _ = try await form.run(session, request, 200..<300).get()
        #expect(configuration.httpCookieStorage?.cookies?.map(\.value) == ["old"])
    }

    @Test("A session that accepts no cookies stores none", arguments: ["Set-Cookie", "set-cookie"])
    func unaccepted(field: String) async throws {
        let server = try LoopbackServer(.ok(headers: ["\(field)": "a=b; Max-Age=9"]))
        let configuration = URLSessionConfiguration.forTests
        configuration.httpCookieAcceptPolicy = .never
        _ = try await APIForm.all[0](server.url(), in: URLSession(configuration: configuration)).get()
        #expect(configuration.httpCookieStorage?.cookies == [])
    }

    @Test(
        "The cookies of a protocol of the caller are its own business, those of HTTP beside it are not",
        arguments: ["http://stub.invalid/", nil])
    func stubProtocol(stubbedURL: String?) async throws {
        let server = try LoopbackServer(.ok(headers: ["set-cookie": "a=b"]))
        let configuration = URLSessionConfiguration.forTests
        configuration.protocolClasses = [CookieProtocol.self] + (configuration.protocolClasses ?? [])
        let url = try stubbedURL.map { try #require(URL(string: $0)) } ?? server.url()
        let session = URLSession(configuration: configuration)
        _ = try await session.dataResult(from: url).get()
        #expect(configuration.httpCookieStorage?.cookies?.count == (stubbedURL == nil ? 1 : 0))
    }

    @Test("A slow response does not overwrite a cookie that came after its own")
    func slowResponse() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request, connection in
            if request.target == "/slow" {
                try connection.sendHead(200, headers: ["Set-Cookie": "a=old"], contentLength: 1)
                gate.wait()
                try connection.send("x")
            } else {
                try connection.respond(headers: ["Set-Cookie": "a=new"])
            }
        }
        #expect(try await cookiesAfterSlowAndFast(server, gate, slowIsStored: true) == ["new"])
    }

    @Test("Of two responses at once, the cookie that comes last is kept")
    func lastResponse() async throws {
        let gate = Gate()
        let server = try LoopbackServer([
            "/slow": LoopbackServer.Response.ok(headers: ["Set-Cookie": "a=last"]).once(gate),
            "/fast": .ok(headers: ["Set-Cookie": "a=first"]),
        ])
        #expect(try await cookiesAfterSlowAndFast(server, gate) == ["last"])
    }

    /// The cookies after two requests at once. The first one waits at the gate, which opens when the second one is over.
    private func cookiesAfterSlowAndFast(
        _ server: LoopbackServer, _ gate: Gate, slowIsStored: Bool = false
    ) async throws -> [String]? {
        let configuration = URLSessionConfiguration.forTests
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        let slowURL = server.url("/slow")
        async let slow: DataResult = session.dataResult(from: slowURL)
        try await server.requests(atLeast: 1)
        while slowIsStored, configuration.httpCookieStorage?.cookies?.isEmpty != false { try await letOthersRun() }
        _ = try await session.dataResult(from: server.url("/fast")).get()
        gate.open()
        _ = try await slow.get()
        return configuration.httpCookieStorage?.cookies?.map(\.value)
    }

    @Test("A request keeps all else when a cookie is kept from it")
    func fixedRequest() async throws {
        let server = try LoopbackServer(.echo)
        let configuration = URLSessionConfiguration.forTests
        configuration.httpCookieStorage?.setCookie(try .stored(isSecure: true))
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        var request = URLRequest(url: server.url("/path?q=%26"), cachePolicy: .reloadIgnoringLocalCacheData)
        request.httpMethod = "PATCH"
        request.timeoutInterval = 70
        request.allHTTPHeaderFields = ["X-One": "1", "content-type": "text/x"]
        request.httpBody = Data("sent".utf8)
        let task = session.dataTask(with: request) { (_: DataResult) in }
        var made = try #require(task.originalRequest)
        #expect(made == request)
        #expect(made.timeoutInterval == 70)
        #expect(made.allHTTPHeaderFields == request.allHTTPHeaderFields)
        made.setValue("own", forHTTPHeaderField: "Cookie")
        #expect(made.value(forHTTPHeaderField: "Cookie") == "own")
        task.cancel()
        #expect(try await session.dataResult(for: request).get() == Data("sent".utf8))
        request.httpBodyStream = InputStream(data: Data("streamed".utf8))
        #expect(try await session.dataResult(for: request).get() == Data("streamed".utf8))
        #expect(server.requests.map(\.target) == ["/path?q=%26", "/path?q=%26"])
    }
}

extension HTTPCookie {
    fileprivate static func stored(
        name: String = "a", value: String = "b", domain: String = "127.0.0.1", path: String = "/",
        isSecure: Bool = false
    ) throws -> HTTPCookie {
        var properties: [HTTPCookiePropertyKey: Any] = [.domain: domain, .path: path, .name: name, .value: value]
        properties[.secure] = isSecure ? "TRUE" : nil
        return try #require(HTTPCookie(properties: properties))
    }
}

/// A cookie that expires when a test says so.
private final class ExpiringCookie: HTTPCookie, @unchecked Sendable {  // As its superclass is. It adds a monitor.
    let isExpired = Monitor(false)

    override var expiresDate: Date? { isExpired.value ? .distantPast : .distantFuture }
}

/// Sets a cookie for a host that does not exist.
private final class CookieProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { request.url?.host == "stub.invalid" }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url else { return }
        let response = HTTPURLResponse(
            url: url, statusCode: 200, httpVersion: nil, headerFields: ["Set-Cookie": "a=b"])
        if let response { client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed) }
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}

#endif
