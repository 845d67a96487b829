import Foundation

// What can go wrong with the status line and the header fields.
extension Fault {
    static let statuses = [
        Fault("status 0", status("0"), onLinux: .transportError, elsewhere: .serverError(0)),
        Fault("status 000", status("000"), onLinux: .transportError, elsewhere: .serverError(0)),
        Fault("status 99", status("99"), onLinux: .transportError, elsewhere: .serverError(99)),
        Fault("status 099", status("099"), onLinux: .transportError, elsewhere: .serverError(99)),
        Fault("status -1", status("-1"), .transportError),
        Fault("status 2000", status("2000"), onLinux: .transportError, elsewhere: .serverError(2000)),
        Fault("status that is a word", status("abc"), .transportError),
        Fault("no status", .raw("HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc"), .transportError),
        Fault("no reason phrase", .raw("HTTP/1.1 200\r\nContent-Length: 3\r\n\r\nabc"), onLinux: .success("abc")),
        Fault("reason phrase in Latin-1", latin1Phrase, .success("")),
        Fault("status 100, then 200", .raw("HTTP/1.1 100 Continue\r\n\r\n" + success), .success("abc")),
        Fault("status 100 alone", .raw("HTTP/1.1 100 Continue\r\n\r\n"), .transportError),
        Fault("status 101 unasked", unaskedUpgrade, onLinux: .transportError, elsewhere: .serverError(101)),
        Fault("status 102, then 200", .raw("HTTP/1.1 102 Processing\r\n\r\n" + success), .success("abc")),
        Fault("status 103, then 200", .raw(earlyHints + success), .success("abc")),
        Fault("status 103 a hundred times", .raw(String(repeating: earlyHints, count: 100) + success), .success("abc")),
        Fault("status 199 alone", .raw("HTTP/1.1 199 Unknown\r\n\r\n"), .transportError),
        Fault("status 204", .status(204), .success("")),
        Fault("status 204 with a body", .raw("HTTP/1.1 204 No\r\nContent-Length: 3\r\n\r\nabc"), .success("")),
        Fault("status 205", .status(205), .success("")),
        Fault("status 205 with a body", .status(205, "abc"), onLinux: .success("abc"), elsewhere: .success("")),
        Fault("status 404", .status(404, "abc"), .serverError(404)),
        Fault("status 404, cut off", .raw("HTTP/1.1 404 No\r\nContent-Length: 9\r\n\r\nabc"), .transportError),
        Fault("status 407", .status(407, headers: ["Proxy-Authenticate": realm]), onLinux: .serverError(407)),
        Fault("status 408", .raw("HTTP/1.1 408 Timeout\r\nConnection: close\r\n\r\n"), .serverError(408)),
        Fault("status 417", .status(417), .serverError(417)),
        Fault("status 426", .status(426, headers: ["Upgrade": "TLS/1.0"]), .serverError(426)),
        Fault("status 431", .status(431), .serverError(431)),
        Fault("status 503", .status(503, headers: ["Retry-After": "120"]), .serverError(503)),
        Fault("status 600", status("600"), .serverError(600)),
        Fault("status 999", status("999"), .serverError(999)),
    ]

    private static let success = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"
    private static let earlyHints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
    private static let unaskedUpgrade = LoopbackServer.Response.raw("HTTP/1.1 101 Switching Protocols\r\n\r\n")
    private static let latin1Phrase = LoopbackServer.Response.raw(
        "HTTP/1.1 200 ".bytes + grüße + "\r\n\r\n".bytes)
    private static let grüße = Data([0x67, 0x72, 0xFC, 0xDF, 0x65])

    private static func status(_ status: String) -> LoopbackServer.Response {
        .raw("HTTP/1.1 \(status) Status\r\nContent-Length: 3\r\n\r\nabc")
    }

