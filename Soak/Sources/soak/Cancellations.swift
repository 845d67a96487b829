import Foundation

/// Late cancellations of every form. Each form runs in a process of its own, because a crash ends it.
enum Cancellations {
    static let argument = "cancel"

    /// Runs all forms, and returns what went wrong.
    static func runAll(_ count: Int) throws -> [String] {
        print("\ncancellations of                             calls   in time   seconds")
        // The processes print to the same output.
        fflush(nil)
        return try CancelledForm.all.compactMap { form in
            let process = Process()
            process.executableURL = Bundle.main.executableURL
            process.arguments = [argument, form.name, String(count)]
            try process.run()
            process.waitUntilExit()
            let succeeded = process.terminationReason == .exit && process.terminationStatus == EXIT_SUCCESS
            return succeeded ? nil : "\(form.name): ended by \(process.terminationReason), \(process.terminationStatus)"
        }
    }

    /// Runs one form, prints a row and returns what went wrong.
    static func run(_ name: String, _ count: Int) async throws -> [String] {
        guard let form = CancelledForm.named(name) else { return ["no form is named \(name)"] }
        let start = Date()
        let report = try await LateCancellations(form: form, count: count).run()
        let label = name.padding(toLength: 40, withPad: " ", startingAt: 0)
        let seconds = Int(-start.timeIntervalSinceNow)
        print(label + column(report.calls, 10) + column(count - report.successes, 10) + column(seconds, 10))
        var violations = Set(report.surprises).sorted()
        if report.calls != count { violations.append("\(report.calls) calls for \(count) transfers") }
        return violations
    }
}
