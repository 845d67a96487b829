#if os(Linux)

import Foundation

/// Checks what the library promises on Linux, without Swift Testing, which cannot be linked statically.
///
/// Each promise has a process of its own, because a crash ends it, and because the time of the processor is that of a whole process.
enum Promises {
    static let argument = "promises"

    /// Most processes wait for their server most of the time.
    private static let processesAtOnce = 12

    /// After so many seconds, `SIGALRM` ends a process that hangs.
    private static let limit: UInt32 = 60

    /// Checks all promises, prints a row for each, and says on standard error what is wrong.
    ///
    /// - Returns: Whether all are kept.
    static func checkAll() async -> Bool {
        let start = Date()
        let turns = Turns(atOnce: processesAtOnce)
        let keptCount = await withTaskGroup { group in
            for promise in Promise.all {
                group.addTask { (promise, await isKept(promise, turns)) }
            }
            var keptCount = 0
            for await (promise, isKept) in group {
                print((isKept ? "kept    " : "BROKEN  ") + promise.name)
                if isKept { keptCount += 1 }
            }
            return keptCount
        }
        let seconds = Int(-start.timeIntervalSinceNow)
        let libcurl = LibcurlVersion.loaded.map { "\($0.major).\($0.minor)" } ?? "unknown"
        print("\(keptCount) of \(Promise.all.count) promises are kept, with libcurl \(libcurl), in \(seconds) seconds.")
        return keptCount == Promise.all.count
    }

    /// Checks a promise in a process of its own.
    private static func isKept(_ promise: Promise, _ turns: Turns) async -> Bool {
        var isKept = false
        do {
            try await turns.run {
                let process = try await ended(promise.name)
                let status = process.terminationStatus
                switch process.terminationReason {
                case .uncaughtSignal where status == SIGALRM:
                    say("\(promise.name): its process hung for \(limit) seconds.")
                case .uncaughtSignal:
                    say("\(promise.name): its process was ended by signal \(status).")
                default:
                    // It has said itself what is wrong.
                    break
                }
                isKept = process.terminationReason == .exit && status == EXIT_SUCCESS
            }
        } catch {
            say("\(promise.name): its process did not start: \(error).")
        }
        return isKept
    }

    /// Starts the process of a promise, and returns when it has ended.
    private static func ended(_ name: String) async throws -> Process {
        let process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments = [argument, name]
        // A backtrace takes seconds.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        return try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0) }
            do {
                try process.run()
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    /// Checks one promise in this process, and says on standard error what is wrong.
    ///
    /// - Returns: Whether it is kept.
    static func check(_ name: String) async -> Bool {
        alarm(limit)
        guard let promise = Promise.all.first(where: { $0.name == name }) else {
            say("there is no promise with the name \(name).")
            return false
        }
        do {
            try await promise.check()
            return true
        } catch {
            say("\(name): \(error).")
            return false
        }
    }

    private static func say(_ error: String) {
        FileHandle.standardError.write(Data("error: \(error)\n".utf8))
    }
}

#endif
