#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

/// The `connectionProxyDictionary` of a configuration, with the keys of Apple's platforms.
@Suite(.inTurn)
struct ConfiguredProxyTests {
    private static func session(_ dictionary: [AnyHashable: Any]?) -> URLSession {
        let configuration = URLSessionConfiguration.forTests
        configuration.connectionProxyDictionary = dictionary
        return URLSession(configuration: configuration)
    }

    private static func dictionary(
        _ kind: String, _ port: UInt16, hasCredential: Bool = false
    ) -> [AnyHashable: Any] {
        let proxy: [AnyHashable: Any] = [
            "\(kind)Enable": 1, "\(kind)Proxy": "127.0.0.1", "\(kind)Port": Int(port),
        ]
        return hasCredential ? proxy.merging(credential as [AnyHashable: Any]) { $1 } : proxy
    }

    /// The credential has what separates the parts of a URL.
    private static let credential = [
        "kCFProxyUsernameKey": "user", "kCFProxyPasswordKey": "a:b@c/%41ü",
    ]

    private static let basicCredential = "Basic \(Data("user:a:b@c/%41ü".utf8).base64EncodedString())"

    @Test("A request over http goes to its proxy, with the credential", arguments: APIForm.some, [false, true])
    func http(_ form: APIForm, hasCredential: Bool) async throws {
        let proxy = try LoopbackServer(.ok("by proxy"))
        let url = try #require(URL(string: "http://host.invalid/path"))
        let dictionary = Self.dictionary("HTTP", proxy.port, hasCredential: hasCredential)
        #expect(try await form(url, in: Self.session(dictionary)).get() == Data("by proxy".utf8))
        #expect(proxy.requests.map(\.target) == ["http://host.invalid/path"])
        let field = hasCredential ? Self.basicCredential : nil
        #expect(proxy.requests.map { $0.header("Proxy-Authorization") } == [field])
    }

    @Test("A request over https asks its proxy for a tunnel, and goes nowhere without", arguments: APIForm.some)
    func refusedTunnel(_ form: APIForm) async throws {
        let proxy = try ConnectProxy(.forbidden)
        let server = try LoopbackServer(.ok(), over: .tls(.valid))
        let dictionary = Self.dictionary("HTTPS", proxy.port)
        let error = await form(server.url(), in: Self.session(dictionary)).error
        #expect(error?.urlError?.localizedDescription.contains("CONNECT") == true)
        #expect(proxy.requests.map(\.target) == ["127.0.0.1:\(server.port)"])
        #expect(server.requests.isEmpty)
    }

    @Test(
        "The server sees no credential of the proxy",
        .enabled(if: Certificate.authorityIsTrusted, "`make test-trusted` runs it."), arguments: APIForm.some)
    func https(_ form: APIForm) async throws {
        let proxy = try ConnectProxy(.fields)
        let server = try LoopbackServer(.ok("body"), over: .tls(.valid))
        let dictionary = Self.dictionary("HTTPS", proxy.port, hasCredential: true)
        #expect(try await form(server.url(), in: Self.session(dictionary)).get() == Data("body".utf8))
        #expect(proxy.requests.map { $0.header("Proxy-Authorization") } == [Self.basicCredential])
        #expect(server.requests.map { $0.header("Proxy-Authorization") } == [nil])
    }

    @Test(
        "A head of 6,000 fields arrives whole or is an error, whatever the head of a proxy was",
        .enabled(if: Certificate.authorityIsTrusted, "`make test-trusted` runs it."), arguments: APIForm.some,
        ConnectProxy.Answer.tunnels)
    func longHead(_ form: APIForm, behind answer: ConnectProxy.Answer) async throws {
        let proxy = try ConnectProxy(answer)
        let server = try LoopbackServer(over: .tls(.valid)) { _, connection in
            let fields = (0..<6_000).map { "X-\($0): 1\r\n" }.joined()
            try connection.send("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 4\r\n\r\nbody")
        }
        let result = await form(server.url(), in: Self.session(Self.dictionary("HTTPS", proxy.port)))
        switch result {
        case .success(let body): #expect(body == Data("body".utf8))
        // Some versions take 5,000 fields at most.
        case .failure(let error): #expect(error.urlError?.code == .cannotParseResponse, "\(error)")
        }
    }

