#if os(Linux)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// What the article `UsingItOnLinux` says remains, as far as no other suite has it. A known issue here is good news: change the
/// article then.
@Suite(.inTurn, .limit(until: .swift6_4))
struct RemainingLimitsTests {
    private let session = URLSession(configuration: .forTests)

    // MARK: Redirects

    @Test("A redirect that the session's delegate stops loses its body, and keeps the rest", arguments: APIForm.some)
    func stoppedRedirect(_ form: APIForm) async throws {
        let server = try LoopbackServer(.redirect(to: "/target"))
        let session = SessionDelegate(redirect: { _ in nil }).session()
        let response = try #require(await form(server.url(), in: session).error?.response)
        #expect(response.statusCode == 302)
        #expect(response.header("Location") == "/target")
        #expect(response.body.isEmpty)
    }

    // MARK: Cookies

    @Test("A public suffix of several labels, such as co.uk, is a domain like others")
    func publicSuffix() async throws {
        let server = try LoopbackServer(.ok(headers: ["Set-Cookie": "a=b; Domain=co.localhost"]))
        for host in ["one.co.localhost", "two.co.localhost"] {
            let url = try #require(URL(string: "http://\(host):\(server.port)/"))
            _ = try await session.dataResult(from: url).get()
        }
        #expect(server.requests.last?.header("Cookie") == "a=b")
    }

    @Test(
        "Fields of cookies are joined, and some cannot be told apart",
        arguments: [
            ("Set-Cookie", ["a=b, c=d"], "a=b; c=d"), ("set-cookie", ["a=b, c=d"], "a=b; c=d"),
            ("Set-Cookie", ["a=b", "nameless"], "a=b, nameless"),
            ("set-cookie", ["a=b", "nameless"], "a=b, nameless"),
        ])
    func joinedFields(_ row: (name: String, fields: [String], sent: String)) async throws {
        let fields = row.fields.map { "\(row.name): \($0)\r\n" }.joined()
        let server = try LoopbackServer(.raw("\(fields)Content-Length: 0", body: ""))
        for _ in 0..<2 { _ = try await session.dataResult(from: server.url()).get() }
        #expect(server.requests.last?.header("Cookie") == row.sent)
    }

    @Test("A cookie over http may replace a Secure one")
    func replacedSecureCookie() async throws {
        let server = try LoopbackServer(.ok(headers: ["Set-Cookie": "a=new; Path=/"]))
        let storage = try #require(session.configuration.httpCookieStorage)
        let properties: [HTTPCookiePropertyKey: Any] = [
            .domain: "127.0.0.1", .path: "/", .name: "a", .value: "old", .secure: "TRUE",
        ]
        storage.setCookie(try #require(HTTPCookie(properties: properties)))
        _ = try await session.dataResult(from: server.url()).get()
        #expect(storage.cookies?.map(\.value) == ["new"])
    }

    // MARK: TLS and proxies

    #if compiler(>=6.3)  // An exit test captures a value.
    @Test(
        "No environment variable adds an authority",
        .disabled(if: Certificate.authorityIsTrusted, "Under `make test-trusted` the system knows it."),
        arguments: ["SSL_CERT_FILE", "CURL_CA_BUNDLE", "URLSessionCertificateAuthorityInfoFile"])
    func authority(variable: String) async {
        await #expect(processExitsWith: .success) { [variable] in
            setenv(variable, Certificate(name: "authority").path, 1)
            let server = try LoopbackServer(.ok(), over: .tls(.valid))
            let error = await URLSession(configuration: .forTests).dataResult(from: server.url()).error
            #expect(error?.urlError?.code == .serverCertificateUntrusted)
        }
    }
    #endif

