import Foundation

extension Task where Success == Never, Failure == Never {
    /// Waits for at most a year. A negative time, or one that is no number, is none.
    static func sleep(seconds: TimeInterval) async throws {
        let seconds = seconds > 0 ? min(seconds, 31_536_000) : 0
        try await sleep(nanoseconds: UInt64(seconds * 1_000_000_000))
    }
}