    @Test("A SOCKS proxy looks up the host, and gets the credential", arguments: APIForm.some, [false, true])
    func socks(_ form: APIForm, hasCredential: Bool) async throws {
        let proxy = try SocksProxy(needsPassword: hasCredential)
        let server = try LoopbackServer(.ok("body"))
        let url = try #require(URL(string: "http://host.invalid:\(server.port)/path"))
        let dictionary = Self.dictionary("SOCKS", proxy.port, hasCredential: hasCredential)
        #expect(try await form(url, in: Self.session(dictionary)).get() == Data("body".utf8))
        #expect(server.requests.map(\.target) == ["/path"])
        #expect(proxy.hosts == [Data("host.invalid".utf8)])
        #expect(proxy.credentials == (hasCredential ? ["user", "a:b@c/%41ü"] : []))
    }

    @Test(
        "A proxy that cannot be used is an error, and nothing goes around it",
        arguments: APIForm.some,
        [("host.invalid", "80", .cannotFindHost), ("127.0.0.1", "x", .cannotConnectToHost)]
            as [(String, String, URLError.Code)])
    func unusable(_ form: APIForm, _ row: (host: String, port: String, code: URLError.Code)) async throws {
        let server = try LoopbackServer(.ok())
        for kind in ["HTTP", "SOCKS"] {
            let dictionary: [AnyHashable: Any] = [
                "\(kind)Enable": 1, "\(kind)Proxy": row.host, "\(kind)Port": row.port,
            ]
            let error = await form(server.url(), in: Self.session(dictionary)).error
            #expect(error?.urlError?.code == row.code, "\(String(describing: error))")
        }
        #expect(server.requests.isEmpty)
    }

    @Test("A SOCKS proxy that wants a password is an error without one", arguments: APIForm.some)
    func missingPassword(_ form: APIForm) async throws {
        let proxy = try SocksProxy(needsPassword: true)
        let server = try LoopbackServer(.ok())
        let error = await form(server.url(), in: Self.session(Self.dictionary("SOCKS", proxy.port))).error
        #expect(error?.urlError?.code == .cannotConnectToHost, "\(String(describing: error))")
        #expect(server.requests.isEmpty)
    }

    @Test("A redirect goes by the proxy of its target, if that has one", arguments: APIForm.some)
    func redirect(_ form: APIForm) async throws {
        let server = try LoopbackServer(.ok("direct"))
        let proxy = try LoopbackServer(.redirect(to: server.url().absoluteString, status: 307))
        var dictionary = Self.dictionary("HTTP", proxy.port)
        dictionary["ExceptionsList"] = ["127/8"]
        let url = try #require(URL(string: "http://host.invalid/"))
        #expect(try await form(url, in: Self.session(dictionary)).get() == Data("direct".utf8))
        #expect(proxy.requests.map(\.target) == ["http://host.invalid/"])
        #expect(server.requests.map(\.target) == ["/"])
    }

    #if compiler(>=6.3)  // An exit test captures a value.
    @Test(
        "The environment counts for a session without a dictionary, and an empty dictionary is no proxy",
        arguments: ["nil", "empty", "excepted", "proxy"])
    func environment(dictionary: String) async {
        await #expect(processExitsWith: .success) { [dictionary] in
            let ofEnvironment = try LoopbackServer(.ok("environment"))
            let ofSession = try LoopbackServer(.ok("session"))
            let server = try LoopbackServer(.ok("direct"))
            setenv("http_proxy", ofEnvironment.origin, 1)
            // This would keep the session's proxy from its host.
            setenv("no_proxy", dictionary == "proxy" ? "127.0.0.1" : "", 1)
            var settings = Self.dictionary("HTTP", ofSession.port)
            if dictionary == "excepted" { settings["ExceptionsList"] = ["127.0.0.1"] }
            for form in APIForm.some {
                let (used, expected): ([AnyHashable: Any]?, String) =
                    switch dictionary {
                    case "nil": (nil, "environment")
                    case "empty": ([:], "direct")
                    case "excepted": (settings, "direct")
                    default: (settings, "session")
                    }
                let body = try await form(server.url(), in: Self.session(used)).get()
                #expect(String(decoding: body, as: UTF8.self) == expected, "\(form)")
            }
        }
    }
    #endif
}

#endif
