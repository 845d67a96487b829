/// A value that one Swift task waits for and somebody else gives, once.
///
/// Unlike the wait for a continuation or for `Task.value`, this wait ends when the Swift task that waits is cancelled.
package struct AwaitedValue<Value: Sendable>: Sendable {
    private let values: AsyncStream<Value>
    private let giver: AsyncStream<Value>.Continuation

    package init() { (values, giver) = AsyncStream.makeStream() }

    /// Gives the value. Another one is ignored.
    package func give(_ value: Value) {
        giver.yield(value)
        giver.finish()
    }

    /// Waits for the value.
    ///
    /// - Returns: The value, or nil if the Swift task is cancelled first. The value may be given at the same time.
    @discardableResult
    package func value() async -> Value? {
        for await value in values { return value }
        return nil
    }
}
