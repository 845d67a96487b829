#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking
import Testing

@testable import URLSessionResult

/// Cookies go where RFC 6265 says, and for as long as it says.
@Suite(timeLimit)
struct StoredCookiesTests {
    /// A `Set-Cookie` field with the cookie `a=b`, and whether a request to a path has the cookie then.
    struct Row: CustomTestStringConvertible {
        let attributes: String
        let path: String
        let isSent: Bool
        var field = "Set-Cookie"

        var testDescription: String { "\(field): a=b\(attributes), then \(path)" }

        static let past = "Thu, 01 Jan 1970 00:00:00 GMT"
        static let future = "Thu, 01 Jan 2099 00:00:00 GMT"

        static let all = [
            Row(attributes: "", path: "/", isSent: true),
            Row(attributes: "; Secure", path: "/", isSent: false),
            Row(attributes: "; secure; Path=/", path: "/", isSent: false),
            Row(attributes: "; Secure=true", path: "/", isSent: false),
            Row(attributes: "; Secure=", path: "/", isSent: false),
            Row(attributes: ";SECURE =false;Path=/", path: "/", isSent: false),
            Row(attributes: "; Path=/; Max-Age=100; Secure=1,2", path: "/", isSent: false),
            Row(attributes: "; Secure=1; Max-Age=100", path: "/", isSent: false, field: "set-cookie"),
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
            Row(attributes: "; HttpOnly", path: "/", isSent: true),
            Row(attributes: "; SameSite=Strict", path: "/", isSent: true),
            Row(attributes: "", path: "/", isSent: true, field: "set-cookie"),
            Row(attributes: "; Path=/a", path: "/", isSent: false, field: "set-cookie"),
            Row(attributes: "; Max-Age=0", path: "/", isSent: false, field: "set-cookie"),
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
            .domain: "127.0.0.1", .path: "/", .name: "a", .value: "b", .expires: Date() + 0.01,
        ]
        let cookie = try #require(HTTPCookie(properties: properties))
        configuration.httpCookieStorage?.setCookie(cookie)
        let expiry = try #require(cookie.expiresDate)
        while Date() <= expiry { await Task.yield() }
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

    @Test("The caller's own Cookie field stays, unless a stored cookie is for the URL", arguments: APIForm.some)
    func callersField(_ form: APIForm) async throws {
        let server = try LoopbackServer([
            "/set": .ok(headers: ["Set-Cookie": "stored=1; Path=/stored"]), "/own": .redirect(to: "/again"),
            "/again": .ok(), "/stored": .ok(),
        ])
        let configuration = URLSessionConfiguration.forTests
        for path in ["/set", "/own", "/stored"] {
            let session = URLSession(configuration: configuration)
            _ = try await form(server.url(path), headers: ["Cookie": "own=2"], in: session).get()
        }
        #expect(server.requests.map { $0.header("Cookie") } == ["own=2", "own=2", "own=2", "stored=1"])
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
    func order() async throws {
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
        let configuration = URLSessionConfiguration.forTests
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        let slowURL = server.url("/slow")
        async let slow: DataResult = session.dataResult(from: slowURL)
        try await server.requests(atLeast: 1)
        _ = try await session.dataResult(from: server.url("/fast")).get()
        gate.open()
        _ = try await slow.get()
        #expect(configuration.httpCookieStorage?.cookies?.map(\.value) == ["new"])
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
        request.timeoutInterval = 7
        request.allHTTPHeaderFields = ["X-One": "1", "content-type": "text/x"]
        request.httpBody = Data("sent".utf8)
        let task = session.dataTask(with: request) { (_: DataResult) in }
        var made = try #require(task.originalRequest)
        #expect(made == request)
        #expect(made.timeoutInterval == 7)
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
    fileprivate static func stored(isSecure: Bool = false) throws -> HTTPCookie {
        var properties: [HTTPCookiePropertyKey: Any] = [.domain: "127.0.0.1", .path: "/", .name: "a", .value: "b"]
        properties[.secure] = isSecure ? "TRUE" : nil
        return try #require(HTTPCookie(properties: properties))
    }
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
