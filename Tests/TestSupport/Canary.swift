import Foundation

/// Says when it is released.
final class Canary: Sendable {
    private let onRelease: @Sendable () -> Void

    init(_ onRelease: @escaping @Sendable () -> Void) {
        self.onRelease = onRelease
    }

    convenience init(_ gate: Gate) {
        self.init { gate.open() }
    }

    deinit {
        onRelease()
    }
}

/// A delegate queue, which lives as long as the last session that uses it.
final class CanaryQueue: OperationQueue, @unchecked Sendable {  // As its superclass is. It adds a constant.
    private let canary: Canary

    init(_ canary: Canary) {
        self.canary = canary
        super.init()
        maxConcurrentOperationCount = 1
    }
}
