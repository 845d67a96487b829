import Synchronization

/// The values that a handler was called with.
package final class Recorder<Value: Sendable>: Sendable {
    private let recorded = Mutex<[Value]>([])

    package init() {}

    package var values: [Value] { recorded.withLock { $0 } }

    package func append(_ value: Value) {
        recorded.withLock { $0.append(value) }
    }
}
