import Foundation
import URLSessionResult

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Streams of 4 MB at once, every other one after a redirect, and small requests of another session one after another
/// meanwhile.
struct StreamCrowd: Sendable {
    let count: Int
    var transport = LoopbackServer.Transport.tcp
    var client = Client.library

    /// Who sends all requests.
    enum Client: Sendable {
        case library
        /// `URLSession` alone, whose delegate is given the pieces of the bodies.
        case urlSession
    }

    struct Report: Sendable {
        /// How many streams gave the body as it was sent.
        var wholeStreams = 0
        /// How many requests of the other session succeeded.
        var otherRequests = 0
        /// What went wrong.
        var errors: [String] = []
        /// The longest that a request of the other session took, in seconds.
        var longestWait: TimeInterval = 0
    }

    private static let body = Data.blocks(64, ofSize: 1 << 16)

    /// Reads the streams to their ends, all at once.
    func run() async throws -> Report {
        let streaming = try LoopbackServer(.redirect(to: "/target", then: .ok(Self.body)), over: transport)
        let other = try LoopbackServer(.ok("other"), over: transport)
        let report = Monitor(Report())
        let streamsLeft = Monitor(count)
        await withTaskGroup { group in
            group.addTask {
                let session = URLSession(configuration: .forTests)
                defer { session.finishTasksAndInvalidate() }
                repeat {
                    let start = Date()
                    let result = await client.data(from: other.url(), in: session)
                    report.withLock { $0.note(result, after: -start.timeIntervalSinceNow) }
                } while streamsLeft.value > 0
            }
            let configuration = URLSessionConfiguration.forTests
            configuration.httpMaximumConnectionsPerHost = count
            let pieces = PieceCollector()
            let delegate = client == .urlSession ? pieces : nil
            let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
            defer { session.finishTasksAndInvalidate() }
            for index in 0..<count {
                group.addTask {
                    let url = streaming.url(index.isMultiple(of: 2) ? "/target" : "/")
                    let result = await client.stream(from: url, in: session, collectedBy: pieces)
                    report.withLock { $0.noteStream(result, isWhole: (try? result.get()) == Self.body) }
                    streamsLeft.withLock { $0 -= 1 }
                }
            }
            await group.waitForAll()
        }
        return report.value
    }
}

extension StreamCrowd.Report {
    fileprivate mutating func noteStream(_ result: DataResult, isWhole: Bool) {
        if isWhole {
            wholeStreams += 1
        } else {
            errors.append("a stream: \(result)")
        }
    }

    fileprivate mutating func note(_ result: DataResult, after duration: TimeInterval) {
        longestWait = max(longestWait, duration)
        switch result {
        case .success: otherRequests += 1
        case .failure(let error): errors.append("a request of another session: \(error)")
        }
    }
}

extension StreamCrowd.Client {
    fileprivate func stream(
        from url: URL, in session: URLSession, collectedBy pieces: PieceCollector
    ) async -> DataResult {
        switch self {
        case .library: await session.bytesResult(from: url).collected()
        case .urlSession: await pieces.body(from: url, in: session)
        }
    }

    fileprivate func data(from url: URL, in session: URLSession) async -> DataResult {
        switch self {
        case .library:
            await session.dataResult(from: url)
        case .urlSession:
            await withCheckedContinuation { continuation in
                session.dataTask(with: url) {
                    continuation.resume(returning: DataResult(data: $0, response: $1, error: $2))
                }.resume()
            }
        }
    }
}
