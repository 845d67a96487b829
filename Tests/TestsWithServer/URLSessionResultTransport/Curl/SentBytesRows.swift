#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

extension SentBytesTests {
    /// What is sent.
    enum Content: Sendable {
        /// What the request has.
        case request
        case data(Data)
        case file(Data)
    }

    /// A line of the head, or the body, in which the library and `URLSession` differ. Nil where only the other has one.
    struct Difference: Sendable {
        var ours: String?
        var urlSession: String?
        let reason: String

        static let keepAlive = Difference(
            urlSession: "Connection: keep-alive", reason: "HTTP/1.1 keeps a connection without it.")

        /// That of a body without a type.
        static let blank = Difference(
            ours: "Content-Type: application/x-www-form-urlencoded",
            urlSession: "Content-Type:application/x-www-form-urlencoded",
            reason: "The field is written as all others are.")
    }

    /// A request, and what differs in it.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let target: String
        let host: String
        let content: Content

        /// What the session has.
        let fields: [String: String]?
        let cookie: String?
        let differences: [Difference]
        let change: @Sendable (inout URLRequest) -> Void

        init(
            _ name: String, target: String = "/", host: String = "127.0.0.1", sending content: Content = .request,
            fields: [String: String]? = nil, cookie: String? = nil, differences: [Difference] = [],
            keepsAlive: Bool = true,
            _ change: @escaping @Sendable (inout URLRequest) -> Void = { _ in }
        ) {
            testDescription = name
            self.target = target
            self.host = host
            self.content = content
            self.differences = differences + (keepsAlive ? [.keepAlive] : [])
            self.fields = fields
            self.cookie = cookie
            self.change = change
        }

