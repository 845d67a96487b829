import Foundation
import URLSessionResult

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sessions that are used once with TLS, and left in every way. With libcurl 8.9 and later, closing a session that has an idle
/// connection with TLS ends the process. So each row runs in processes of its own.
///
/// It needs the servers of `Scripts/test_trusted.sh`.
enum DroppedSessions {
    static let argument = "drop-sessions"

    private static let processCount = 5
    private static let sessionCount = 200
    private static let idleTime = Duration.seconds(60)

    /// What is never seen in five processes may be seen in a thousand.
    private static let handshakeProcessCount = 1_000
    private static let handshakeCount = 40

    /// How a session is left.
    private enum End: String, CaseIterable {
        case dropped
        /// Invalidated while its second request is on its way.
        case invalidated
        /// Not at all: `shared` is used a few times, and then idles for a minute.
        case shared
        /// Not at all: the process ends when the last response is there.
        case exit
        /// Not at all: the process ends while connections shake hands, after some of them have.
        case handshake
    }

    private struct Row {
        let form: SessionForm
        let server: String
        let end: End

        /// After how many requests the process ends.
        var requestCount = 0

        var names: [String] { [form.name, server, end.rawValue] }
        var arguments: [String] { [DroppedSessions.argument] + names + ["\(requestCount)"] }
    }

    // MARK: All rows

    /// Runs all rows, and prints them.
    ///
    /// - Parameter end: The way to leave sessions, or nil for all of them.
    /// - Returns: What went wrong.
    /// - Throws: An error if a process cannot be started.
    static func runAll(_ end: String?) throws -> [String] {
        let ends = End.allCases.filter { end == nil || $0.rawValue == end }
        print("form              server   its sessions are   processes that failed")
        return try ends.flatMap { end in
            if end == .handshake { return try runHandshakes() }
            let rows = SessionForm.all.flatMap { form in
                ["http1", "http2"].map { Row(form: form, server: $0, end: end) }
            }
            // Those that idle do nothing else. The others take turns.
            let batches = end == .shared ? [rows] : rows.map { [$0] }
            return try batches.flatMap(run)
        }
    }

    /// Runs rows side by side.
    private static func run(_ rows: [Row]) throws -> [String] {
        // The processes print to the same output.
        fflush(nil)
        let started = try rows.map { row in (row, try (0..<processCount).map { _ in try start(row) }) }
        return started.compactMap { row, processes in report(processes, of: row) }
    }

    /// Ends processes while connections shake hands, a few at once: after no request, after one, and so on.
    private static func runHandshakes() throws -> [String] {
        fflush(nil)
        guard let form = SessionForm.all.first else { return [] }
        let rows = (0..<handshakeProcessCount).map { index in
            Row(form: form, server: "http1", end: .handshake, requestCount: index % handshakeCount)
        }
        var ended: [Process] = []
        for first in stride(from: 0, to: rows.count, by: processCount) {
            let started = try rows[first...].prefix(processCount).map(start)
            for process in started { process.waitUntilExit() }
            ended += started
        }
        return [report(ended, of: rows[0])].compactMap(\.self)
    }

    /// Waits for the processes of a row, and prints how many failed.
    ///
    /// - Returns: What went wrong, or nil.
    private static func report(_ processes: [Process], of row: Row) -> String? {
        for process in processes { process.waitUntilExit() }
        let failures = processes.filter { $0.terminationReason != .exit || $0.terminationStatus != EXIT_SUCCESS }
        let crashes = failures.filter { $0.terminationReason == .uncaughtSignal }
        let count = "\(failures.count) of \(processes.count), \(crashes.count) by a signal"
        let names = zip(row.names, [18, 9, 19]).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
        print(names.joined() + count)
        // `URLSession` alone is there for comparison.
        guard row.form.isLibrary, !failures.isEmpty else { return nil }
        return "\(row.names.joined(separator: ", ")): \(count)"
    }

    private static func start(_ row: Row) throws -> Process {
        let process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments = row.arguments
        // A crash is counted. Its backtrace takes seconds.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    // MARK: One row

    /// Runs a row in this process.
    ///
    /// - Parameter arguments: The name of a form, of a server, and of an end, and after how many requests the process ends.
    /// - Returns: What went wrong.
    /// - Throws: An error if the row was cancelled.
    static func run(_ arguments: [String]) async throws -> [String] {
        guard arguments.count == 4, let form = SessionForm.all.first(where: { $0.name == arguments[0] }),
            let end = End(rawValue: arguments[2]), let url = url(form.path, of: arguments[1]),
            let requestCount = Int(arguments[3])
        else { return ["no row, or no server: \(arguments)"] }
        switch end {
        case .dropped, .exit:
            for _ in 0..<sessionCount {
                guard await form.use(URLSession(configuration: .ephemeral), url) else { return ["a request failed"] }
            }
        case .invalidated:
            for _ in 0..<sessionCount {
                let session = URLSession(configuration: .ephemeral)
                guard await form.use(session, url) else { return ["a request failed"] }
                await invalidateDuringRequest(session, form, url)
            }
        case .shared:
            for _ in 0..<10 {
                guard await form.use(.shared, url) else { return ["a request failed"] }
            }
            try await Task.sleep(for: idleTime)
            guard await form.use(.shared, url) else { return ["a request failed"] }
        case .handshake:
            try await shakeHands(url, until: requestCount)
        }
        // What was dropped last may still be closed.
        if end == .dropped || end == .invalidated { try await Task.sleep(for: .seconds(1)) }
        return []
    }

    /// Sends requests, each on a connection of its own, and waits for so many.
    private static func shakeHands(_ url: URL, until requestCount: Int) async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = handshakeCount
        let session = URLSession(configuration: configuration)
        let endedCount = Monitor(0)
        for _ in 0..<handshakeCount {
            session.dataTask(with: url) { (_: DataResult) in endedCount.withLock { $0 += 1 } }.resume()
        }
        try await endedCount.value { $0 >= requestCount }
    }

    /// Invalidates a session while a request is on its way. It has to be made before.
    private static func invalidateDuringRequest(_ session: URLSession, _ form: SessionForm, _ url: URL) async {
        await withCheckedContinuation { continuation in
            let task =
                form.isLibrary
                ? session.dataTask(with: url) { (_: DataResult) in continuation.resume() }
                : session.dataTask(with: url) { _, _, _ in continuation.resume() }
            task.resume()
            session.invalidateAndCancel()
        }
    }

    private static func url(_ path: String, of server: String) -> URL? {
        let servers = ProcessInfo.processInfo.environment["TRUSTED_SERVERS"]?.split(separator: " ") ?? []
        guard let port = servers.first(where: { $0.hasPrefix("\(server)=") })?.split(separator: "=").last else {
            return nil
        }
        return URL(string: "https://localhost:\(port)\(path)")
    }
}
