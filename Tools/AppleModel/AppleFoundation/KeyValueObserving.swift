// "URLSessionTask properties support KVO", by the page of the class. As in Objective-C, the thread that changes a value calls the observers.

public final class NSKeyValueObservation: NSObject, @unchecked Sendable {
    private weak var task: URLSessionTask?

    init(of task: URLSessionTask) { self.task = task }

    public func invalidate() {
        let observer = task?.with { $0.observers.removeValue(forKey: ObjectIdentifier(self)) }
        withExtendedLifetime(observer) {}
    }

    deinit { invalidate() }
}

public struct NSKeyValueObservedChange<Value> {}

/// A protocol, because only its extensions know `Self`.
public protocol _Observable: URLSessionTask {}
extension URLSessionTask: _Observable {}

extension _Observable {
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>,
        changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let observation = NSKeyValueObservation(of: self)
        nonisolated(unsafe) let keyPath = keyPath
        with { values in
            values.observers[ObjectIdentifier(observation)] = { task, changed in
                guard changed == keyPath, let task = task as? Self else { return }
                changeHandler(task, NSKeyValueObservedChange())
            }
        }
        return observation
    }
}

extension URLSessionTask {
    func change(_ keyPath: AnyKeyPath, _ body: (inout Values) -> Void) {
        let observers = with { values in
            body(&values)
            return values.observers.values
        }
        for observer in observers { observer(self, keyPath) }
    }
}
