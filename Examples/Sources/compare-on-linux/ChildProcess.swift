import Foundation

/// This program, run once more in a process of its own.
enum ChildProcess {
    enum Outcome: CustomStringConvertible {
        case output(String)
        case failure(String)
        case crash(String)
        case timeout(Duration)

        var description: String {
            switch self {
            case .output(let text): text
            case .failure(let reason): "failed: \(reason)"
            case .crash(let reason): "crashed: \(reason)"
            case .timeout(let limit): "no result after \(limit.components.seconds) seconds"
            }
        }
    }

    static func run(_ arguments: [String], limit: Duration) async throws -> Outcome {
        let process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments = arguments
        // A backtrace takes seconds, and one line is enough here.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        guard try await process.runToEnd(limit: limit) else { return .timeout(limit) }
        guard process.terminationReason == .exit else { return .crash(errors.text.lastLine) }
        guard process.terminationStatus == 0 else { return .failure(errors.text.lastLine) }
        return .output(output.text.lastLine)
    }
}

extension Process {
    /// Runs the process, and kills it at the time limit.
    ///
    /// - Returns: Whether the process ended before the time limit.
    fileprivate func runToEnd(limit: Duration) async throws -> Bool {
        let (end, continuation) = AsyncStream.makeStream(of: Void.self)
        terminationHandler = { _ in continuation.finish() }
        try run()
        let identifier = processIdentifier
        let timer = Task {
            try await Task.sleep(for: limit)
            kill(identifier, SIGKILL)
        }
        for await _ in end {}
        timer.cancel()
        return terminationReason != .uncaughtSignal || terminationStatus != SIGKILL
    }
}

extension Pipe {
    /// The text that a process has written before it ended. A pipe holds at least 4 kB without a reader.
    fileprivate var text: String { String(decoding: fileHandleForReading.availableData, as: UTF8.self) }
}

extension String {
    fileprivate var lastLine: String { split(separator: "\n").last.map(String.init) ?? "" }
}
