import Foundation

/// What is measured of a contender.
public enum Quantity: Sendable {
    /// The time that it takes.
    case nanoseconds

    /// The resident memory of the process at its highest, from its start on.
    case peakKilobytes

    func measure(_ body: () async throws -> Void) async throws -> Int {
        let start = ContinuousClock.now
        try await body()
        return switch self {
        case .nanoseconds: Int((ContinuousClock.now - start) / .nanoseconds(1))
        case .peakKilobytes: Self.residentPeak
        }
    }

    private static var residentPeak: Int {
        var usage = rusage()
        #if canImport(Darwin)
        getrusage(RUSAGE_SELF, &usage)
        return usage.ru_maxrss / 1_024
        #else
        getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss
        #endif
    }
}
