import Foundation
import URLSessionResult

/// A reader of a gigabyte that pauses a hundred times. It runs in a process of its own, whose memory is measured.
enum SlowReader {
    static let argument = "read-slowly"
    private static let size = 1_000_000_000
    private static let pauses = 100
    private static let mostMemory = 64_000_000

    /// Runs the reader in a process of its own, and returns what went wrong.
    static func runAlone() throws -> [String] {
        // The process prints to the same output.
        fflush(nil)
        let process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments = [argument]
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == EXIT_SUCCESS ? [] : ["the slow reader failed"]
    }

    /// Reads the gigabyte, prints a row, and returns what went wrong.
    static func run() async throws -> [String] {
        let server = try LoopbackServer { _, connection in
            try connection.sendHead(200, contentLength: size)
            try connection.send(zeros: size)
        }
        let start = Date()
        var count = 0
        for try await chunk in try await URLSession(configuration: .forTests).bytesResult(from: server.url()).get().body
            .chunks
        {
            if count * pauses / size != (count + chunk.count) * pauses / size {
                try await Task.sleep(nanoseconds: 20_000_000)
            }
            count += chunk.count
        }
        let memory = peakMemory()
        print(
            """

            1 GB read in \(-start.timeIntervalSinceNow) seconds, with \(pauses) pauses: \(memory / 1_000_000) MB resident at most
            """)
        var violations: [String] = []
        if count != size { violations.append("\(count) bytes of \(size) arrived") }
        if memory > mostMemory { violations.append("a slow reader costs \(memory) bytes") }
        return violations
    }

    /// The most memory that the process has used, in bytes.
    private static func peakMemory() -> Int {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
    }
}
