#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResult
@testable import URLSessionResultTransport

@Suite(.inTurn)
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
            ("/gr\u{FC}\u{DF}e?\u{FC}", "/gr%C3%BC%C3%9Fe?%C3%BC"),
        ])
    func encoding(location: String, path: String) throws {
        #expect(try redirectTarget(location, from: "http://a/b") == "http://a" + path)
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

    @Test("A malformed, empty or missing Location leads nowhere", arguments: ["http://[::", "//a b/", "", nil])
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
