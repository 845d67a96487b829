#if os(Linux)

import Foundation

/// How much the cores work for this process while it waits, compared with a thread that never rests: nearly 0, or about 1 if the
/// wait takes a core. A busy machine slows both.
///
/// - Parameter wait: A function that waits for some seconds.
/// - Returns: The share of a core.
func workload(of wait: () async throws -> Void) async rethrows -> Double {
    let isOver = Monitor(false)
    let busyTime = Monitor<Double?>(nil)
    Thread.detachNewThread {
        let start = seconds(of: CLOCK_THREAD_CPUTIME_ID)
        while !isOver.value {}
        let end = seconds(of: CLOCK_THREAD_CPUTIME_ID)
        busyTime.withLock { $0 = end - start }
    }
    let start = seconds(of: CLOCK_PROCESS_CPUTIME_ID)
    try await wait()
    isOver.withLock { $0 = true }
    busyTime.wait { $0 != nil }
    let busy = busyTime.value ?? 0
    return (seconds(of: CLOCK_PROCESS_CPUTIME_ID) - start - busy) / busy
}

private func seconds(of clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

#endif
