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

    // MARK: Proxies

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

    // MARK: Requests and responses

    @Test(
        "No delegate is asked about a challenge of another scheme than Basic and Digest",
        arguments: ["Bearer realm=x", "Negotiate", "NTLM", "Digest realm=x, nonce=1, algorithm=SHA-512-256"])
    func schemes(_ challenge: String) async throws {
        let server = try LoopbackServer(.challenge(challenge))
        let delegate = SessionDelegate(
            challenge: (.useCredential, URLCredential(user: "me", password: "secret", persistence: .none)))
        #expect(await delegate.session().dataResult(from: server.url()).error?.statusCode == 401)
        #expect(delegate.challenges.value == 0)
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

    @Test("A document whose last byte opens the 513th array crashes JSONDecoder")
    func lastBracket() async {
        await #expect(processExitsWith: .crash) {
            _ = try? JSONDecoder().decode([Int].self, from: Data(repeating: UInt8(ascii: "["), count: 513))
        }
    }
}

#endif