        /// A row for a request with a field.
        init(_ name: String, _ value: String, differences: [Difference] = [], keepsAlive: Bool = true) {
            self.init("\(name): \(value)", differences: differences, keepsAlive: keepsAlive) {
                $0.setValue(value, forHTTPHeaderField: name)
            }
        }
    }

    private static let body = Data("body".utf8)
    static let large = Data.blocks(20, ofSize: 100_000)

    static let rows = methods + uploads + fields + targets + settings

    private static let methods: [Row] = [
        Row("GET"),
        Row("HEAD") { $0.httpMethod = "HEAD" },
        Row("OPTIONS") { $0.httpMethod = "OPTIONS" },
        Row("TRACE") { $0.httpMethod = "TRACE" },
        Row("PURGE") { $0.httpMethod = "PURGE" },
        Row("get") { $0.httpMethod = "get" },
        Row("purge") { $0.httpMethod = "purge" },
        Row("POST of nothing") { $0.httpMethod = "POST" },
        Row("POST of an empty body") {
            $0.httpMethod = "POST"
            $0.httpBody = Data()
        },
        Row("PUT of nothing") { $0.httpMethod = "PUT" },
        Row("DELETE") { $0.httpMethod = "DELETE" },
        Row("POST", differences: [.blank]) {
            $0.httpMethod = "POST"
            $0.httpBody = body
        },
        Row("post", differences: [.blank]) {
            $0.httpMethod = "post"
            $0.httpBody = body
        },
        Row("PUT") {
            $0.httpMethod = "PUT"
            $0.httpBody = body
        },
        Row("PATCH") {
            $0.httpMethod = "PATCH"
            $0.httpBody = body
        },
        Row("DELETE with a body") {
            $0.httpMethod = "DELETE"
            $0.httpBody = body
        },
        Row("GET with a body", keepsAlive: false) { $0.httpBody = body },
        Row("PUT of 2 MB") {
            $0.httpMethod = "PUT"
            $0.httpBody = large
        },
        Row("POST of 2 MB", differences: [.blank]) {
            $0.httpMethod = "POST"
            $0.httpBody = large
        },
    ]

    private static let uploads: [Row] = [
        Row("upload of data by PUT", sending: .data(body)) { $0.httpMethod = "PUT" },
        Row("upload of data by POST", sending: .data(body)) { $0.httpMethod = "POST" },
        Row("upload of data with a type", sending: .data(body)) {
            $0.httpMethod = "POST"
            $0.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        },
        Row("upload of no bytes by PUT", sending: .data(Data())) { $0.httpMethod = "PUT" },
        Row("upload of no bytes by POST", sending: .data(Data())) { $0.httpMethod = "POST" },
        Row("upload of data in place of a body", sending: .data(Data("other".utf8))) {
            $0.httpMethod = "PUT"
            $0.httpBody = body
        },
        Row("upload of 2 MB by PUT", sending: .data(large)) { $0.httpMethod = "PUT" },
        Row("upload of 2 MB by POST", sending: .data(large)) { $0.httpMethod = "POST" },
        Row("upload of a file by PUT", sending: .file(body)) { $0.httpMethod = "PUT" },
        Row("upload of a file by POST", sending: .file(body)) { $0.httpMethod = "POST" },
        Row("upload of an empty file", sending: .file(Data())) { $0.httpMethod = "PUT" },
        Row("upload of a file of 2 MB", sending: .file(large)) { $0.httpMethod = "PUT" },
        Row("stream by PUT") {
            $0.httpMethod = "PUT"
            $0.httpBodyStream = InputStream(data: body)
        },
        Row("stream by POST", differences: [.blank]) {
            $0.httpMethod = "POST"
            $0.httpBodyStream = InputStream(data: body)
        },
        Row(
            "stream with a length",
            differences: [
                Difference(urlSession: "Transfer-Encoding: chunked", reason: "A request has one of both fields."),
                Difference(ours: "body", urlSession: "4\r\nbody\r\n0\r\n\r\n", reason: "Its length is known."),
            ]
        ) {
            $0.httpMethod = "PUT"
            $0.httpBodyStream = InputStream(data: body)
            $0.setValue("4", forHTTPHeaderField: "Content-Length")
        },
        Row("stream of no bytes") {
            $0.httpMethod = "PUT"
            $0.httpBodyStream = InputStream(data: Data())
        },
    ]

    /// Before libcurl 8.7, such a body never comes.
    private static let emptyChunk = Difference(ours: "", urlSession: "0\r\n\r\n", reason: "A GET has no body.")

    private static let fields: [Row] = [
        Row("X-Field", "value"),
        Row("x-FIELD", "value"),
        Row("X-Empty", ""),
        Row("X-Blanks", "  a  b  "),
        Row("X-Umlaut", "grüße"),
        Row("X-Semicolon", "a;"),
        Row("a field added twice") {
            $0.addValue("a", forHTTPHeaderField: "X-Field")
            $0.addValue("b", forHTTPHeaderField: "x-field")
        },
        Row("Accept", "application/json"),
        Row("Accept-Encoding", "identity"),
        Row("Accept-Encoding", ""),
        Row("Accept-Language", "de"),
        Row("Authorization", "Bearer token"),
        Row("Cookie", "a=b; c=d"),
        Row("User-Agent", "Albums/1.0"),
        Row("User-Agent", ""),
        Row("Host", "example.com"),
        Row(
            "Host", "",
            differences: [
                Difference(ours: "Host: 127.0.0.1:PORT", urlSession: "Host:", reason: "Every request needs a host.")
            ]),
        Row("Connection", "close", keepsAlive: false),
        Row("Referer", "http://example.com/"),
        Row("Content-Type", "text/plain"),
        Row(
            "Content-Length", "4",
            differences: [Difference(urlSession: "Content-Length: 4", reason: "The server would wait for a body.")]),
        Row(
            "Content-Length", "0",
            differences: [Difference(urlSession: "Content-Length: 0", reason: "The library says how long a body is.")]),
        Row(
            "Transfer-Encoding", "chunked",
            differences: [
                Difference(urlSession: "Transfer-Encoding: chunked", reason: "The server would wait for a body.")
            ] + (LibcurlVersion(8, 7).isLoaded ? [emptyChunk] : [])),
        Row("Range", "bytes=0-9"),
        Row("If-None-Match", "\"etag\""),
        Row("If-Modified-Since", "Thu, 01 Jan 1970 00:00:00 GMT"),
        Row("Cache-Control", "no-cache"),
        Row("Content-Type with a body") {
            $0.httpMethod = "POST"
            $0.httpBody = body
            $0.setValue("application/json", forHTTPHeaderField: "content-type")
        },
        Row("Content-Length as it is") {
            $0.httpMethod = "PUT"
            $0.httpBody = body
            $0.setValue("4", forHTTPHeaderField: "Content-Length")
        },
        Row(
            "Content-Length that is too short",
            differences: [
                Difference(
                    ours: "Content-Length: 4", urlSession: "Content-Length: 2",
                    reason: "The server would take the rest for the next request.")
            ]
        ) {
            $0.httpMethod = "PUT"
            $0.httpBody = body
            $0.setValue("2", forHTTPHeaderField: "Content-Length")
        },
        Row("Transfer-Encoding with a body") {
            $0.httpMethod = "PUT"
            $0.httpBody = body
            $0.setValue("chunked", forHTTPHeaderField: "Transfer-Encoding")
        },
        Row("Expect with a body") {
            $0.httpMethod = "PUT"
            $0.httpBody = body
            $0.setValue("100-continue", forHTTPHeaderField: "Expect")
        },
        Row("Expect", "100-continue"),
    ]

    private static let targets: [Row] = [
        Row("no path", target: ""),
        Row("a query without a path", target: "?a=b"),
        Row("a query", target: "/a?q=a%20b+c&d[]='e'&f=%C3%BC;g,(h)!*:@$~/?"),
        Row("a query that is empty", target: "/?"),
        Row("a path", target: "/a%2Fb//c/./d/../e;f=g/%7Eh:i@j"),
        Row("a fragment", target: "/a?b#c?d"),
        Row("a name of a host", host: "localhost"),
        Row("a host in capitals", host: "LOCALHOST"),
        Row("an international host", host: "bücher.localhost"),
        Row("a user", host: "joni@127.0.0.1"),
        Row("a user and a password", host: "joni:bl%75e@127.0.0.1"),
    ]

    private static let settings: [Row] = [
        Row("reloadIgnoringLocalCacheData") { $0.cachePolicy = .reloadIgnoringLocalCacheData },
        Row("reloadIgnoringLocalAndRemoteCacheData") { $0.cachePolicy = .reloadIgnoringLocalAndRemoteCacheData },
        Row("reloadRevalidatingCacheData") { $0.cachePolicy = .reloadRevalidatingCacheData },
        Row("returnCacheDataElseLoad") { $0.cachePolicy = .returnCacheDataElseLoad },
        Row("timeoutInterval") { $0.timeoutInterval = 100 },
        Row("mainDocumentURL") { $0.mainDocumentURL = URL(string: "http://example.com/") },
        Row("allowsCellularAccess") { $0.allowsCellularAccess = false },
        Row(
            "httpAdditionalHeaders",
            fields: ["X-Field": "session", "User-Agent": "Albums/1", "Accept": "a/b"]),
        Row(
            "httpAdditionalHeaders that the request has",
            fields: ["X-Field": "session", "x-other": "session"]
        ) {
            $0.setValue("request", forHTTPHeaderField: "x-field")
            $0.setValue("request", forHTTPHeaderField: "X-Other")
        },
        Row(
            "httpAdditionalHeaders with Content-Type", fields: ["Content-Type": "a/b"],
            differences: [
                Difference(
                    urlSession: "Content-Type:application/x-www-form-urlencoded", reason: "The body has one type.")
            ]
        ) {
            $0.httpMethod = "POST"
            $0.httpBody = body
        },
        Row("stored cookies", cookie: "b"),
        Row("stored cookies, and one of the request", cookie: "b") {
            $0.setValue("c=d", forHTTPHeaderField: "Cookie")
        },
        Row(
            "stored cookies that are not to be sent", cookie: "b",
            differences: [Difference(urlSession: "Cookie: a=b", reason: "The request says that it has none.")]
        ) {
            $0.httpShouldHandleCookies = false
        },
    ]
}

#endif
