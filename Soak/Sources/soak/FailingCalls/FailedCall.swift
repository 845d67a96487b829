import Foundation
import URLSessionResult

/// A call that fails once, in a process of its own which the library `failing_calls.c` is loaded into.
struct FailedCall: Codable {
    static let argument = "fail-call"

    let scenario: CallScenario
    let isLibrary: Bool
    let call: String
    let index: Int
    let error: Int32
    let server: URL

    /// What a process found.
    struct Report: Codable {
        let end: CallEnd
        let counts: [String: Int]
        let faults: [String]
    }

    static let calls = [
        "open", "write", "pwrite", "pread", "rename", "fsync", "mmap", "connect", "send", "recv", "epoll_ctl",
    ]
    static let errors = [EIO, ENOSPC, EMFILE, EACCES, EINTR]

    /// How often the scenario runs while the call fails.
    private static let runs = 5

    /// Runs the scenario once, and then several times while the call fails. What each of these leaves is too much; what only
    /// one leaves is kept for the next, as a connection is.
    func run() async throws -> Report {
        let folder = try CallFolder()
        let library = FailingCalls.Library()
        let sessionEnd = SessionEnd()
        let configuration = URLSessionConfiguration.forTests
        configuration.timeoutIntervalForRequest = 1
        let session = URLSession(configuration: configuration, delegate: sessionEnd, delegateQueue: nil)
        let ends = Monitor<[CallEnd]>([])
        var faults: Set<String> = []
        var descriptors = Int.max
        for run in 0...Self.runs {
            try folder.write()
            if run > 0 { library.start(call, index, error) }
            scenario.start(in: folder, at: server, session: session, isLibrary: isLibrary) { end in
                ends.withLock { $0.append(end) }
            }
            try await ends.value { $0.count > run }
            library.stop()
            faults.formUnion(try self.faults(after: ends.value[run], in: folder))
            if run == 1 { descriptors = Self.descriptors }
        }
        try await sessionEnd.follows(session)
        if ends.value.count > Self.runs + 1 { faults.insert("more than one end") }
        // Connections are closed a moment after their last response.
        for _ in 0..<300 where Self.descriptors - descriptors >= Self.runs - 1 { usleep(10_000) }
        if Self.descriptors - descriptors >= Self.runs - 1 { faults.insert("descriptors left") }
        try folder.remove()
        let counts = Dictionary(uniqueKeysWithValues: Self.calls.map { ($0, library.count($0)) })
        return Report(end: ends.value[1], counts: counts, faults: faults.sorted())
    }

    private func faults(after end: CallEnd, in folder: CallFolder) throws -> [String] {
        let mayLeaveLock = end != .success && ["open", "write"].contains(call)
        var leftovers: [String] { folder.leftovers.filter { !mayLeaveLock || $0 != CallFolder.lock } }
        // The temporary file of a download is removed when the handler has returned.
        for _ in 0..<300 where !leftovers.isEmpty { usleep(10_000) }
        let isNew = [.download, .resumable].contains(scenario) && isLibrary && end == .success
        let isKept = try Data(contentsOf: folder.destination) == (isNew ? CallScenario.body : CallScenario.oldContent)
        return (end == .wrongContent ? ["wrong content"] : [])
            + (isKept ? [] : ["the file at the destination is neither new nor old"])
            + (leftovers.isEmpty && !(isNew && folder.hasPart) ? [] : ["files left"])
    }

    private static var descriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
}
