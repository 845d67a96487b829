#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking
import Testing

@testable import URLSessionResult

/// Servers whose authority is trusted, over HTTP/1.1 and HTTP/2.
///
/// `make test-trusted` starts the servers and runs these tests. Without the servers they do not run.
@Suite(timeLimit, .enabled(if: TrustedServer.areRunning))
struct TrustedServerTests {
    @Test("The servers speak the protocols that they are to speak", arguments: TrustedServer.valid)
    func protocols(server: TrustedServer) async throws {
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        let response = try await session.dataResult(from: server.url("/"), decoder: .response(.data)).get()
        #expect(response.header("X-Protocol") == (server == .http2 ? "HTTP/2.0" : "HTTP/1.1"))
    }

    @Test(
        "Every form of Location leads where a browser would go, over TLS",
        arguments: APIForm.some,
        [
            ("sibling", "/a/b/sibling"), ("../up", "/a/up"), ("./", "/a/b/"), ("?q=1", "/a/b/c?q=1"),
            ("/a%2Fb", "/a%2Fb"), ("/gr%C3%BCn", "/gr%C3%BCn"), ("//localhost:PORT/there", "/there"),
            ("https://localhost:PORT/there", "/there"),
        ])
    func location(_ form: APIForm, _ row: (location: String, target: String)) async throws {
        for server in TrustedServer.valid {
            let port = try #require(server.port)
            let location = row.location.replacingOccurrences(of: "PORT", with: "\(port)")
            let body = try await form(server.url("/a/b/c?to=\(location)")).get()
            if form.givesBody { #expect(String(decoding: body, as: UTF8.self) == row.target) }
        }
    }

    @Test(
        "A cookie is stored and sent as its attributes say",
        arguments: TrustedServer.valid,
        [
            ("plain", "/cookie", true), ("secure", "/cookie", true), ("path", "/cookie", false),
            ("expired", "/cookie", false), ("lasting", "/cookie", true), ("aged", "/cookie", true),
            ("dead", "/cookie", false), ("domain", "/cookie", true), ("other", "/cookie", false),
            ("hidden", "/cookie", true),
        ])
    func cookie(server: TrustedServer, _ row: (name: String, path: String, isSent: Bool)) async throws {
        for form in APIForm.some where !form.uploads {
            let configuration = URLSessionConfiguration.ephemeral
            _ = try await form(server.url("/?set=\(row.name)"), in: URLSession(configuration: configuration)).get()
            let body = try await form(server.url(row.path), in: URLSession(configuration: configuration)).get()
            #expect(String(decoding: body, as: UTF8.self) == (row.isSent ? "a=b" : ""))
        }
    }

    @Test("A Secure cookie from https does not go to http", arguments: TrustedServer.valid)
    func secureCookie(server: TrustedServer) async throws {
        let plainServer = try LoopbackServer(.ok())
        let plainURL = try #require(URL(string: "http://localhost:\(plainServer.port)/"))
        let configuration = URLSessionConfiguration.ephemeral
        for url in try [server.url("/?set=secure"), plainURL] {
            _ = try await APIForm.all[0](url, in: URLSession(configuration: configuration)).get()
        }
        #expect(plainServer.requests.map { $0.header("Cookie") } == [nil])
    }

    @Test("Credentials do not follow a redirect from https to http, nor to another port", arguments: APIForm.all)
    func credentials(form: APIForm) async throws {
        let plainServer = try LoopbackServer(.ok())
        let url = try TrustedServer.http1.url("/a/b/c?to=http://localhost:\(plainServer.port)/")
        _ = try await form(url, headers: ["Authorization": "secret", "Cookie": "secret"]).get()
        #expect(plainServer.requests.map { $0.header("Authorization") } == [nil])
        #expect(plainServer.requests.map { $0.header("Cookie") } == [nil])
    }

    @Test(
        "A certificate that is refused has Apple's code",
        arguments: [
            (.expired, .serverCertificateHasBadDate), (.notYetValid, .serverCertificateNotYetValid),
            (.otherName, .serverCertificateUntrusted),
        ] as [(TrustedServer, URLError.Code)], APIForm.some)
    func certificate(_ row: (server: TrustedServer, code: URLError.Code), _ form: APIForm) async throws {
        let error = try #require(await form(row.server.url("/")).error)
        #expect(error.urlError?.code == row.code)
        #expect(error.localizedDescription.contains("securely"))
    }
}

/// One of the servers that `make test-trusted` starts.
enum TrustedServer: String, CaseIterable {
    case http1, http2, expired, notYetValid, otherName

    static let valid = [http1, http2]

    static var areRunning: Bool { !ports.isEmpty }

    private static let ports: [Substring: Int] = {
        let list = ProcessInfo.processInfo.environment["TRUSTED_SERVERS"] ?? ""
        let pairs = list.split(separator: " ").map { $0.split(separator: "=") }
        return Dictionary(uniqueKeysWithValues: pairs.compactMap { pair in Int(pair[1]).map { (pair[0], $0) } })
    }()

    var port: Int? { Self.ports[Substring(rawValue)] }

    func url(_ target: String) throws -> URL {
        let port = try #require(self.port)
        return try #require(URL(string: "https://localhost:\(port)\(target)"))
    }
}

#endif
