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

    /// How a session is left.
    private enum End: String, CaseIterable {
        case dropped
        /// Invalidated while its second request is on its way.
        case invalidated
        /// Not at all: `shared` is used a few times, and then idles for a minute.
        case shared
        /// Not at all: the process ends when the last response is there.
        case exit
    }

    private struct Row {
        let form: SessionForm
        let server: String
        let end: End

        var arguments: [String] { [DroppedSessions.argument, form.name, server, end.rawValue] }
    }

    // MARK: All rows

    /// Runs all rows, and prints them.
    ///
    /// - Parameter end: The way to leave sessions, or nil for all of them.
    /// - Returns: What went wrong.
    /// - Throws: An error if a process cannot be started.
    static func runAll(_ end: String?) throws -> [String] {
        let ends = End.allCases.filter { end == nil || $0.rawValue == end }
        print("form              server   its sessions are   processes that failed, of \(processCount)")
        return try ends.flatMap { end in
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
        return started.compactMap { row, processes in
            for process in processes { process.waitUntilExit() }
            let failures = processes.filter { $0.terminationReason != .exit || $0.terminationStatus != EXIT_SUCCESS }
            let names = [row.form.name, row.server, row.end.rawValue]
            print(
                zip(names, [18, 9, 19]).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(),
                failures.count)
            // `URLSession` alone is there for comparison.
            guard row.form.isLibrary, !failures.isEmpty else { return nil }
            return "\(names.joined(separator: ", ")): \(failures.count) processes failed"
        }
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
    /// - Parameter arguments: The name of a form, of a server, and of an end.
    /// - Returns: What went wrong.
    /// - Throws: An error if the row was cancelled.
    static func run(_ arguments: [String]) async throws -> [String] {
        guard arguments.count == 3, let form = SessionForm.all.first(where: { $0.name == arguments[0] }),
            let end = End(rawValue: arguments[2]), let url = url(form.path, of: arguments[1])
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
        }
        // What was dropped last may still be closed.
        if end == .dropped || end == .invalidated { try await Task.sleep(for: .seconds(1)) }
        return []
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
