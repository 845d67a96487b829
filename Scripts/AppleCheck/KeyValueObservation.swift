// Stands for what Foundation has on Apple's platforms alone, so that the code written for them compiles on Linux.

import Foundation
@_exported import FoundationNetworking

final class NSKeyValueObservation {
    func invalidate() {}
}

struct NSKeyValueObservedChange<Value> {}

extension URLSessionTask {
    /// Observes nothing: on Linux the counts of a task with a completion handler never move.
    func observe<Value>(
        _ keyPath: KeyPath<URLSessionTask, Value>,
        changeHandler: @escaping @Sendable (URLSessionTask, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        NSKeyValueObservation()
    }
}
