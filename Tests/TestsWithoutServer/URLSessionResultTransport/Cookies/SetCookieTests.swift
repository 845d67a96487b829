#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResult
@testable import URLSessionResultTransport
@testable import TestSupport

/// What a `Set-Cookie` field says, by RFC 6265 and RFC 6265bis.
struct SetCookieTests {
    @Test(
        "A date is read in whatever form",
        arguments: [
            ("Mon, 10-Dec-2007 17:02:24 GMT", "2007-12-10T17:02:24Z"),
            ("Wed, 09 Dec 2009 16:27:23 GMT", "2009-12-09T16:27:23Z"),
            ("Thursday, 01-Jan-1970 00:00:00 GMT", "1970-01-01T00:00:00Z"),
            ("Mon Dec 10 16:32:30 2007 GMT", "2007-12-10T16:32:30Z"),
            ("Wednesday, 01-Jan-10 0:0:00 GMT", "2010-01-01T00:00:00Z"),
            ("Mon, 10-Dec-69 20:35:03 GMT", "2069-12-10T20:35:03Z"),
            ("Sun, 10-Dec-00 20:35:03 GMT", "2000-12-10T20:35:03Z"),
            ("Mon, 10-Dec-70 20:35:03 GMT", "1970-12-10T20:35:03Z"),
            ("Thu, 31 Dec 23:55:55 2037 GMT", "2037-12-31T23:55:55Z"),
            ("Sun,  9 Dec 2012 13:42:05 GMT", "2012-12-09T13:42:05Z"),
            ("Wed Dec 12 2007 08:44:07 GMT-0500 (EST)", "2007-12-12T08:44:07Z"),
            ("8/december/2012/21:24:9", "2012-12-08T21:24:09Z"),
            ("1st jan 2012x 1:2:3pm", "2012-01-01T01:02:03Z"), ("29 Feb 2024 00:00:00", "2024-02-29T00:00:00Z"),
            ("2024 123 2 Jan 00:00:00", "2024-01-02T00:00:00Z"),
            ("1 Jan 1601 00:00:00", "1601-01-01T00:00:00Z"), ("31 Dec 9999 23:59:59", "9999-12-31T23:59:59Z"),
        ])
    func date(_ row: (text: String, date: String)) throws {
        #expect(Date(cookieDate: row.text) == (try Date(row.date, strategy: .iso8601)))
    }

    @Test("Every month has a name, of which three letters count", arguments: 1...12)
    func month(number: Int) throws {
        let names = "January February March April May June July August September October November December"
        let name = names.split(separator: " ")[number - 1]
        let month = String(format: "%02d", number)
        for spelling in ["\(name)", name.uppercased(), "\(name.prefix(3))", "\(name.prefix(3))x"] {
            let date = Date(cookieDate: "2 \(spelling) 2020 03:04:05")
            #expect(date == (try Date("2020-\(month)-02T03:04:05Z", strategy: .iso8601)))
        }
        #expect(Date(cookieDate: "2 \(name.prefix(2)) 2020 03:04:05") == nil)
    }

    @Test("Each separator stands between the parts of a date", arguments: "\t !\"#$%&'()*+,-./;<=>?@[\\]^_`{|}~")
    func separator(_ separator: Character) throws {
        let date = Date(cookieDate: ["2", "Jan", "2020", "03:04:05"].joined(separator: "\(separator)"))
        #expect(date == (try Date("2020-01-02T03:04:05Z", strategy: .iso8601)))
    }

    @Test(
        "A cookie expires as Max-Age says, or else Expires, in whatever order",
        arguments: [
            ("", nil), ("Expires=Thu, 01 Jan 1970 00:00:05 GMT", 5), ("Max-Age=7", 107),
            ("Max-Age=7; Expires=Thu, 01 Jan 1970 00:00:05 GMT", 107),
            ("Expires=Thu, 01 Jan 1970 00:00:05 GMT; Max-Age=7", 107), ("Max-Age=7; Max-Age=8", 108),
            ("Max-Age=0", Date.distantPast.timeIntervalSince1970),
            ("Max-Age=1; Max-Age=-1", Date.distantPast.timeIntervalSince1970),
            ("Max-Age=1" + String(repeating: "0", count: 30), Date.distantFuture.timeIntervalSince1970),
        ] as [(String, TimeInterval?)])
    func expiry(attributes: String, seconds: TimeInterval?) throws {
        let cookie = try #require(SetCookie("a=b; \(attributes)"))
        let expiry = cookie.expiry(at: Date(timeIntervalSince1970: 100))
        #expect(expiry?.timeIntervalSince1970 == seconds)
    }

