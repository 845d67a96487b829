import Foundation
import URLSessionResult

/// Reads the albums at a URL in one form, and prints what that cost. `Benchmarks/Scripts/elements.py` calls it.
@main
enum Elements {
    private struct Album: Decodable, Sendable {
        struct Track: Decodable {
            var title: String
            var seconds: Int
        }

        var id: Int
        var name: String
        var artist: String
        var year: Int
        var genres: [String]
        var tracks: [Track]
    }

    private static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let url = URL(string: arguments[2]) else {
            print("usage: Elements elements|array URL")
            exit(64)
        }
        let session = URLSession(configuration: .ephemeral)
        // One album beforehand, so that the costs of the first request and of the first album do not count.
        let warmup = url.deletingLastPathComponent().appendingPathComponent("0")
        _ = try await read(warmup, by: arguments[1], in: session)
        let start = Usage.now()
        let reading = try await read(url, by: arguments[1], in: session)
        let end = Usage.now()
        print(
            reading.count, end.processorTime - start.processorTime, end.peakMemory - start.peakMemory, reading.first,
            reading.last)
    }

    /// The number of albums, and when the first and the last one were there.
    private typealias Reading = (count: Int, first: TimeInterval, last: TimeInterval)

    private static func read(_ url: URL, by form: String, in session: URLSession) async throws -> Reading {
        if form == "array" {
            let albums = try await session.dataResult(from: url, decoder: .jsonArray(of: Album.self)).get()
            return (albums.count, monotonicTime(), monotonicTime())
        }
        var reading: Reading = (0, 0, 0)
        let body = try await session.bytesResult(from: url).get().body
        for try await _ in body.elements(.json(Album.self)) {
            reading.count += 1
            reading.last = monotonicTime()
            if reading.count == 1 { reading.first = reading.last }
        }
        return reading
    }

    /// In seconds, as Python's `time.monotonic()`.
    private static func monotonicTime() -> TimeInterval {
        TimeInterval(DispatchTime.now().uptimeNanoseconds) / 1_000_000_000
    }
}

/// What the process has used so far.
private struct Usage {
    /// In seconds.
    let processorTime: TimeInterval

    /// In bytes.
    let peakMemory: Int

    static func now() -> Usage {
        var usage = rusage()
        #if canImport(Darwin)
        getrusage(RUSAGE_SELF, &usage)
        let unit = 1
        #else
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let unit = 1024
        #endif
        let times = [usage.ru_utime, usage.ru_stime].map {
            TimeInterval($0.tv_sec) + TimeInterval($0.tv_usec) / 1_000_000
        }
        return Usage(processorTime: times.reduce(0, +), peakMemory: Int(usage.ru_maxrss) * unit)
    }
}
