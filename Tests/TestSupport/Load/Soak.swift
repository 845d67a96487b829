import Foundation
import URLSessionResult

/// A great many requests of every kind. A fifth goes to servers that do something wrong, another fifth is cancelled.
struct Soak: Sendable {
    let requests: Int
    let concurrency = 64

    struct Report: Sendable {
        /// How many handlers were called and how many `async` methods returned.
        var calls = 0
        var faults = 0
        /// How many requests were cancelled. Most of them were over by then.
        var cancellations = 0
        /// How many requests reported their progress.
        var progressReports = 0
        /// What came out otherwise than the server meant it.
        var surprises: [String] = []
        /// How many requests timed out though they were answered. On Linux URLSession misses an answer now and then when
        /// many sessions work at once and connections are reset, with this library and without.
        var timeouts = 0
        /// What arrived at the servers: a redirect brings another request, and some are cancelled before.
        var arrived = LoopbackServer.RequestCounts()
        var samples: [Sample] = []
    }

    /// What the process holds at one moment.
    struct Sample: Sendable {
        let requests: Int
        let descriptors: Int
        /// Known on Linux only.
        let residentBytes: Int
    }

    /// Sends the requests, and returns when the last of them is over. On Linux, the library keeps connections for other sessions; the
    /// servers end theirs.
    func run(onSample: @escaping @Sendable (Sample) -> Void = { _ in }) async throws -> Report {
        let servers = try Servers()
        let report = Monitor(Report())
        try await send(to: servers, report, onSample)
        servers.stop()
        report.withLock { $0.arrived = servers.requestCounts }
        return report.value
    }

    private func send(
        to servers: Servers, _ report: Monitor<Report>, _ onSample: @escaping @Sendable (Sample) -> Void
    ) async throws {
        let next = Monitor(0)
        let end = SessionEnd()
        let session = URLSession(configuration: .forTests, delegate: end, delegateQueue: nil)
        await withTaskGroup { group in
            for _ in 0..<concurrency {
                group.addTask {
                    while let index = next.take(below: requests) {
                        if index.isMultiple(of: max(requests / 100, 1)) {
                            let sample = Sample(requests: index)
                            report.withLock { $0.samples.append(sample) }
                            onSample(sample)
                        }
                        await send(index, in: session, to: servers, report)
                    }
                }
            }
        }
        try await end.follows(session)
    }

    /// 10 ms: longer than most requests take, with 64 at a time.
    private static let longestTimeToCancellation: UInt64 = 10_000_000

    private func send(
        _ index: Int, in session: URLSession, to servers: Servers, _ report: Monitor<Report>
    ) async {
        let (fault, server) = servers[index]
        let isFaulty = servers.isFaulty(index)
        // Counted apart from the awaited outcome, so that a second call of a handler shows.
        let count: @Sendable () -> Void = { report.withLock { $0.calls += 1 } }
        let routes = fault.uploadedBody == nil ? Route.receiving : Route.sending
        let route = routes[servers.round(index) % routes.count]
        let sending = Task { await route.send(fault, server.url(), session, count) }
        let isCancelled = index % 5 == 2
        if isCancelled {
            var pauses = SeededGenerator(seed: UInt64(index))
            try? await Task.sleep(nanoseconds: .random(in: 0...Self.longestTimeToCancellation, using: &pauses))
            sending.cancel()
        }
        let result = await sending.value
        let outcome = Fault.Outcome(result)
        report.withLock { report in
            if isFaulty { report.faults += 1 }
            if isCancelled { report.cancellations += 1 }
            if route.reportsProgress { report.progressReports += 1 }
            guard !fault.permits(outcome), !(isCancelled && result.error?.isCancelled == true) else { return }
            if result.error?.urlError?.code == .timedOut {
                report.timeouts += 1
            } else {
                let ending = result.error.map { "\($0)" } ?? "\(outcome)"
                report.surprises.append("\(fault.name) by \(route.name): \(ending) instead of \(fault.outcome)")
            }
        }
    }
}

extension Soak.Sample {
    init(requests: Int) {
        self.requests = requests
        descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count) ?? 0
        let memory = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let residentPages = memory?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        residentBytes = (residentPages ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}

/// A server for each fault, and one for each correct answer.
private struct Servers: Sendable {
    private let faulty: [(Fault, LoopbackServer)]
    private let correct: [(Fault, LoopbackServer)]

    init() throws {
        faulty = try Fault.survivable.map { ($0, try $0.server(keepsRequests: false)) }
        correct = try Self.answers.map { ($0, try $0.server(keepsRequests: false)) }
    }