    @Test(
        "What is no date gives none",
        arguments: [
            "", "never", "Mon, 01-Jan-2011 00: 00:00 GMT", "10 Dec 2007", "10 Dec 17:02:24", "Dec 2007 17:02:24",
            "10 2007 17:02:24", "10 Dec 2007 24:00:00", "10 Dec 2007 17:60:00", "10 Dec 2007 17:02:60",
            "30 Feb 2024 00:00:00", "29 Feb 2023 00:00:00", "32 Jan 2024 00:00:00", "0 Jan 2024 00:00:00",
            "1 Jan 1600 00:00:00", "1 Jan 20245 00:00:00", "1 Jan 2024 000:00:00", "1 Jan 2024 00:00",
            "1 Okt 2024 00:00:00", "1 Jan 100 00:00:00", "1 Jan 2024 00:000:00", "1 Jan 2024 00:00:000",
            "123 Jan 2024 00:00:00", "1 Jan 2 00:00:00", "1:Jan 2024 00:00:00", "1 Jan 2024 0x:00:00",
            "1 Jan 2024 00:0x:00",
        ])
    func noDate(_ text: String) {
        #expect(Date(cookieDate: text) == nil)
    }

    /// A cookie for a URL, and the domain and path under which it is stored.
    struct Row: CustomTestStringConvertible {
        let field: String
        var url = "http://www.example.com/folder/file"
        let stored: String?

        var testDescription: String { "\(field) from \(url)" }

        static let domains = [
            Row(field: "a=b", stored: "www.example.com/folder"),
            Row(field: "a=b; Domain=", stored: "www.example.com/folder"),
            Row(field: "a=b; Domain", stored: "www.example.com/folder"),
            Row(field: "a=b; Domain=example.com; Domain=", stored: ".example.com/folder"),
            Row(field: "a=b; Domain=EXAMPLE.com", stored: ".example.com/folder"),
            Row(field: "a=b; Domain=.example.com", stored: ".example.com/folder"),
            Row(field: "a=b; Domain=www.example.com", stored: ".www.example.com/folder"),
            Row(field: "a=b; Domain=..example.com", stored: nil),
            Row(field: "a=b; Domain=..example.com", url: "http://www..example.com/", stored: nil),
            Row(field: "a=b; Domain=example.com.", stored: nil),
            Row(field: "a=b; Domain=ample.com", stored: nil), Row(field: "a=b; Domain=com", stored: nil),
            Row(field: "a=b; Domain=.com", stored: nil), Row(field: "a=b; Domain=.", stored: nil),
            Row(field: "a=b; Domain=a.www.example.com", stored: nil),
            Row(field: "a=b; Domain=com; Domain=example.com", stored: ".example.com/folder"),
            Row(field: "a=b; Domain=example.com; Domain=com", stored: nil),
            Row(field: "a=b; Domain=localhost", url: "http://localhost/", stored: "localhost/"),
            Row(field: "a=b; Domain=localhost", url: "http://a.localhost/", stored: nil),
            Row(field: "a=b; Domain=10.0.0.1", url: "http://10.0.0.1/", stored: "10.0.0.1/"),
            Row(field: "a=b; Domain=0.0.1", url: "http://10.0.0.1/", stored: nil),
            Row(field: "a=b; Domain=::1", url: "http://[::1]/", stored: "::1/"),
            Row(field: "a=b; Domain=example.com.", url: "http://www.example.com./", stored: nil),
            Row(field: "a=b", url: "data:,x", stored: nil),
        ]

        static let paths = [
            Row(field: "a=b; Path=/", stored: "www.example.com/"),
            Row(field: "a=b; Path=/p/", stored: "www.example.com/p/"),
            Row(field: "a=b; Path=p", stored: "www.example.com/folder"),
            Row(field: "a=b; Path=/p; Path", stored: "www.example.com/folder"),
            Row(field: "a=b", url: "http://example.com", stored: "example.com/"),
            Row(field: "a=b", url: "http://example.com/file?a/b", stored: "example.com/"),
            Row(field: "a=b", url: "http://example.com/f%2Fg/h/", stored: "example.com/f%2Fg/h"),
        ]

