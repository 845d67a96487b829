#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking
import Testing

@testable import URLSessionResultTransport

struct ProxyTests {
    private static func text(_ dictionary: [AnyHashable: Any]?, _ url: String) throws -> String? {
        try Proxy.named(by: dictionary, for: #require(URL(string: url)))?.text
    }

    private static var all: [AnyHashable: Any] {
        [
            "HTTPEnable": 1, "HTTPProxy": "one", "HTTPPort": 8080, "HTTPSEnable": true, "HTTPSProxy": "two",
            "HTTPSPort": "8443", "SOCKSEnable": 1, "SOCKSProxy": "three", "SOCKSPort": 8888,
        ]
    }

    @Test("The environment names the proxy if the configuration has no dictionary")
    func environment() throws {
        #expect(try Self.text(nil, "http://host/") == nil)
        #expect(try Self.text([:], "http://host/") == "")
    }

    @Test(
        "The proxy is that of the scheme, or else the one for all, if it is enabled",
        arguments: [
            ([:], "http://one:8080", "http://two:8443"),
            (["HTTPEnable": "0"], "socks5h://three:8888", "http://two:8443"),
            (["HTTPSEnable": "0"], "http://one:8080", "socks5h://three:8888"),
            (["HTTPProxy": "", "HTTPSProxy": ""], "socks5h://three:8888", "socks5h://three:8888"),
            (["HTTPEnable": "false", "HTTPSEnable": "false", "SOCKSEnable": "0"], "", ""),
            (["HTTPProxy": "::1", "HTTPSProxy": "[::2]"], "http://[::1]:8080", "http://[::2]:8443"),
            (
                ["kCFProxyUsernameKey": "a:b", "kCFProxyPasswordKey": "c@d%/ü"],
                "http://a%3Ab:c%40d%25%2F%C3%BC@one:8080", "http://a%3Ab:c%40d%25%2F%C3%BC@two:8443"
            ),
        ] as [([String: String], String, String)])
    func scheme(_ row: (changes: [String: String], http: String, https: String)) throws {
        var dictionary = Self.all
        for (key, value) in row.changes { dictionary[key] = value }
        #expect(try Self.text(dictionary, "http://host/") == row.http)
        #expect(try Self.text(dictionary, "HTTPS://host/") == row.https)
    }

    @Test(
        "A proxy that speaks HTTP has a host, a port and a URL, with the credential of the answer alone",
        arguments: [
            ("http://one:8080", "one 8080 http://a%3Ab:c%2541@one:8080"),
            ("http://a%3Ab:c%40d@one:8080", "one 8080 http://a%3Ab:c%2541@one:8080"),
            ("one", "one \(HTTPProxy.defaultPort) http://a%3Ab:c%2541@one:\(HTTPProxy.defaultPort)"),
            ("user:secret@one:81", "one 81 http://a%3Ab:c%2541@one:81"),
            ("HTTPS://one", "one 443 https://a%3Ab:c%2541@one:443"),
            ("http://[::1]:81", "[::1] 81 http://a%3Ab:c%2541@[::1]:81"),
            ("socks5h://three:8888", nil), ("", nil), (nil, nil),
        ] as [(String?, String?)])
    func httpProxy(text: String?, parts: String?) {
        let proxy = HTTPProxy(text.map { Proxy(text: $0) })
        let credential = URLCredential(user: "a:b", password: "c%41", persistence: .none)
        #expect(proxy.map { "\($0.host) \($0.port) \($0.text(with: credential))" } == parts)
    }

    @Test("A credential is for the proxy that has asked")
    func answer() {
        let credential = URLCredential(user: "user", password: "pass", persistence: .none)
        let asking = HTTPProxy(Proxy(text: "http://one:81"))
        let used = asking.map {
            UsedCredential(
                credential: credential,
                space: $0.protectionSpace(
                    realm: "x", authenticationMethod: NSURLAuthenticationMethodHTTPDigest,
                    for: URL(fileURLWithPath: "/")))
        }
        #expect(ProxyAnswer(used, for: asking)?.isDigest == true)
        #expect(ProxyAnswer(nil, for: asking) == nil)
        for other in ["http://two:81", "http://one:82", "socks5h://one:81", ""] {
            #expect(ProxyAnswer(used, for: HTTPProxy(Proxy(text: other))) == nil, "\(other)")
        }
    }

    @Test("Without a port, it is that of the protocol")
    func defaultPorts() throws {
        var dictionary = Self.all
        for key in ["HTTPPort", "HTTPSPort", "SOCKSPort"] { dictionary[key] = nil }
        #expect(try Self.text(dictionary, "http://host/") == "http://one:80")
        #expect(try Self.text(dictionary, "https://host/") == "http://two:443")
        dictionary["HTTPEnable"] = nil
        #expect(try Self.text(dictionary, "http://host/") == "socks5h://three:1080")
    }

    @Test(
        "Hosts that are excepted need no proxy",
        arguments: [
            ("example.com", "example.com", true), ("Example.com", "EXAMPLE.com", true),
            ("example.com", "a.example.com", false), ("*.example.com", "a.example.com", true),
            ("*.example.com", "example.com", false), (".example.com", "a.example.com", true),
            ("*.example.com", "example.com.org", false), ("a*b*c", "a-b-c", true), ("a*b*c", "a-c-b", false),
            ("ab*bc", "abc", false), ("*", "anything", true), ("169.254/16", "169.254.1.2", true),
            ("169.254/16", "169.255.1.2", false), ("10.0.0.0/8", "10.255.0.1", true), ("0/0", "1.2.3.4", true),
            ("10.0.0.0/33", "10.0.0.0", false), ("10/8", "10.example.com", false), ("127.0.0.1", "127.0.0.1", true),
        ] as [(String, String, Bool)])
    func exceptions(_ row: (pattern: String, host: String, isExcepted: Bool)) throws {
        var dictionary = Self.all
        dictionary["ExceptionsList"] = ["other", row.pattern]
        #expect(try Self.text(dictionary, "http://\(row.host)/") == (row.isExcepted ? "" : "http://one:8080"))
    }

    @Test("Hosts without a dot need no proxy if that is said")
    func simpleHosts() throws {
        var dictionary = Self.all
        dictionary["ExcludeSimpleHostnames"] = 1
        #expect(try Self.text(dictionary, "http://host/") == "")
        #expect(try Self.text(dictionary, "http://host.example/") == "http://one:8080")
        #expect(try Self.text(dictionary, "http://[::1]/") == "http://one:8080")
    }

    @Test(
        "A proxy that makes no URL is an error, and the request does not go around it",
        arguments: [
            ("HTTPPort", "0"), ("HTTPPort", "65536"), ("HTTPPort", "-1"), ("HTTPPort", ""), ("HTTPProxy", "a/b"),
            ("HTTPProxy", "a@b"), ("HTTPProxy", "http://a"), ("HTTPProxy", "a b"), ("HTTPProxy", "a\n"),
            ("kCFProxyUsernameKey", "a\n"), ("kCFProxyPasswordKey", "a\u{7F}"),
        ])
    func malformed(key: String, value: String) throws {
        var dictionary = Self.all
        dictionary["kCFProxyUsernameKey"] = "user"
        dictionary[key] = value
        let error = #expect(throws: URLError.self) { try Self.text(dictionary, "http://host/") }
        #expect(error?.code == .cannotConnectToHost)
    }
}

#endif
