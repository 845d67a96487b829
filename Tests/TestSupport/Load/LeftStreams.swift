import Foundation
import URLSessionResult

/// Streams, many at once, of which some are read to their end and the others are left on the way. Every third one is redirected.
struct LeftStreams: Sendable {
    let count: Int
    let atOnce: Int
    var transport = LoopbackServer.Transport.tcp

    /// How a stream is left.
    enum Ending: CaseIterable, Sendable {
        /// It is read to its end.
        case read
        /// Its response is never read.
        case dropped
        /// The loop is left.
        case brokenOut
        /// The Swift task is cancelled at a moment that is random, and the same in each run.
        case cancelled
    }

    struct Report: Sendable {
        /// How many streams ended in each of the ways.
        var endings: [Ending: Int] = [:]
        /// How many of those that were cancelled were over before.
        var lateCancellations = 0
        /// What went wrong.
        var errors: [String] = []
    }

    private static let body = Data(String(repeating: "id: 1\ndata: some words of an event\n\n", count: 8000).utf8)

    /// Runs the streams, and returns when all connections are closed, each of which is for one response.
    func run() async throws -> Report {
        // A connection that is kept waits for a request that may never come.
        let server = try LoopbackServer(
            [
                "/": .status(302, "moved", headers: ["Location": "/target", "Connection": "close"]),
                "/target": .ok(Self.body, headers: ["Connection": "close"]),
            ], over: transport)
        let report = await run(to: server)
        try await server.connectionsClosed()
        return report
    }

    /// Runs the streams in a session that goes afterwards.
    private func run(to server: LoopbackServer) async -> Report {
        let configuration = URLSessionConfiguration.forTests
        configuration.httpMaximumConnectionsPerHost = atOnce
        let session = URLSession(configuration: configuration)
        let report = Monitor(Report())
        let duration = await duration(of: server.url("/target"), in: session)
        let indices = Monitor(Array(0..<count))
        await withTaskGroup { group in
            for _ in 0..<atOnce {
                group.addTask {
                    while let index = indices.withLock({ $0.popLast() }) {
                        let url = server.url(index.isMultiple(of: 3) ? "/" : "/target")
                        let ending = Ending.allCases[index % Ending.allCases.count]
                        var pauses = SeededGenerator(seed: UInt64(index))
                        let pause = TimeInterval.random(in: 0...TimeInterval(atOnce) * duration, using: &pauses)
                        await run(url, in: session, to: ending, after: pause, report)
                    }
                }
            }
        }
        session.finishTasksAndInvalidate()
        return report.value
    }

    private func duration(of url: URL, in session: URLSession) async -> TimeInterval {
        let start = Date()
        _ = await session.bytesResult(from: url).collected()
        return -start.timeIntervalSinceNow
    }

    private func run(
        _ url: URL, in session: URLSession, to ending: Ending, after pause: TimeInterval, _ report: Monitor<Report>
    ) async {
        let running = Task { await stream(url, in: session, to: ending) }
        if ending == .cancelled {
            DispatchQueue.global().asyncAfter(deadline: .now() + pause) { running.cancel() }
        }
        let result = await running.value
        report.withLock { report in
            report.endings[ending, default: 0] += 1
            let isWhole = (try? result.get()) == (ending == .dropped ? Data() : Self.body)
            if ending == .cancelled, isWhole { report.lateCancellations += 1 }
            let isCancelled = ending == .cancelled && result.error?.isCancelled == true
            if ending != .brokenOut, !isWhole, !isCancelled { report.errors.append("\(ending): \(result)") }
            if ending == .brokenOut, result.error != nil { report.errors.append("\(ending): \(result)") }
        }
    }

    /// Gives what was read, put together again.
    private func stream(_ url: URL, in session: URLSession, to ending: Ending) async -> DataResult {
        await session.bytesResult(from: url).flatMap { response in
            ending == .dropped ? .success(nil) : .success(response.body)
        }.read(untilFirst: ending == .brokenOut)
    }
}

extension Result where Success == ResponseBytes?, Failure == NetworkError {
    /// Reads events, and writes them as they were sent.
    fileprivate func read(untilFirst: Bool) async -> DataResult {
        var text = ""
        do throws(NetworkError) {
            guard let body = try get() else { return .success(Data()) }
            for try await event in body.events {
                text += "id: \(event.id)\ndata: \(event.data)\n\n"
                if untilFirst { break }
            }
        } catch {
            return .failure(error)
        }
        return .success(Data(text.utf8))
    }
}
