import Foundation

/// What the process has used so far.
package struct Usage {
    /// In seconds.
    package let processorTime: TimeInterval

    /// In bytes.
    package let peakMemory: Int

    package static func now() -> Usage {
        var usage = rusage()
        #if canImport(Darwin)
        getrusage(RUSAGE_SELF, &usage)
        let unit = 1
        #else
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let unit = 1024
        #endif
        let times = [usage.ru_utime, usage.ru_stime].map {
            TimeInterval($0.tv_sec) + TimeInterval($0.tv_usec) / 1_000_000
        }
        return Usage(processorTime: times.reduce(0, +), peakMemory: Int(usage.ru_maxrss) * unit)
    }
}
