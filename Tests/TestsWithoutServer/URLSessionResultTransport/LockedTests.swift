import Testing

@testable import URLSessionResultTransport
@testable import TestSupport

/// An optimized build releases a value after its last use, which may be none.
struct LockedTests {
    /// What becomes of a value that was taken out.
    enum Use: CaseIterable, Sendable {
        case none, comparison, other, change

        func take(from value: Locked<Canary?>) {
            switch self {
            case .none: _ = value.withLock { $0.take() }
            case .comparison: if value.withLock({ $0.take() }) == nil { Issue.record("There is one.") }
            case .other:
                let (number, _) = value.withLock { (1, $0.take()) }
                #expect(number == 1)
            case .change: value.change { $0 = nil }
            }
        }
    }

    /// Under the lock, its `deinit` would wait for itself.
    @Test("What is taken out is released without the lock, whatever it is used for", arguments: Use.allCases)
    func release(_ use: Use) {
        let value = Locked<Canary?>(nil)
        let isEmptyAtRelease = Monitor<Bool?>(nil)
        value.withLock { $0 = Canary { isEmptyAtRelease.withLock { $0 = value.withLock { $0 == nil } } } }
        use.take(from: value)
        #expect(isEmptyAtRelease.value == true)
    }
}
