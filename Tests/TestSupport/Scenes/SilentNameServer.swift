#if os(Linux)

import Foundation
import Glibc

/// A name server that does not answer, for the first look-ups of a process: getaddrinfo(3) waits, and no call ends it.
///
/// Before a process asks a name server for a name without a dot, it looks for an alias (hostname(7)), here in a pipe into which nobody
/// writes.
struct SilentNameServer {
    static let url = URL(string: "http://silent/")

    private let aliases = FileManager.default.temporaryDirectory.appendingPathComponent("aliases-\(getpid())").path

    /// Makes this process look up its next names forever.
    init() throws {
        guard mkfifo(aliases, 0o600) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        setenv("HOSTALIASES", aliases, 1)
    }

    /// Waits until so many names are looked up, and removes the pipe, so that other names are found.
    func isAsked(times count: Int = 1) async throws {
        while true {
            let writer = open(aliases, O_WRONLY | O_NONBLOCK)
            // The descriptor stays open: closing it would end the look-up.
            if writer >= 0 { break }
            try Task.checkCancellation()
            await Task.yield()
        }
        // Each look-up reads the pipe, as long as it has a writer.
        while countOfReaders < count {
            try Task.checkCancellation()
            await Task.yield()
        }
        unlink(aliases)
    }

    private var countOfReaders: Int {
        let folder = "/proc/self/fd"
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let ends = descriptors.filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == aliases
        }
        // One end is the writer's.
        return ends.count - 1
    }
}

#endif