    #if compiler(>=6.3)  // An exit test captures a value.
    @Test("A proxy is taken from the environment, by the lowercase names", arguments: ["http_proxy", "HTTP_PROXY"])
    func proxyOfEnvironment(variable: String) async {
        await #expect(processExitsWith: .success) { [variable] in
            let proxy = try LoopbackServer(.ok("by proxy"))
            setenv(variable, proxy.origin, 1)
            let url = try #require(URL(string: "http://host.invalid/path"))
            let result: DataResult = await URLSession(configuration: .forTests).dataResult(from: url)
            if variable == "http_proxy" {
                #expect(try result.get() == Data("by proxy".utf8))
                #expect(proxy.requests.map(\.target) == ["http://host.invalid/path"])
            } else {
                #expect(result.error?.urlError?.code == .cannotFindHost)
                #expect(proxy.requests.isEmpty)
            }
        }
    }
    #endif

    @Test("The proxy of a configuration is ignored")
    func proxyOfConfiguration() async throws {
        let proxy = try LoopbackServer(.ok("by proxy"))
        let server = try LoopbackServer(.ok("direct"))
        let configuration = URLSessionConfiguration.forTests
        configuration.connectionProxyDictionary = [
            "HTTPEnable": 1, "HTTPProxy": "127.0.0.1", "HTTPPort": Int(proxy.port),
        ]
        let result: DataResult = await URLSession(configuration: configuration).dataResult(from: server.url())
        #expect(try result.get() == Data("direct".utf8))
        #expect(proxy.requests.isEmpty)
    }

    // MARK: Requests and responses

    @Test("No delegate is asked about a challenge of another scheme than Basic")
    func digest() async throws {
        let server = try LoopbackServer(.challenge(#"Digest realm="x", nonce="1""#))
        let delegate = SessionDelegate(
            challenge: (.useCredential, URLCredential(user: "me", password: "secret", persistence: .none)))
        #expect(await delegate.session().dataResult(from: server.url()).error?.statusCode == 401)
        #expect(delegate.challenges.value == 0)
    }

    @Test("An IPv6 address as the host is a bad URL")
    func addressOfVersion6() async throws {
        let url = try #require(URL(string: "http://[::1]:9/"))
        #expect(await session.dataResult(from: url).error?.urlError?.code == .badURL)
    }

    @Test(
        "No response is cached, whatever is asked for",
        arguments: [URLRequest.CachePolicy.useProtocolCachePolicy, .returnCacheDataElseLoad])
    func caching(policy: URLRequest.CachePolicy) async throws {
        let server = try LoopbackServer(.ok("abc", headers: ["Cache-Control": "max-age=3600"]))
        let configuration = URLSessionConfiguration.forTests
        configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        let session = URLSession(configuration: configuration)
        let request = URLRequest(url: server.url(), cachePolicy: policy)
        for _ in 1...2 { #expect(try await session.dataResult(for: request).get() == Data("abc".utf8)) }
        #expect(server.requests.count == 2)
    }

    @Test("A redirect is followed when its body has ended")
    func bodyOfRedirect() async throws {
        let head = "HTTP/1.1 302 Found\r\nLocation: /target\r\nContent-Length: 9\r\n\r\nmoved"
        let server = try LoopbackServer(.stalled(after: head))
        var request = URLRequest(url: server.url())
        request.timeoutInterval = 1
        #expect(await session.dataResult(for: request).error?.urlError?.code == .timedOut)
        #expect(server.requests.map(\.target) == ["/"])
    }

    @Test(
        "A header field without a space after its colon, or of white space alone, cannot be parsed",
        .limit(until: .swift6_3_2), arguments: ["X-Other:0", "X-Other:  "])
    func fieldWithoutSpace(field: String) async throws {
        let server = try LoopbackServer(.header(field))
        #expect(await session.dataResult(from: server.url()).error?.urlError?.code == .cannotParseResponse)
    }

    @Test("Of a header field that comes in two capitalizations, one is lost")
    func namesInTwoCapitalizations() async throws {
        let server = try LoopbackServer(.ok("abc", headers: ["X-Name": "a", "x-name": "b"]))
        let response = try await session.dataResult(from: server.url(), decoder: .response(.data)).get()
        #expect(["a", "b"].contains(response.header("X-Name")))
    }

    #if compiler(>=6.3)  // An exit test captures a value.
    @Test("A length near the largest integer crashes", arguments: ["GET", "HEAD"])
    func lengthOutOfRange(method: String) async {
        await #expect(processExitsWith: .crash) { [method] in
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775296\r\n\r\n"
            let server = try LoopbackServer(.stalled(after: head))
            var request = URLRequest(url: server.url())
            request.httpMethod = method
            request.timeoutInterval = 1
            _ = await URLSession(configuration: .forTests).dataResult(for: request)
        }
    }
    #endif

    @Test("A header field that is not UTF-8 cannot be parsed")
    func latin1Header() async throws {
        let head = Data("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Name: caf".utf8) + [0xE9] + Data("\r\n\r\n".utf8)
        let server = try LoopbackServer(.raw(head))
        #expect(await session.dataResult(from: server.url()).error?.urlError?.code == .cannotParseResponse)
    }

    @Test("A gzip body that is cut off is complete if its length is right")
    func cutGzip() async throws {
        // "hello hello hello", without the last eight bytes, which are the checksum and the length.
        let bytes: [UInt8] = [
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40, 0x90, 0,
        ]
        let server = try LoopbackServer(.ok(Data(bytes), headers: ["Content-Encoding": "gzip"]))
        let result: DataResult = await session.dataResult(from: server.url())
        #expect(try String(decoding: result.get(), as: UTF8.self) == "hello hello hello")
    }

    #if compiler(>=6.3)  // An exit test captures a value.
    @Test(
        "A response that ends within its head, or a redirect that has trailers, crashes", arguments: Fault.withoutHead)
    func headWithoutEnd(name: String) async {
        await expectCrash(by: name)
    }

    @Test("A length or a host that is none crashes", arguments: Fault.outOfRange)
    func outOfRange(name: String) async {
        await expectCrash(by: name)
    }
    #endif

    @Test("A document whose last byte opens the 513th array crashes JSONDecoder")
    func lastBracket() async {
        await #expect(processExitsWith: .crash) {
            _ = try? JSONDecoder().decode([Int].self, from: Data(repeating: UInt8(ascii: "["), count: 513))
        }
    }

    #if compiler(>=6.3)  // An exit test captures a value.
    /// - Parameter name: The name of a fault.
    private func expectCrash(by name: String) async {
        await #expect(processExitsWith: .crash) { [name] in
            let fault = try #require(Fault.all.first { $0.name == name })
            let server = try fault.server()
            _ = await URLSession(configuration: .forTests).dataResult(for: fault.request(to: server.url()))
        }
    }
    #endif
}

extension Fault {
    /// The names of the faults of upstream's issue 5285, and of the other fatal ones.
    fileprivate static let withoutHead = fatalOnLinux.filter { $0.value.contains("5285") }.keys.sorted()
    fileprivate static let outOfRange = Set(fatalOnLinux.keys).subtracting(withoutHead).sorted()
}

#endif