    private static let answers = [
        Fault("a small body", .ok("abc"), .success("abc")),
        Fault("JSON", .json("[1, 2, 3]"), .success("[1, 2, 3]")),
        Fault("no content", .status(204, headers: lastOfConnection), .success("")),
        Fault("not found", .status(404, "abc", headers: lastOfConnection), .serverError(404)),
        Fault("100 kB", .ok(longBody, headers: lastOfConnection), .success(longBody)),
        Fault("a redirect", .redirect(to: "/target", then: .ok("abc")), .success("abc")),
        Fault("a challenge", .challenge("Bearer"), .serverError(401)),
        Fault("an upload", .upload, .success("abc"), request: .upload(100_000)),
    ]

    /// With this, more than half of all requests begin on a new connection.
    private static let lastOfConnection: KeyValuePairs = ["Connection": "close"]

    private static let longBody = String(repeating: "x", count: 100_000)

    func stop() {
        for (_, server) in faulty + correct { server.stop() }
    }

    var requestCounts: LoopbackServer.RequestCounts {
        (faulty + correct).reduce(into: LoopbackServer.RequestCounts()) { sum, server in
            let counts = server.1.requestCounts
            sum.all += counts.all
            sum.onNewConnections += counts.onNewConnections
        }
    }

    func isFaulty(_ index: Int) -> Bool { index.isMultiple(of: 5) }

    subscript(_ index: Int) -> (Fault, LoopbackServer) {
        isFaulty(index) ? faulty[index / 5 % faulty.count] : correct[index % correct.count]
    }

    /// How often the server of this request has had its turn before.
    func round(_ index: Int) -> Int {
        isFaulty(index) ? index / 5 / faulty.count : index / correct.count
    }
}

extension LoopbackServer.Response {
    fileprivate static let upload = Self { request, connection in
        let body = try connection.readBody()
        try connection.respond(body.count == 100_000 ? 200 : 400, body: "abc")
    }
}

/// One way to send the request of a fault.
private struct Route: Sendable {
    let name: String
    var reportsProgress = false
    let send: @Sendable (Fault, URL, URLSession, @escaping @Sendable () -> Void) async -> DataResult

    static let receiving = [
        Route(name: "dataTask") { fault, url, session, count in
            await calling(count) { session.dataTask(with: fault.request(to: url), resultHandler: $0) }
        },
        Route(name: "dataResult") { fault, url, session, count in
            await counting(count) { await session.dataResult(for: fault.request(to: url)) }
        },
        Route(name: "dataResult with progress", reportsProgress: true) { fault, url, session, count in
            await counting(count) { await session.dataResult(for: fault.request(to: url)) { _ in } }
        },
        Route(name: "downloadTask") { fault, url, session, count in
            await calling(count) { handler in
                session.downloadTask(with: fault.request(to: url)) { handler($0.contents) }
            }
        },
        Route(name: "downloadResult with progress", reportsProgress: true) { fault, url, session, count in
            await counting(count) {
                await session.downloadResult(for: fault.request(to: url), decoder: .data) { _ in }
            }
        },
        Route(name: "dataResult in a session of its own") { fault, url, _, count in
            let session = URLSession(configuration: .forTests)
            defer { session.finishTasksAndInvalidate() }
            return await counting(count) { await session.dataResult(for: fault.request(to: url)) }
        },
    ]

    static let sending = [
        Route(name: "uploadTask") { fault, url, session, count in
            let body = fault.uploadedBody ?? Data()
            return await calling(count) {
                session.uploadTask(with: fault.request(to: url), from: body, resultHandler: $0)
            }
        },
        Route(name: "uploadResult with progress", reportsProgress: true) { fault, url, session, count in
            let body = fault.uploadedBody ?? Data()
            return await counting(count) {
                await session.uploadResult(for: fault.request(to: url), from: body) { _ in }
            }
        },
    ]

    private static func counting(
        _ count: @Sendable () -> Void, _ run: @Sendable () async -> DataResult
    ) async -> DataResult {
        defer { count() }
        return await run()
    }

    /// Awaits the first call of a handler and counts every one. Cancelling the Swift task cancels the request.
    private static func calling(
        _ count: @escaping @Sendable () -> Void,
        _ makeTask: (@escaping @Sendable (DataResult) -> Void) -> URLSessionTask
    ) async -> DataResult {
        let isFirst = Monitor(true)
        let started = Monitor<URLSessionTask?>(nil)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let task = makeTask { result in
                    count()
                    if isFirst.exchange(false) { continuation.resume(returning: result) }
                }
                task.resume()
                started.withLock { $0 = task }
                if Task.isCancelled { task.cancel() }
            }
        } onCancel: {
            started.value?.cancel()
        }
    }
}

extension Monitor where Value == Int {
    /// Counts up, unless the limit is reached.
    fileprivate func take(below limit: Int) -> Int? {
        withLock { value in
            guard value < limit else { return nil }
            defer { value += 1 }
            return value
        }
    }
}

extension Monitor where Value == Bool {
    func exchange(_ new: Bool) -> Bool {
        withLock { value in
            defer { value = new }
            return value
        }
    }
}
