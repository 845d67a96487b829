import Foundation
import URLSessionResult

/// A reader who begins when a gigabyte has arrived. It runs in a process of its own, whose memory is measured.
enum SlowReader {
    static let argument = "read-slowly"
    private static let size = 1_000_000_000
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
        let isSent = Gate()
        let server = try LoopbackServer { _, connection in
            try connection.sendHead(200, contentLength: size)
            try connection.send(zeros: size)
            isSent.open()
        }
        let start = Date()
        let response = try await URLSession(configuration: .forTests).bytesResult(from: server.url()).get()
        try await isSent.opened()
        let duration = -start.timeIntervalSinceNow
        var count = 0
        for try await chunk in response.body.chunks { count += chunk.count }
        let memory = peakMemory()
        print("\n1 GB read when all of it was sent, in \(duration) seconds: \(memory / 1_000_000) MB resident at most")
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
