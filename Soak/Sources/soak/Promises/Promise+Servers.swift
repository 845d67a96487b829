#if os(Linux)

import Foundation
import URLSessionResult

extension Promise {
    static let hosts = [
        ("capitals", "HTTP://LOCALHOST:"), ("an IPv6 address that is one of IPv4", "http://[::ffff:127.0.0.1]:"),
    ].map { name, beginning in
        Promise("a URL with \(name) is requested") {
            let server = try LoopbackServer(.ok("abc"))
            guard let url = URL(string: "\(beginning)\(server.port)/") else { return }
            let result = await URLSession(configuration: .forTests).dataResult(from: url)
            try require((try? result.get()) == Data("abc".utf8), otherwise: "the result is \(result)")
        }
    }

    static let proxies = RequestKind.allCases.map { kind in
        Promise("the proxy of a session is used: \(kind.rawValue)") {
            let proxy = try LoopbackServer(.ok("by proxy"))
            let configuration = URLSessionConfiguration.forTests
            configuration.connectionProxyDictionary = [
                "HTTPEnable": 1, "HTTPProxy": "127.0.0.1", "HTTPPort": Int(proxy.port),
            ]
            guard let url = URL(string: "http://host.invalid/") else { return }
            let result = await kind.send(to: url, in: URLSession(configuration: configuration))
            try require((try? result.get()) == Data("by proxy".utf8), otherwise: "the result is \(result)")
        }
    }

    static let metrics = [
        Promise("a response has its metrics") {
            let server = try LoopbackServer(.ok("abc"))
            let session = URLSession(configuration: .forTests)
            let metrics = try await session.dataResult(from: server.url(), decoder: .response(.data)).get().metrics
            try require(
                metrics?.networkProtocolName == "http/1.1", otherwise: "the protocol is \(String(describing: metrics))")
        }
    ]

    static let slowReaders = [
        Promise("a server waits for a reader that is behind") {
            let sent = Monitor(0)
            let megabytes = 64
            let server = try LoopbackServer { request, connection in
                try connection.sendHead(200, contentLength: megabytes << 20)
                for _ in 0..<megabytes {
                    try connection.send(zeros: 1 << 20)
                    if request.path == "/slow" { sent.withLock { $0 += 1 } }
                }
            }
            let session = URLSession(configuration: .forTests)
            let slow = try await session.bytesResult(from: server.url("/slow")).get().body
            // Meanwhile, all comes to another one.
            let other = try await session.bytesResult(from: server.url("/other")).get().body
            let count = try await other.chunks.reduce(0) { $0 + $1.count }
            try require(count == megabytes << 20, otherwise: "\(count) bytes come to another one")
            try require(sent.value < megabytes / 2, otherwise: "\(sent.value) MiB are sent")
            withExtendedLifetime(slow) {}
        }
    ]
}

#endif
