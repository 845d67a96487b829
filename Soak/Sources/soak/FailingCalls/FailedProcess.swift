import Foundation

/// The process of a call that fails.
struct FailedProcess {
    enum Outcome {
        case report(FailedCall.Report)
        case crash
        case hang
    }

    /// Far longer than a scenario takes, timeouts included.
    private static let limit = 20.0

    private let call: FailedCall
    private let library: String

    init(_ call: FailedCall, _ library: String) {
        self.call = call
        self.library = library
    }

    func outcome() async throws -> Outcome {
        let process = Process()
        let output = Pipe()
        process.executableURL = Bundle.main.executableURL
        process.arguments = [FailedCall.argument, String(decoding: try JSONEncoder().encode(call), as: UTF8.self)]
        // A crash is counted. Its backtrace takes seconds.
        let environment = ["LD_PRELOAD": library, "SWIFT_BACKTRACE": "enable=no"]
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let isOver = Gate()
        process.terminationHandler = { _ in isOver.open() }
        try process.run()
        let alarm = Task {
            try await Task.sleep(for: .seconds(Self.limit))
            kill(process.processIdentifier, SIGKILL)
        }
        try await isOver.opened()
        alarm.cancel()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        if let report = try? JSONDecoder().decode(FailedCall.Report.self, from: printed) { return .report(report) }
        let isKilled = process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
        return isKilled ? .hang : .crash
    }

    /// Runs a call, in the process that is for it.
    static func run(_ argument: String) async throws {
        let call = try JSONDecoder().decode(FailedCall.self, from: Data(argument.utf8))
        print(String(decoding: try JSONEncoder().encode(try await call.run()), as: UTF8.self))
    }
}
