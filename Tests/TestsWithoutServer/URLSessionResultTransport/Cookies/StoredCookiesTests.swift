#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResult
@testable import URLSessionResultTransport
@testable import TestSupport

/// What becomes of a cookie in a storage, and when it is sent.
struct StoredCookiesTests {
    private let storage = URLSessionConfiguration.ephemeral.httpCookieStorage

    private func stored(_ field: String, from url: String = "https://example.com/") throws -> [HTTPCookie] {
        let storage = try #require(storage)
        storage.store(SetCookie.all(in: field), from: try #require(URL(string: url)), requestedAt: Date())
        return storage.cookies ?? []
    }

    @Test("A cookie is stored with its attributes", arguments: [true, false], [true, false])
    func attributes(isSecure: Bool, isHTTPOnly: Bool) throws {
        let field = "a=b" + (isSecure ? "; Secure" : "") + (isHTTPOnly ? "; HttpOnly" : "")
        let cookie = try #require(try stored(field).first)
        #expect(cookie.isSecure == isSecure)
        #expect(cookie.isHTTPOnly == isHTTPOnly)
        #expect(cookie.expiresDate == nil)
    }

    @Test(
        "Max-Age says more than Expires if it is a whole number",
        arguments: [
            ("Max-Age=100", true), ("Expires=Thu, 01 Jan 2099 00:00:00 GMT; Max-Age=100", true),
            ("Max-Age=100; Expires=Thu, 01 Jan 2099 00:00:00 GMT", true), ("Max-Age=1e2", false),
            ("Max-Age=", false), ("Max-Age=-", false), ("Max-Age=100; Max-Age=x", true),
        ])
    func maximumAge(attributes: String, counts: Bool) throws {
        let cookie = try #require(try stored("a=b; \(attributes)").first)
        let seconds = cookie.expiresDate?.timeIntervalSinceNow
        #expect((seconds.map { (50...100).contains($0) } ?? false) == counts)
    }

    @Test(
        "A Max-Age of zero and a negative one remove a cookie",
        arguments: [("0", []), ("-1", []), ("-100", []), ("100", ["c"])])
    func noAge(age: String, values: [String]) throws {
        #expect(try stored("a=b").map(\.value) == ["b"])
        #expect(try stored("a=c; Max-Age=\(age)").map(\.value) == values)
    }

    @Test(
        "A comma and a space separate cookies where a name follows, except in quotes",
        arguments: [
            ("a=b, c=d", ["a=b", "c=d"]), ("a=b, c d=e", ["a=b, c d=e"]), ("a=b, c", ["a=b, c"]),
            ("a=\"b, c=d\"", ["a=\"b, c=d\""]), ("a=\"b, c=d\", e=f", ["a=\"b, c=d\"", "e=f"]),
            ("a=\"b, c, d=e\"", ["a=\"b, c, d=e\""]), ("a=\"b, c\", d=e\"", ["a=\"b, c\"", "d=e\""]),
            ("a=\"b, c; Path=/, d=e\"", ["a=\"b, c", "d=e\""]),
            // A quotation mark that is never closed is one like any other, and so is one inside.
            ("a=\"b, c=d", ["a=\"b", "c=d"]), ("a=b\"c, d=e\"", ["a=b\"c", "d=e\""]),
            ("a=\"b; Path=/, c=d\"", ["a=\"b", "c=d\""]), ("a=\"b\", c=d\"", ["a=\"b\"", "c=d\""]),
        ])
    func separators(field: String, cookies: [String]) {
        #expect(SetCookie.all(in: field).map { "\($0.name)=\($0.value)" } == cookies)
    }

    @Test(
        "A stored cookie goes where it may, as long as it lasts",
        arguments: [
            ("/", false, nil, "http://example.com/", true), ("/", true, nil, "https://example.com/", true),
            ("/", true, nil, "http://example.com/", false), ("/", false, 100, "http://example.com", true),
            ("/", false, -100, "http://example.com/", false), ("/p", false, nil, "http://example.com/p", true),
            ("/p", false, nil, "http://example.com/p/q", true), ("/p", false, nil, "http://example.com/pq", false),
            ("/p/", false, nil, "http://example.com/p/q", true), ("/p/", false, nil, "http://example.com/p", false),
            ("/", false, nil, "http://www.example.com/", false),
        ] as [(String, Bool, TimeInterval?, String, Bool)])
    func sent(path: String, isSecure: Bool, age: TimeInterval?, url: String, isSent: Bool) throws {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .domain: "example.com", .path: path, .name: "a", .value: "b",
        ]
        if isSecure { properties[.secure] = "TRUE" }
        if let age { properties[.expires] = Date(timeIntervalSinceNow: age) }
        let cookie = try #require(HTTPCookie(properties: properties))
        var request = URLRequest(url: try #require(URL(string: url)))
        #expect([cookie].sent(with: request).count == (isSent ? 1 : 0))
        request.httpShouldHandleCookies = false
        #expect([cookie].sent(with: request).isEmpty)
    }

    @Test("Cookies are sent in the order in which they were set, also those of one response and the next")
    func order() throws {
        let url = try #require(URL(string: "http://example.com/"))
        let storage = try #require(storage)
        for field in ["c=1, a=1, d=1", "b=1"] {
            storage.store(SetCookie.all(in: field), from: url, requestedAt: Date())
        }
        let sent = (storage.cookies(for: url) ?? []).sent(with: URLRequest(url: url))
        #expect(sent.map(\.name) == ["c", "a", "d", "b"])
    }

    @Test(
        "A cookie that the caller has set since the request stays, and an earlier one is replaced",
        arguments: [(-100, "own"), (100, "received")])
    func ownCookie(secondsToRequest: Double, value: String) throws {
        let url = try #require(URL(string: "http://example.com/"))
        let storage = try #require(storage)
        let properties: [HTTPCookiePropertyKey: Any] = [.domain: "example.com", .path: "/", .name: "a", .value: "own"]
        storage.setCookie(try #require(HTTPCookie(properties: properties)))
        storage.store(
            SetCookie.all(in: "a=received"), from: url, requestedAt: Date(timeIntervalSinceNow: secondsToRequest))
        #expect(storage.cookies?.map(\.value) == [value])
    }

    @Test("The next request of a transfer has its own cookies, and keeps a field that the caller has set")
    func nextRequest() throws {
        let configuration = URLSessionConfiguration.ephemeral
        let here = URLRequest(url: try #require(URL(string: "http://here.test/")))
        let there = URLRequest(url: try #require(URL(string: "http://there.test/")))
        configuration.httpCookieStorage?.store(
            SetCookie.all(in: "a=b"), from: try #require(here.url), requestedAt: Date())
        let cookies = Cookies(of: configuration, for: here)
        func field(_ prepared: PreparedRequest) -> String? { prepared.request.value(forHTTPHeaderField: "Cookie") }

        var prepared = PreparedRequest(here, .data)
        cookies.add(to: &prepared)
        #expect(field(prepared) == "a=b")
        prepared.request.url = there.url
        cookies.add(to: &prepared)
        #expect(field(prepared) == nil)

        // The caller's own field is hidden where a stored cookie is sent.
        prepared = PreparedRequest(here, .data)
        prepared.request.setValue("own=1", forHTTPHeaderField: "Cookie")
        for _ in 1...2 {
            cookies.add(to: &prepared)
            #expect(field(prepared) == "a=b")
        }
        prepared.request.url = there.url
        cookies.add(to: &prepared)
        #expect(field(prepared) == "own=1")

        prepared = PreparedRequest(here, .data)
        cookies.add(to: &prepared)
        prepared.request.url = there.url
        prepared.request.setValue("c=d", forHTTPHeaderField: "Cookie")
        cookies.add(to: &prepared)
        #expect(field(prepared) == "c=d")
        cookies.add(to: &prepared)
        #expect(field(prepared) == "c=d")
    }

    @Test("The request after a redirect has its own cookies, whatever the delegate makes of the proposal")
    func redirect() throws {
        let configuration = URLSessionConfiguration.ephemeral
        let here = URLRequest(url: try #require(URL(string: "http://here.test/start")))
        let there = try #require(URL(string: "http://there.test/"))
        configuration.httpCookieStorage?.store(
            SetCookie.all(in: "a=b; Path=/start"), from: try #require(here.url), requestedAt: Date())
        configuration.httpCookieStorage?.store(SetCookie.all(in: "c=d"), from: there, requestedAt: Date())
        let cookies = Cookies(of: configuration, for: here)
        var prepared = PreparedRequest(here, .data)
        cookies.add(to: &prepared)

        func sent(
            to location: String, proposing field: String? = nil, _ change: (inout URLRequest) -> Void
        ) throws -> String? {
            let response = HTTPURLResponse(
                url: try #require(here.url), statusCode: 302, httpVersion: nil, headerFields: ["Location": location])
            let redirect = try Redirect(
                try #require(response), of: prepared, to: nil, configuration: configuration, adding: cookies,
                keeping: .allButCredentials)
            guard let redirect else { return "nothing" }
            #expect(redirect.proposal.request.value(forHTTPHeaderField: "Cookie") == field)
            var answer = redirect.proposal.request
            change(&answer)
            guard var next = try redirect.next(answer) else { return "nothing" }
            cookies.add(to: &next)
            return next.request.value(forHTTPHeaderField: "Cookie")
        }

        #expect(try sent(to: "/start/next", proposing: "a=b") { _ in } == "a=b")
        #expect(try sent(to: "/next") { _ in } == nil)
        #expect(try sent(to: "http://there.test/", proposing: "c=d") { _ in } == "c=d")
        #expect(try sent(to: "/start/next", proposing: "a=b") { $0.url = there } == "c=d")
        #expect(
            try sent(to: "http://there.test/", proposing: "c=d") { $0.url = URL(string: "http://else.test/") } == nil)
        #expect(try sent(to: "http://else.test/") { $0.setValue("e=f", forHTTPHeaderField: "Cookie") } == "e=f")
    }

    @Test(
        "A session sends and stores cookies as its configuration says",
        arguments: [
            (true, HTTPCookie.AcceptPolicy.always, true), (false, .always, true), (true, .never, true),
            (true, .always, false),
        ])
    func configuration(sets: Bool, policy: HTTPCookie.AcceptPolicy, handles: Bool) throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = sets
        configuration.httpCookieAcceptPolicy = policy
        var request = URLRequest(url: try #require(URL(string: "http://here.test/")))
        request.httpShouldHandleCookies = handles
        let url = try #require(request.url)
        let storage = try #require(configuration.httpCookieStorage)
        let cookies = Cookies(of: configuration, for: request)
        let response = HTTPURLResponse(
            url: url, statusCode: 200, httpVersion: nil, headerFields: ["Set-Cookie": "a=b"])
        var prepared = PreparedRequest(request, .data)
        for (loader, isStored) in [
            (nil, false), (.innerSession, false), (.urlProtocol(URLProtocol.self), false), (.http, true),
        ]
            as [(Loader?, Bool)]
        {
            cookies.store(from: try #require(response), nil, to: loader.map { prepared.sent(by: $0) } ?? prepared)
            cookies.waitUntilStored()
            #expect((storage.cookies ?? []).count == (isStored && policy == .always && handles ? 1 : 0))
        }
        for cookie in storage.cookies ?? [] { storage.deleteCookie(cookie) }

        storage.setCookie(
            try #require(HTTPCookie(properties: [.domain: "here.test", .path: "/", .name: "c", .value: "d"])))
        cookies.add(to: &prepared)
        let field = prepared.request.value(forHTTPHeaderField: "Cookie")
        #expect(field == (sets && handles ? "c=d" : nil))
    }
}

#endif
