#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResultTransport

/// Where a `Location` leads.
struct RedirectTargetTests {
    @Test(
        "A relative Location is resolved as RFC 3986, section 5.4, says",
        arguments: [
            ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
            ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"),
            ("g;x", "http://a/b/c/g;x"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
            ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
            ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
            ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
            ("./g/.", "http://a/b/c/g/"), ("g/../h", "http://a/b/c/h"), ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/../x", "http://a/b/c/g?y/../x"), ("#s", "http://a/b/c/d;p?q#s"), ("https://x/y", "https://x/y"),
            ("HTTPS://X/y", "https://X/y"), ("hTTp:g", "http:g"), ("MAILTO:a@b", "mailto:a@b"),
        ])
    func resolution(location: String, target: String) throws {
        #expect(try redirectTarget(location, from: "http://a/b/c/d;p?q") == target)
    }

    @Test("A path is found beside a URL without one")
    func baseWithoutPath() throws {
        #expect(try redirectTarget("g", from: "http://a") == "http://a/g")
        #expect(try redirectTarget("?y", from: "http://a?x") == "http://a?y")
    }

    @Test(
        "Percent-encoding stays as it is, and whatever has to be encoded is encoded as UTF-8",
        arguments: [
            ("/a%2Fb?c=%26", "/a%2Fb?c=%26"), ("/%E4", "/%E4"), ("/two words", "/two%20words"),
            ("/gr\u{FC}\u{DF}e?\u{FC}", "/gr%C3%BC%C3%9Fe?%C3%BC"), ("/a b%20c", "/a%20b%20c"),
            ("\u{E9}%20b", "/%C3%A9%20b"), ("/a?b=c d%20e%2F", "/a?b=c%20d%20e%2F"),
            ("/a#b c%20d#e", "/a#b%20c%20d%23e"), ("/100% b%2f%g", "/100%25%20b%2f%25g"), ("/a[1]%20", "/a%5B1%5D%20"),
            ("c//d e%20f", "/c//d%20e%20f"), ("#a://b c%20", "/b#a://b%20c%20"), ("?a://b c%20", "/b?a://b%20c%20"),
            ("/%", "/%25"), ("/%~1%1~", "/%25~1%251~"), ("/%~1%41", "/%25~1%41"),
            ("/a|\\\"<>^`{}%7C", "/a%7C%5C%22%3C%3E%5E%60%7B%7D%7C"),
        ])
    func encoding(location: String, path: String) throws {
        #expect(try redirectTarget(location, from: "http://a/b") == "http://a" + path)
    }

    @Test("Of an empty host, nothing but the slashes stays as it is")
    func emptyHost() {
        #expect("///a b%20".escapedAsReference == "///a%20b%20")
        #expect("x:///a b%20".escapedAsReference == "x:///a%20b%20")
    }

    @Test("Blanks around a Location are no part of it", arguments: ["/top ", "/top\t", " \t /top \t "])
    func blanks(location: String) throws {
        #expect(try redirectTarget(location, from: "http://a/b") == "http://a/top")
    }

    @Test(
        "A host is not escaped, and what comes behind it is",
        arguments: [
            ("http://[::1]/a b%20c", "http://[::1]/a%20b%20c"), ("//x?a b%20c", "http://x?a%20b%20c"),
            ("//x#a b%20c", "http://x#a%20b%20c"),
            ("http://b\u{FC}cher.example/\u{FC}%20", "http://xn--bcher-kva.example/%C3%BC%20"),
        ])
    func hosts(location: String, target: String) throws {
        #expect(try redirectTarget(location, from: "http://a/b") == target)
    }

    @Test(
        "A Location without a fragment keeps the one of the request",
        arguments: [
            ("/g", "http://a/g#f%20f"), ("/g#", "http://a/g#"), ("/g#s", "http://a/g#s"), ("//x/", "http://x/#f%20f"),
        ])
    func fragment(location: String, target: String) throws {
        #expect(try redirectTarget(location, from: "http://a/b#f%20f") == target)
    }

    @Test(
        "User and password stay with their authority, however they are encoded",
        arguments: [
            ("/g", "http://m%FCller:p%20w@a/g"), ("//x/g", "http://x/g"), ("http://x/g", "http://x/g"),
            ("//other@x/g", "http://other@x/g"),
        ])
    func userInfo(location: String, target: String) throws {
        #expect(try redirectTarget(location, from: "http://m%FCller:p%20w@a/b") == target)
    }

    @Test("A malformed, empty or missing Location leads nowhere", arguments: ["http://[::", "//a b/", "", " ", nil])
    func malformed(location: String?) throws {
        #expect(try redirectTarget(location, from: "http://a/b") == nil)
    }

    private func redirectTarget(_ location: String?, from source: String) throws -> String? {
        let url = try #require(URL(string: source))
        let fields = location.map { ["Location": $0] }
        let response = HTTPURLResponse(url: url, statusCode: 302, httpVersion: nil, headerFields: fields)
        return try #require(response).redirectTarget?.absoluteString
    }
}

#endif
