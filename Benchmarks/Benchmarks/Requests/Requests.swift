import AsyncHTTPClient
import Benchmark
import Comparison
import Foundation
import NIOCore
import NIOFoundationCompat
import URLSessionResult

struct Album: Decodable, Sendable {
    var id: Int
    var name: String
    var artist: String
    var year: Int

    static let json = Data(#"{"id": 7, "name": "Hejira", "artist": "Joni Mitchell", "year": 1976}"#.utf8)
}

struct UnexpectedResponse: Error {}

let benchmarks: @Sendable () -> Void = {
    Benchmark.compare("requests/one after the other", contenders, seconds: 15, repetitions: 5) { try Fixture() }
    Benchmark.compare("requests/16 at once", contenders.map { $0.atOnce(16) }, seconds: 15) { try Fixture() }
    Benchmark.compare("requests/100 at once", contenders.map { $0.atOnce(100) }, seconds: 15) { try Fixture() }
    // `make bench` has nginx for them.
    if let url = Fixture.http2URL {
        Benchmark.compare(
            "requests/one after the other, TLS with HTTP/2", contenders, seconds: 15, repetitions: 5
        ) { Fixture(url) }
        Benchmark.compare(
            "requests/100 at once, TLS with HTTP/2", contenders.map { $0.atOnce(100) }, seconds: 15
        ) { Fixture(url) }
    }
    Benchmark.compare("streams/100,000 lines of 100 bytes", lineContenders, seconds: 15) { try LinesFixture() }
}

/// A server and what the contenders send their requests with, kept open from one request to the next.
private struct Fixture: Sendable {
    let url: URL
    let session: URLSession
    let jsonDecoder = JSONDecoder()
    let decoder = ResultDecoder.json(Album.self)

    /// That of an album of the server that `Scripts/test_trusted.sh` starts.
    static var http2URL: URL? {
        let servers = ProcessInfo.processInfo.environment["TRUSTED_SERVERS"]?.split(separator: " ") ?? []
        let port = servers.first { $0.hasPrefix("http2=") }?.dropFirst("http2=".count)
        return port.flatMap { URL(string: "https://localhost:\($0)/album") }
    }

    init() throws { self.init(try LoopbackServer(body: Album.json).url) }

    init(_ url: URL) {
        self.url = url
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpMaximumConnectionsPerHost = 16
        session = URLSession(configuration: configuration)
    }
}

/// Each gets an album, decoded, after the same checks.
private let contenders: [Contender<Fixture>] = [
    Contender("URLSession, callback") { fixture in
        let album: Album = try await withCheckedThrowingContinuation { continuation in
            fixture.session.dataTask(with: fixture.url) { data, response, error in
                if let error {
                    continuation.resume(throwing: error)
                } else if let data, let response = response as? HTTPURLResponse, 200..<300 ~= response.statusCode {
                    continuation.resume(with: Result { try fixture.jsonDecoder.decode(Album.self, from: data) })
                } else {
                    continuation.resume(throwing: UnexpectedResponse())
                }
            }.resume()
        }
        blackHole(album)
    },
    Contender("library, callback") { fixture in
        let album = try await withCheckedThrowingContinuation { continuation in
            fixture.session.dataTask(with: fixture.url, decoder: fixture.decoder) {
                continuation.resume(with: $0)
            }.resume()
        }
        blackHole(album)
    },
    Contender("URLSession, async") { fixture in
        let (data, response) = try await fixture.session.data(from: fixture.url)
        guard let response = response as? HTTPURLResponse, 200..<300 ~= response.statusCode else {
            throw UnexpectedResponse()
        }
        blackHole(try fixture.jsonDecoder.decode(Album.self, from: data))
    },
    Contender("library, async") { fixture in
        blackHole(try await fixture.session.dataResult(from: fixture.url, decoder: fixture.decoder).get())
    },
    Contender("AsyncHTTPClient") { fixture in
        let request = HTTPClientRequest(url: fixture.url.absoluteString)
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(10))
        guard 200..<300 ~= response.status.code else { throw UnexpectedResponse() }
        let body = try await response.body.collect(upTo: 1 << 20)
        blackHole(try fixture.jsonDecoder.decode(Album.self, from: body))
    },
]

extension Contender {
    fileprivate func atOnce(_ count: Int) -> Contender {
        Contender(name) { fixture in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<count {
                    group.addTask { try await run(fixture) }
                }
                try await group.waitForAll()
            }
        }
    }
}
