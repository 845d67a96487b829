#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResultTransport

struct CanonicalHostTests {
    @Test(
        "A host is equal to itself in every way to write it",
        arguments: [
            ("example.com", "EXAMPLE.com"), ("example.com", "example.com."),
            ("xn--bcher-kva.example", "bücher.example"),
            ("127.0.0.1", "127.1"), ("127.0.0.1", "2130706433"), ("127.0.0.1", "0x7F000001"),
            ("127.0.0.1", "127.0.0.1."),
            ("::1", "[::1]"), ("::1", "0:0:0:0:0:0:0:1"), ("2001:db8::1", "2001:DB8:0::1"),
            ("fe80::1", "fe80::1%eth0"), ("fe80::1", "[fe80::1%25eth0]"),
        ])
    func equal(_ host: String, _ other: String) {
        #expect(CanonicalHost(host) == CanonicalHost(other))
    }

    @Test(
        "Another host is another",
        arguments: [
            ("example.com", "example.com.evil.example"), ("example.com", "www.example.com"), ("127.0.0.1", "127.0.0.2"),
            ("::1", "::2"), ("", "."), ("127.0.0.1", "127.0.0.1.example"), ("::1", "1"),
        ])
    func different(_ host: String, _ other: String) {
        // No host is not compared.
        guard !host.isEmpty else { return }
        #expect(CanonicalHost(host) != CanonicalHost(other))
    }

    @Test(
        "Keys are pinned and certificates are shown for every way to write a host",
        arguments: ["example.com", "Example.COM", "example.com."],
        ["https://example.com/", "https://EXAMPLE.com:8443/", "https://example.com./"])
    func settings(host: String, url: String) throws {
        let url = try #require(URL(string: url))
        var settings = TLSSettings()
        settings.pinnedPublicKeys = [host: [Data(count: 32).base64EncodedString()]]
        settings.set(ClientCertificate(file: "file", keyFile: nil, password: nil), forHost: host)
        #expect(settings.pinnedPublicKeys(for: url) != nil)
        #expect(settings.clientCertificate(for: url) != nil)
        let other = try #require(URL(string: "https://other.example.com/"))
        #expect(settings.pinnedPublicKeys(for: other) == nil)
        #expect(settings.clientCertificate(for: other) == nil)
    }

    @Test(
        "libcurl takes a URL if it finds the same host there",
        arguments: [
            "http://example.com/", "http://example.com:80/", "http://EXAMPLE.com?a", "http://a_b.example/",
            "http://user:pass@example.com/", "http://127.0.0.1/", "http://127.1/", "http://2130706433/",
            "http://[::1]/", "http://[::1]:80/", "http://[0:0:0:0:0:0:0:1]/", "http://[2001:db8:0:0:0:0:0:1]/",
            "http://[2001:DB8::1]/", "http://[fe80::1%25eth0]/", "http://bücher.example/",
        ])
    func agreement(_ text: String) throws {
        let url = try #require(URL(string: text))
        #expect(try #require(Curl.loaded).agrees(with: url, url.absoluteString))
    }

    @Test(
        "libcurl does not take a URL with another host",
        arguments: ["http://example.com.evil.example/", "http://evil.example/example.com", "http://[::2]/", "http:///"])
    func disagreement(_ text: String) throws {
        for host in ["http://example.com/", "http://[::1]/"] {
            #expect(try !#require(Curl.loaded).agrees(with: #require(URL(string: host)), text))
        }
    }
}

#endif
