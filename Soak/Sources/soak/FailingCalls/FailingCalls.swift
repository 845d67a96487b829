import Foundation

/// Lets every call fail once that a scenario makes, each with every error, and prints a table of the ends.
enum FailingCalls {
    static let argument = "fail-calls"

    /// How many calls of a name fail at most. Of more, these are chosen evenly.
    private static let mostIndices = 30
    private static let processesAtOnce = 4

    /// - Parameters:
    ///   - library: The path of `failing_calls.c`, compiled.
    ///   - name: The name of a scenario, or nil for all of them.
    /// - Returns: What went wrong.
    /// - Throws: The reason why the server or a process cannot be started.
    static func runAll(_ library: String, _ name: String?) async throws -> [String] {
        let server = try CallScenario.makeServer()
        var violations: [String] = []
        print("scenario  call       calls  tried  errors  timeouts  successes  crashes  hangs  URLSession alone")
        for scenario in CallScenario.allCases where name == nil || scenario.rawValue == name {
            let counts = try await counts(of: scenario, isLibrary: true, server.url(), library)
            for call in FailedCall.calls {
                guard let count = counts[call], count > 0 else { continue }
                var row = Row(try await tries(of: call, count, in: scenario, isLibrary: true, server.url(), library))
                if !row.violations.isEmpty {
                    let count = try await self.counts(of: scenario, isLibrary: false, server.url(), library)[call] ?? 0
                    let tries = try await tries(of: call, count, in: scenario, isLibrary: false, server.url(), library)
                    row.compare(with: Row(tries))
                }
                print(row.text(scenario.rawValue, call, count))
                fflush(nil)
                violations += row.violations.map { "\(scenario), \(call): \($0)" }
            }
        }
        return violations
    }

    private static func counts(
        of scenario: CallScenario, isLibrary: Bool, _ server: URL, _ library: String
    ) async throws -> [String: Int] {
        let call = FailedCall(scenario: scenario, isLibrary: isLibrary, call: "", index: 0, error: 0, server: server)
        guard case .report(let report) = try await FailedProcess(call, library).outcome() else { return [:] }
        return report.counts
    }

    private static func tries(
        of call: String, _ count: Int, in scenario: CallScenario, isLibrary: Bool, _ server: URL, _ library: String
    ) async throws -> [Try] {
        let step = max(Double(count) / Double(mostIndices), 1)
        let indices = stride(from: 0, to: Double(count), by: step).map { Int($0) }
        let calls = indices.flatMap { index in
            FailedCall.errors.map { error in
                FailedCall(
                    scenario: scenario, isLibrary: isLibrary, call: call, index: index, error: error, server: server)
            }
        }
        return try await withThrowingTaskGroup(of: Try.self) { group in
            var tries: [Try] = []
            for (number, call) in calls.enumerated() {
                if number >= processesAtOnce, let next = try await group.next() { tries.append(next) }
                group.addTask { Try(call: call, outcome: try await FailedProcess(call, library).outcome()) }
            }
            for try await next in group { tries.append(next) }
            return tries
        }
    }

    struct Try {
        let call: FailedCall
        let outcome: FailedProcess.Outcome
    }

    /// The functions of `failing_calls.c`, which do nothing where it is not loaded.
    struct Library {
        private typealias Start = @convention(c) (_ call: UnsafePointer<CChar>, _ index: CInt, _ error: CInt) -> Void
        private typealias Stop = @convention(c) () -> Void
        private typealias Count = @convention(c) (_ call: UnsafePointer<CChar>) -> CInt

        func start(_ call: String, _ index: Int, _ error: CInt) {
            function("failing_calls_start", as: Start.self)?(call, CInt(index), error)
        }

        func stop() {
            function("failing_calls_stop", as: Stop.self)?()
        }

        func count(_ call: String) -> Int {
            Int(function("failing_calls_count", as: Count.self)?(call) ?? 0)
        }

        private func function<Function>(_ name: String, as type: Function.Type) -> Function? {
            dlsym(nil, name).map { unsafeBitCast($0, to: type) }
        }
    }
}

extension FailingCalls {
    /// What came of all tries of a call.
    struct Row {
        private(set) var tries = 0, errors = 0, timeouts = 0, successes = 0, crashes = 0, hangs = 0
        private(set) var violations: [String] = []
        private var comparison = ""

        init(_ tries: [Try]) {
            for tried in tries { add(tried) }
        }

        private mutating func add(_ tried: Try) {
            tries += 1
            let place = "\(tried.call.index) with \(String(cString: strerror(tried.call.error)))"
            switch tried.outcome {
            case .crash:
                crashes += 1
                violations.append("\(place): crash")
            case .hang:
                hangs += 1
                violations.append("\(place): hang")
            case .report(let report):
                switch report.end {
                case .success: successes += 1
                case .timeout: timeouts += 1
                case .failure, .wrongContent: errors += 1
                }
                violations += report.faults.map { "\(place): \($0)" }
            }
        }

        /// Takes what `URLSession` does alone for no fault of the library.
        mutating func compare(with other: Row) {
            comparison =
                "\(other.crashes) crashes, \(other.hangs) hangs, \(other.violations.count) faults in \(other.tries)"
            violations.removeAll { other.kinds.contains(Self.kind(of: $0)) }
        }

        private var kinds: Set<Substring> { Set(violations.map(Self.kind)) }

        /// What a violation is, without its place.
        private static func kind(of violation: String) -> Substring {
            violation.drop { $0 != ":" }
        }

        func text(_ scenario: String, _ call: String, _ count: Int) -> String {
            let names = [scenario, call].map { $0.padding(toLength: 10, withPad: " ", startingAt: 0) }.joined()
            let widths = [6, 7, 8, 10, 11, 9, 7]
            let numbers = zip([count, tries, errors, timeouts, successes, crashes, hangs], widths).map(column).joined()
            return "\(names)\(numbers)  \(comparison)"
        }
    }
}
