import Foundation
import Testing
import URLSessionResult

@testable import TestSupport

@Suite(.inTurn)
struct HTTPMethodTests {
    @Test(
        "A request is sent with its method",
        arguments: [
            (.get, "GET"), (.post, "POST"), (.put, "PUT"), (.patch, "PATCH"), (.delete, "DELETE"), (.head, "HEAD"),
            (.options, "OPTIONS"), ("PROPFIND", "PROPFIND"),
        ] as [(HTTPMethod, String)])
    func methods(method: HTTPMethod, name: String) async throws {
        let server = try LoopbackServer(.ok())
        let request = URLRequest(url: server.url(), method: method)
        _ = try await URLSession(configuration: .forTests).dataResult(for: request).get()
        #expect(server.requests.map(\.method) == [name])
    }

    @Test("A name from elsewhere is a method if it is a token of HTTP")
    func tokens() {
        for name in ["GET", "gEt", "M-SEARCH", "!#$%&'*+-.^_`|~09azAZ"] {
            #expect(HTTPMethod(rawValue: name)?.rawValue == name)
        }
        for name in [
            "", " ", "GET ", " GET", "GET /", "GET\r\nX: y", "GÉT", "A\0B", "A,B", "(A)", "A\"B", "A:B", "A\u{7F}",
        ] {
            #expect(HTTPMethod(rawValue: name) == nil)
        }
    }

    #if os(Linux)
    @Test("Only the usual methods lose their capitalization")
    func capitalization() async throws {
        let server = try LoopbackServer(.ok())
        for method: HTTPMethod in ["gEt", "pRopfind"] {
            _ = try await URLSession(configuration: .forTests).dataResult(
                for: URLRequest(url: server.url(), method: method)
            ).get()
        }
        #expect(server.requests.map(\.method) == ["GET", "pRopfind"])
    }
    #endif

    @Test("HEAD gives an empty body")
    func head() async throws {
        let server = try LoopbackServer(.ok("body"))
        let request = URLRequest(url: server.url(), method: .head)
        #expect(try await URLSession(configuration: .forTests).dataResult(for: request).get() == Data())
    }
}
