import Benchmark
import Comparison
import Foundation
import URLSessionResult

/// A server whose body has 100,000 lines of 100 bytes.
struct LinesFixture: Sendable {
    let server: LoopbackServer
    let session = URLSession(configuration: .ephemeral)

    init() throws {
        let line = String(repeating: "x", count: 99) + "\n"
        server = try LoopbackServer(body: Data(String(repeating: line, count: 100_000).utf8))
    }
}

/// Each reads every line as a string and counts them.
let lineContenders: [Contender<LinesFixture>] = [
    Contender("URLSession, all lines at once") { fixture in
        let (data, _) = try await fixture.session.data(from: fixture.server.url)
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        blackHole(lines.map { String(decoding: $0, as: UTF8.self) }.count)
    },
    Contender("library, line by line") { fixture in
        var count = 0
        for try await _ in try await fixture.session.bytesResult(from: fixture.server.url).get().body.lines {
            count += 1
        }
        blackHole(count)
    },
]
