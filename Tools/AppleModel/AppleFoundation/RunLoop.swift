// Source: https://developer.apple.com/documentation/corefoundation/cfrunloop
/// Runs blocks in their order, each time that it was woken.
public final class CFRunLoop: @unchecked Sendable {
    private let condition = NSCondition()
    private var blocks: [() -> Void] = []
    private var isAwake = false

    /// That of the thread on which protocols load.
    static let ofProtocols: CFRunLoop = {
        let loop = CFRunLoop()
        Thread.detachNewThread { while true { loop.runOnce() } }
        return loop
    }()

    private func runOnce() {
        let blocks = condition.withLock {
            while !isAwake { condition.wait() }
            isAwake = false
            return self.blocks.take()
        }
        for block in blocks { block() }
    }

    func perform(_ block: @escaping () -> Void) {
        add(block)
        wakeUp()
    }

    func add(_ block: @escaping () -> Void) { condition.withLock { blocks.append(block) } }

    func wakeUp() {
        condition.withLock {
            isAwake = true
            condition.signal()
        }
    }
}

extension Array {
    fileprivate mutating func take() -> Self {
        defer { self = [] }
        return self
    }
}

public final class CFString {}

public struct CFRunLoopMode: Sendable {
    public var rawValue: CFString { CFString() }
    public static let defaultMode: CFRunLoopMode! = CFRunLoopMode()
}

/// The only one that has blocks.
public func CFRunLoopGetCurrent() -> CFRunLoop! { .ofProtocols }
public func CFRunLoopPerformBlock(_ rl: CFRunLoop!, _ mode: AnyObject!, _ block: (() -> Void)!) { rl.add(block) }
public func CFRunLoopWakeUp(_ rl: CFRunLoop!) { rl.wakeUp() }