        static let prefixes = [
            Row(field: "__Secure-a=b; Secure", url: "https://example.com", stored: "example.com/"),
            Row(field: "__secure-a=b; Secure=x", url: "https://example.com", stored: "example.com/"),
            Row(field: "__Secure-a=b", url: "https://example.com", stored: nil),
            Row(field: "__SECURE-a=b; Secure", url: "http://example.com", stored: nil),
            Row(field: "__Host-a=b; Secure; Path=/", url: "https://example.com", stored: "example.com/"),
            Row(field: "__Host-a=b; Secure; Path=/; Domain=", url: "https://example.com", stored: "example.com/"),
            Row(field: "__Host-a=b; Secure; Path=/; Domain=example.com", url: "https://example.com", stored: nil),
            Row(field: "__Host-a=b; Secure; Path=/p", url: "https://example.com", stored: nil),
            Row(field: "__Host-a=b; Secure", url: "https://example.com", stored: nil),
            Row(field: "__host-a=b; Secure; Path=/", url: "http://example.com", stored: nil),
        ]

        static let noCookies = ["", "a", "=", "=a", " = a", "; a=b", "a\u{1}=b", "a=b; Path=\u{7F}"].map {
            Row(field: $0, stored: nil)
        }
    }

    @Test(
        "A cookie is stored for its domain and path, or not at all",
        arguments: Row.domains + Row.paths + Row.prefixes + Row.noCookies)
    func identity(_ row: Row) throws {
        let url = try #require(URL(string: row.url))
        let cookie = SetCookie(row.field)?.accepted(from: url)
        #expect(cookie.map { $0.place.domain + $0.place.path } == row.stored)
    }

    @Test("A cookie is stored although the clock was set back since the request")
    func clockSetBack() throws {
        let url = try #require(URL(string: "http://example.com/"))
        let storage = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
        for value in ["1", "2"] {
            storage.store(SetCookie.all(in: "a=\(value)"), from: url, requestedAt: Date(timeIntervalSinceNow: 60))
            #expect(storage.cookies(for: url)?.map(\.value) == [value])
        }
    }

    @Test("Of the cookies that a domain sets, the last 50 are kept, beside those that the caller has stored")
    func limit() throws {
        let url = try #require(URL(string: "http://www.example.com/"))
        let storage = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
        func set(_ numbers: Range<Int>, _ attributes: String = "") {
            let fields = numbers.map { "n\($0)=\($0); Expires=Thu, 01 Jan 2099 00:00:00 GMT\(attributes)" }
            storage.store(
                SetCookie.all(in: fields.joined(separator: SetCookie.separator)), from: url, requestedAt: Date())
        }
        func names(_ domain: String) -> Set<String> {
            Set((storage.cookies ?? []).filter { $0.domain == domain }.map(\.name))
        }
        let properties: [HTTPCookiePropertyKey: Any] = [
            .domain: "www.example.com", .path: "/", .name: "own", .value: "x",
        ]
        storage.setCookie(try #require(HTTPCookie(properties: properties)))
        set(0..<9_000)
        #expect(names("www.example.com") == Set((8_950..<9_000).map { "n\($0)" } + ["own"]))
        set(0..<60, "; Domain=example.com")
        #expect(names(".example.com") == Set((10..<60).map { "n\($0)" }))
        set(100..<110)
        #expect(names("www.example.com") == Set((Array(8_960..<9_000) + Array(100..<110)).map { "n\($0)" } + ["own"]))
    }

    @Test("A cookie that is set again and again counts once, and keeps its place")
    func repeatedCookie() throws {
        let url = try #require(URL(string: "http://example.com/"))
        let storage = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
        let fields = ["a=0", "b=0"] + (1...99).map { "a=\($0)" }
        storage.store(SetCookie.all(in: fields.joined(separator: SetCookie.separator)), from: url, requestedAt: Date())
        let sent = (storage.cookies(for: url) ?? []).sent(with: URLRequest(url: url))
        #expect(sent.map { "\($0.name)=\($0.value)" } == ["a=99", "b=0"])
    }

    @Test(
        "A neighbour without a name is no cookie, and no part of one",
        arguments: ["=, a=b", "=x, a=b", "a=b, =", "a=b, =x", "nameless, a=b", "a=b, =, ="])
    func namelessNeighbour(fields: String) {
        #expect(SetCookie.all(in: fields).map { "\($0.name)=\($0.value)" } == ["a=b"])
    }

    @Test("A separator counts whatever follows it, also a mark that makes another character of it")
    func combiningMark() {
        let cookie = SetCookie("a\u{301}=\u{301}b;\u{301}c; Secure")
        #expect(cookie?.name == "a\u{301}")
        #expect(cookie?.value == "\u{301}b")
        #expect(cookie?.isSecure == true)
    }

    @Test("A name and a value have 4096 bytes at most", arguments: [("é", 4094, true), ("é", 4095, false)])
    func size(_ row: (name: String, valueCount: Int, isCookie: Bool)) {
        let field = "\(row.name)=\(String(repeating: "x", count: row.valueCount))"
        #expect((SetCookie(field) != nil) == row.isCookie)
    }
}

#endif
