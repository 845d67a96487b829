import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

// Sends 100,000 requests, or as many as the argument says, more than half of them on new connections. Then reads up to 100
// streams at once, leaves a fiftieth as many in all ways, reads a gigabyte slowly, sends a fifth as many whose tasks are
// touched at any moment, and cancels a fifth as many of each form near their end. Beside them, a handshake waits for its
// timeout. Fails when a handler is not called once, when an outcome is not what the server meant, when more than one answered
// request in 10,000 times out, when memory still grows in the second half, when descriptors are left, when a request waits for
// the streams of another session for longer than with `URLSession` alone, when a slow reader costs memory, or when a process
// crashes.
//
// With the argument `mixture` and a number, sends only those whose tasks are touched at any moment. What they leave to chance is
// drawn anew each time, or as before: the environment variable `SEED` takes the number that a run has printed.
//
// With the argument `streams`, only reads the streams at once.
//
// With the argument `fail-calls`, lets each call of the system fail once: see `make soak-calls`.
//
// With the argument `promises`, checks what the library promises on Linux: see `make test-static`. A name after it takes one promise.
//
// With the argument `drop-sessions`, uses and leaves sessions in all ways, with the servers of `Scripts/test_trusted.sh`.

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == Cancellations.argument, arguments.count == 3 {
    finish(with: try await Cancellations.run(arguments[1], Int(arguments[2]) ?? 0))
}
if arguments.first == DroppedSessions.argument {
    let row = Array(arguments.dropFirst())
    finish(with: row.count < 2 ? try DroppedSessions.runAll(row.first) : try await DroppedSessions.run(row))
}
if arguments.first == Mixture.argument, arguments.count == 2 {
    finish(with: try await Mixture.run(Int(arguments[1]) ?? 0))
}
if arguments.first == FailingCalls.argument, arguments.count >= 2 {
    finish(with: try await FailingCalls.runAll(arguments[1], arguments.dropFirst(2).first))
}
if arguments.first == FailedCall.argument, arguments.count == 2 {
    try await FailedProcess.run(arguments[1])
    finish(with: [])
}
#if os(Linux)
if arguments.first == Promises.argument {
    let isKept =
        if let name = arguments.dropFirst().first {
            await Promises.check(name)
        } else {
            await Promises.checkAll()
        }
    fflush(nil)
    // At once: a thread may still look up a name, and `exit` would clean up what it uses.
    _exit(isKept ? EXIT_SUCCESS : EXIT_FAILURE)
}
#endif
if arguments == [Streams.argument] { finish(with: try await Streams.runAll()) }
if arguments == [SlowReader.argument] { finish(with: try await SlowReader.run()) }

useOneHeap()
let folder = try useTemporaryFolderOfOurOwn()
let requests = arguments.first.flatMap(Int.init) ?? 100_000
// Beside all the others.
let handshake = Task { try await SilentHandshake.run() }
let start = Date()
let before = Soak.Sample(requests: 0)

print("  requests   seconds   descriptors   resident MB")
let report = try await Soak(requests: requests).run { sample in
    if sample.requests.isMultiple(of: max(requests / 20, 1)) { print(row(sample, since: start)) }
}
print(row(Soak.Sample(requests: requests), since: start))
let after = await Soak.Sample.atRest(after: before)

let leftovers = try FileManager.default.contentsOfDirectory(atPath: folder.path).count
print(
    """

    calls                  \(report.calls) for \(requests) requests
    faults                 \(report.faults), of \(Fault.survivable.count) kinds
    on new connections     \(report.arrived.onNewConnections) of \(report.arrived.all) that arrived
    cancelled              \(report.cancellations)
    with progress          \(report.progressReports)
    otherwise than meant   \(report.surprises.count), and \(report.timeouts) answered requests timed out
    descriptors at rest    \(before.descriptors) before, \(after.descriptors) after
    resident MB, mean      \(report.meanOfMemory(2) / 1_000_000) in the third quarter, \
    \(report.meanOfMemory(3) / 1_000_000) in the last
    temporary files left   \(leftovers)
    """)

var violations = report.violations(of: requests)
if !after.isAtRest(after: before) { violations.append("descriptors are left behind") }
violations += try await Streams.runAll()
violations += try await Streams.leave(requests / 50)
violations += try SlowReader.runAlone()
violations += try await Mixture.run(requests / 5)
violations += try Cancellations.runAll(requests / 5)
violations += try await handshake.value
try FileManager.default.removeItem(at: folder)
finish(with: violations)

func finish(with violations: [String]) -> Never {
    for violation in violations { print("FAILED: \(violation)") }
    exit(violations.isEmpty ? EXIT_SUCCESS : EXIT_FAILURE)
}

func row(_ sample: Soak.Sample, since start: Date) -> String {
    let seconds = Int(-start.timeIntervalSinceNow)
    return column(sample.requests, 10) + column(seconds, 10) + column(sample.descriptors, 14)
        + column(sample.residentBytes / 1_000_000, 14)
}

func column(_ value: some CustomStringConvertible, _ width: Int) -> String {
    let text = value.description
    return String(repeating: " ", count: max(width - text.count, 0)) + text
}

extension Soak.Report {
    /// Of a quarter of the samples, the first of which is 0, in bytes.
    func meanOfMemory(_ quarter: Int) -> Int {
        let samples = samples[(samples.count * quarter / 4)..<(samples.count * (quarter + 1) / 4)]
        return samples.map(\.residentBytes).reduce(0, +) / max(samples.count, 1)
    }

    func violations(of requests: Int) -> [String] {
        var violations = Set(surprises).sorted()
        if timeouts > requests / 10_000 { violations.append("\(timeouts) answered requests timed out") }
        if arrived.onNewConnections * 2 < arrived.all { violations.append("too few requests were on new connections") }
        if calls != requests { violations.append("\(calls) calls for \(requests) requests") }
        // A tenth, and what URLSession keeps.
        let allowedBytes = meanOfMemory(2) * 11 / 10 + requests / 4 * Self.bytesKeptOfRequest
        if meanOfMemory(3) > allowedBytes { violations.append("resident memory grows in the second half") }
        return violations
    }

    /// What URLSession keeps of each request for ever: about 160 bytes of each transfer, also without the library. A
    /// redirected request is several transfers.
    private static let bytesKeptOfRequest = 300
}

/// Has glibc serve every thread from one heap. With one for each thread, a single small block that stays keeps a page
/// of each from going back, and resident memory says little about what is in use.
func useOneHeap() {
    #if canImport(Glibc)
    typealias SetOption = @convention(c) (_ option: Int32, _ value: Int32) -> Int32
    let maximalNumberOfHeaps: Int32 = -8
    guard let symbol = dlsym(nil, "mallopt") else { return }
    _ = unsafeBitCast(symbol, to: SetOption.self)(maximalNumberOfHeaps, 1)
    #endif
}

/// Makes a new folder the one for temporary files, so that those left in it can be counted.
func useTemporaryFolderOfOurOwn() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("soak-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    setenv("TMPDIR", folder.path, 1)
    return folder
}
