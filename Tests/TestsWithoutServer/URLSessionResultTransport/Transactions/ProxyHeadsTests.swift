#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResultTransport

/// Whose a head is, by what follows it.
struct ProxyHeadsTests {
    private let first = URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
    private let second = URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
    private static let url = URL(fileURLWithPath: "/")

    @Test("A head is kept back, and the server's if more of a body follows")
    func confirmed() {
        var sender = ProxyHeads.proxyOrServer()
        #expect(sender.keepBack(first) { $0() })
        #expect(sender.serversHead(first) == nil)
        #expect(sender.settle { _ in true }?.head === first)
        #expect(sender.serversHead(first) === first)
        // From now on, each is the server's.
        #expect(!sender.keepBack(second) { $0() })
        #expect(sender.settle { _ in true }?.head == nil)
    }

    @Test("A head is the proxy's if another one follows")
    func replaced() {
        var sender = ProxyHeads.proxyOrServer()
        #expect(sender.keepBack(first) { $0() } && sender.keepBack(second) { $0() })
        #expect(sender.settle { $0 === second }?.head === second)
    }

    @Test("A head that is not the server's is shown to nobody, and the next one is")
    func rejected() {
        var sender = ProxyHeads.proxyOrServer()
        #expect(sender.keepBack(first) { $0() })
        #expect(sender.settle { $0 === second }?.head == nil)
        #expect(sender.serversHead(first) == nil && sender.serversHead(second) === second)
        #expect(!sender.keepBack(second) { $0() })
    }

    @Test("Only https by libcurl may have a proxy's head", arguments: ["http://a.test", "https://a.test"])
    func withoutProxy(address: String) throws {
        let request = URLRequest(url: try #require(URL(string: address)))
        for loader in [Loader.session, .urlProtocol(URLProtocol.self)] {
            var sender = ProxyHeads(of: request, by: loader)
            #expect(!sender.mayBeProxy && !sender.keepBack(first) { $0() })
        }
        #expect(
            ProxyHeads(of: request, by: .http).mayBeProxy == (address.hasPrefix("https") && SystemCalls.hasProxyForTLS))
    }
}

#endif
