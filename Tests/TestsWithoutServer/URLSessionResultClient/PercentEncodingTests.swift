import Testing

@testable import URLSessionResultClient

struct PercentEncodingTests {
    @Test(
        "In a value, all but the unreserved characters is escaped",
        arguments: [
            ("", ""), ("Az09-._~", "Az09-._~"), ("a+b&c=d", "a%2Bb%26c%3Dd"), ("/ ?#%41", "%2F%20%3F%23%2541"),
            ("ü\n", "%C3%BC%0A"),
        ])
    func value(text: String, escaped: String) {
        #expect(text.percentEncoded() == escaped)
    }

    @Test(
        "A literal is escaped where a request needs it, and a scheme with a host stays as it is",
        arguments: [
            ("", ""), ("a b", "a%20b"), ("ü", "%C3%BC"), ("/?:@!$&'()*+,;=", "/?:@!$&'()*+,;="),
            ("a#b[c]", "a%23b%5Bc%5D"),
            ("100%", "100%25"), ("%41%g1%4", "%41%25g1%254"), ("http:/", "http:/"), ("http:/a b", "http:/a%20b"),
            ("https://host:1/a b", "https://host:1/a%20b"), ("HTTP://[::1]/[a]", "HTTP://[::1]/%5Ba%5D"),
            ("http://host", "http://host"), ("http://host?a#b", "http://host?a%23b"),
            ("http://host#b", "http://host%23b"),
            ("ftp://[::1]/", "ftp://%5B::1%5D/"), ("http:x//[a]/", "http:x//%5Ba%5D/"),
        ])
    func literal(text: String, escaped: String) {
        #expect(text.percentEncodedWhereNeeded == escaped)
    }
}