    static let headers = [
        Fault("header without a colon", .header("no colon here"), onLinux: .transportError),
        Fault("header without a name", .header(": value"), onLinux: .transportError),
        Fault("header without a value", .header("X-Name:"), .success("abc")),
        Fault("header with a space before the colon", .header("X-Name : x"), onLinux: .transportError),
        Fault("header with NUL", .header("X-Name: a\0b"), onLinux: .transportError),
        Fault("header line that begins with NUL", .raw("\0X-Name: x", body: "abc"), onLinux: .transportError),
        Fault("header with a lone CR", .header("X-Name: a\rb"), onLinux: .success("abc"))
            .from(libcurl: LibcurlVersion(8, 21), .transportError),
        Fault("header folded", .header("X-Name: a\r\n b"), .success("abc")),
        Fault("header folded first", .raw(" folded: x", body: "abc"), onLinux: .transportError),
        Fault("header lines that end in LF alone", .raw("HTTP/1.1 200 OK\n\nabc"), onLinux: .success("abc")),
        Fault("header lines that end in CR alone", .raw("HTTP/1.1 200 OK\r\nX: x\r\rabc"), onLinux: .transportError),
        Fault("header of 90 kB", .header("X-Name: \(repeated("x", 90_000))"), .success("abc")),
        Fault("header of 500 kB", .header("X-Name: " + repeated("x", 500_000)), onLinux: .transportError),
        Fault("headers: 5,000 of them", .header((1..<5_000).map { "X\($0): \r\n" }.joined() + "X: x"), .success("abc"))
            .from(libcurl: LibcurlVersion(8, 14), .transportError),
        Fault("headers: 5,000 times the same", .header(repeated("X-Name: x\r\n", 5_000) + "X: x"), .success("abc"))
            .from(libcurl: LibcurlVersion(8, 14), .transportError),
        Fault("headers without an end", .raw("HTTP/1.1 200 OK\r\n" + repeated("X: x\r\n", 9)), .transportError),
        Fault("headers that go on for ever", endlessHeaders, .transportError),
        Fault("header in Latin-1", .header("X-Name: ".bytes + grüße), onLinux: .success("abc")),
        Fault("header name in Latin-1", .header(grüße + ": x".bytes), onLinux: .transportError),
        Fault("header in UTF-8", .header("X-Name: grüße"), .success("abc")),
        Fault("header with dates that are none", .header("Date: yesterday\r\nExpires: -1"), .success("abc")),
        Fault("header with an odd content type", .header("Content-Type: ;;;=\""), .success("abc")),
        Fault("header with odd cookies", .header("Set-Cookie: =;;;\r\nSet-Cookie: a; Max-Age=-"), .success("abc")),
        Fault("header with a huge age", .header("Cache-Control: max-age=\(repeated("9", 30))"), .success("abc")),
        Fault("header Refresh", .header("Refresh: 0; url=/elsewhere"), .success("abc")),
    ]

    private static func repeated(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }

    private static let endlessHeaders = LoopbackServer.Response { _, connection in
        try connection.send("HTTP/1.1 200 OK\r\n")
        while true { try connection.send("X-Name: \(repeated("x", 10_000))\r\n") }
    }

    static let challenges =
        [
            "Basic realm=\"x\"", "basic realm=x", "Basic", "Basic realm=\"", "Basic realm=\"x\", charset=\"UTF-8\"",
            "Basic realm=\"x\", Basic realm=\"y\"", "Basic realm=\"x\", Digest realm=\"x\", nonce=\"y\"",
            "Bearer, Basic realm=\"x\"", "Basic realm=\"\(repeated("x", 5_000))\"",
            "Digest", "Digest realm=\"x\", nonce=\"y\"", "Digest realm=\"x\", nonce=\"y\", qop=auth, algorithm=SHA-256",
            "Bearer", "Bearer realm=\"x\", error=\"invalid_token\"", "DPoP algs=\"ES256\"", "HOBA max-age=\"1\"",
            "Mutual", "Negotiate", "Negotiate dG9rZW4=", "NTLM", "NTLM TlRMTVNTUAACAAA", "OAuth realm=\"x\"",
            "PrivateToken challenge=x", "SCRAM-SHA-1", "SCRAM-SHA-256 realm=\"x\"", "vapid", "AWS4-HMAC-SHA256",
            "Unheard-Of a=b", "", ",,,", "=", "\"",
        ].map { Fault("challenge: \($0.prefix(50))", .challenge($0), .serverError(401)) } + [
            Fault("challenge: none", .status(401, "abc"), .serverError(401)),
            Fault("challenge: in two fields", twoChallenges, .serverError(401)),
            Fault("challenge: cut", .raw("HTTP/1.1 401 No\r\n\(basic)\r\nContent-Length: 9\r\n\r\n"), .transportError),
            Fault("challenge: without a body", .challenge(realm, ""), .serverError(401)),
            Fault("challenge: of a proxy", .status(401, headers: ["Proxy-Authenticate": realm]), .serverError(401)),
            Fault("challenge: with a 200", .header(basic), .success("abc")),
            Fault("challenge: with a 403", .status(403, headers: ["WWW-Authenticate": realm]), .serverError(403)),
            Fault("challenge: after a redirect", .redirect(to: "/target", then: .challenge(realm)), .serverError(401)),
        ]

    private static let realm = "Basic realm=\"x\""
    private static let basic = "WWW-Authenticate: \(realm)"

    private static let twoChallenges = LoopbackServer.Response.status(
        401, headers: ["WWW-Authenticate": realm, "WWW-Authenticate": "Bearer"])
}
