#if canImport(FoundationNetworking)

import Dispatch
import Foundation

/// The thread on which libcurl sends and receives, for all sessions. Nothing on it waits, except for the next event.
///
/// Unchecked, because all but `pending` is used on the thread alone.
final class EventLoop: @unchecked Sendable {
    typealias Work = @Sendable () -> Void

    private static let started = Locked<EventLoop?>(nil)

    /// The loop, which is started for the first request.
    ///
    /// - Throws: `URLError.cannotConnectToHost` if no descriptor is left for it, or `URLError.unknown` in a process that was made by
    ///   `fork`.
    static func running() throws -> EventLoop {
        if let error = errorAfterFork { throw error }
        return try started.withLock { started in
            let loop = try started ?? EventLoop()
            started = loop
            return loop
        }
    }

    /// Why there is no loop in a process that was made by `fork` from one that has it: the thread that called `fork` is the only one.
    ///
    /// No queue runs anything there, either.
    static var errorAfterFork: URLError? {
        guard let loop = started.withLock({ $0 }), !loop.isOfThisProcess else { return nil }
        return URLError(.unknown, at: nil, saying: "A process made by fork() can send requests after exec() only.")
    }

    private var isOfThisProcess: Bool { processIdentifier == SystemCalls.processIdentifier }

    /// The process that has the thread.
    private let processIdentifier = SystemCalls.processIdentifier

    private struct Pending: Sendable {
        var works: [Work] = []

        /// Whether the thread looks for works before it waits.
        var isAwake = true

        /// What is signaled when the thread has stopped, because the program ends.
        var isStopped: DispatchSemaphore?
    }

    /// Guards what other threads want done.
    ///
    /// 1. The thread finds nothing to do, and notes under the lock that it will wait.
    /// 2. Another thread adds work, sees that the thread waits, and wakes it. The thread then finds the work, even if it was only about to
    ///    wait.
    private let pending = Locked(Pending())
    private let poll: SystemCalls.Poll
    private let wakeUp: (readEnd: FileHandle, writeEnd: FileHandle)

    /// By the numbers that the events of their sockets have.
    private var connections: [UInt32: Connections] = [:]
    private var latestNumber: UInt32 = 0

    private(set) var pool = ConnectionsPool()

    /// The time of a monotonic clock when the latest event came, in nanoseconds.
    private(set) var now = DispatchTime.now().uptimeNanoseconds

    /// When to look at the times of all connections and transfers. None is earlier.
    private var nextTime = UInt64.max

    private init() throws {
        do {
            wakeUp = try SystemCalls.makePipe()
            poll = try SystemCalls.Poll()
        } catch {
            throw URLError(.cannotConnectToHost, userInfo: [NSUnderlyingErrorKey: error])
        }
        poll.watch(wakeUp.readEnd.fileDescriptor, reading: true, writing: false, as: 0)
        _ = Self.stopsAtExit
        Thread.detachNewThread { self.run() }
    }

    // MARK: The end of the program

    /// At `exit`, OpenSSL frees memory that connections use (`OPENSSL_cleanup`), while other threads still run. So the threads that use it
    /// stop before.
    private static let stopsAtExit: Void = {
        // `atexit` calls the latest function first. Once libcurl is loaded, it has initialized OpenSSL, so `stop()` runs before OpenSSL's
        // clean-up.
        _ = Curl.loaded
        SystemCalls.callAtExit { EventLoop.stop() }
    }()

    /// The time after which the program ends nevertheless.
    private static let patienceAtExit = DispatchTimeInterval.seconds(2)

    private static func stop() {
        guard let loop = started.withLock({ $0 }), loop.isOfThisProcess else { return }
        let end = DispatchTime.now() + patienceAtExit
        for isStopped in [loop.stop(), Curl.stopClosing()] { _ = isStopped.wait(timeout: end) }
    }

    /// Ends all work on the thread, for ever.
    ///
    /// - Returns: What is signaled when that has come.
    private func stop() -> DispatchSemaphore {
        let isStopped = DispatchSemaphore(value: 0)
        // `exit` may be called on this thread, at the end of a stream.
        if Thread.current.name == Self.nameOfThread {
            isStopped.signal()
        } else {
            pending.withLock { $0.isStopped = isStopped }
            perform {}
        }
        return isStopped
    }

    /// Stops the thread for ever if the program ends. libcurl may begin a handshake after the other, which takes seconds, and asks for
    /// sockets between them.
    func waitForeverIfProgramEnds() { pending.withLock { $0.isStopped }?.signalAndBlock() }

    /// Calls a function on the thread, after those that were given before.
    func perform(_ work: @escaping Work) {
        let isAsleep = pending.withLock { pending in
            pending.works.append(work)
            defer { pending.isAwake = true }
            return !pending.isAwake
        }
        if isAsleep { SystemCalls.writeByte(to: wakeUp.writeEnd.fileDescriptor) }
    }

    private static let nameOfThread = "URLSession loop"

    private func run() {
        Thread.current.name = Self.nameOfThread
        SystemCalls.blockSignalsOfThread()
        while true {
            performPending()
            checkTimes()
            releaseUnneeded()
            let mayWait = pending.withLock { pending in
                pending.isAwake = !pending.works.isEmpty || !works.isEmpty
                return !pending.isAwake
            }
            poll.await(for: mayWait ? milliseconds(until: min(nextTime, timeOfRelease)) : 0) {
                now = $0
            } handling: {
                handle($0)
            }
        }
    }

    /// What was taken from `pending`, the next last.
    private var works: [Work] = []

    /// How many are performed before the sockets are looked at again: a response that waits there must not time out.
    private static let mostWorksAtOnce = 64

    private func performPending() {
        if works.isEmpty {
            works = pending.withLock { pending in
                defer { pending.works = [] }
                return pending.works.reversed()
            }
        }
        for _ in 0..<min(works.count, Self.mostWorksAtOnce) {
            waitForeverIfProgramEnds()
            // A timeout may begin now.
            now = DispatchTime.now().uptimeNanoseconds
            works.popLast()?()
        }
    }

    // MARK: What is released elsewhere

    /// What is over: transfers and sessions. With the last of them, the caller's session and its delegate may go, and what they do then
    /// may wait.
    private var unneeded: [any Sendable] = []

    /// When another thread is woken to release it: not for each transfer, because that costs a tenth of a short one.
    private var timeOfRelease = UInt64.max
    private static let releaseDelay: UInt64 = 5_000_000

    /// Guards what the loop has no more, until a thread of a queue has taken it.
    private let released = Locked<[any Sendable]>([])

    func releaseElsewhere(_ object: some Sendable) {
        if unneeded.isEmpty { timeOfRelease = now + Self.releaseDelay }
        unneeded.append(object)
    }

    /// Lets another thread release what is over. The objects are not captured by the closure, because the loop might be the last to
    /// release it.
    private func releaseUnneeded() {
        guard timeOfRelease <= now else { return }
        timeOfRelease = .max
        released.withLock { released in
            released += unneeded
            // While the lock is held: a thread that has the list could release it, and the loop would have the last reference.
            unneeded = []
        }
        onGlobalQueue { [released] in released.change { $0 = [] } }
    }

    private func handle(_ event: SystemCalls.Poll.Event) {
        if event.number == 0 {
            SystemCalls.drain(wakeUp.readEnd.fileDescriptor)
        } else {
            connections[event.number]?.handle(event)
        }
    }

    // MARK: Times

    /// Looks at the times of all connections and transfers at some time, or before.
    func checkTimes(at time: UInt64) { nextTime = min(nextTime, time) }

    private func checkTimes() {
        guard nextTime != .max else { return }
        now = DispatchTime.now().uptimeNanoseconds
        guard nextTime <= now else { return }
        nextTime = .max
        // What is done meanwhile may ask for another look.
        for connections in connections.values { checkTimes(at: connections.checkTimes()) }
        pool.checkTimes(on: self)
        checkTimes(at: pool.nextLook)
    }

    private func milliseconds(until time: UInt64) -> CInt {
        guard time != .max else { return -1 }
        let now = DispatchTime.now().uptimeNanoseconds
        return time <= now ? 0 : CInt(clamping: (time - now) / 1_000_000 + 1)
    }

    // MARK: For connections

    /// Gives connections a number for the events of their sockets.
    func add(_ connections: Connections) -> UInt32 {
        repeat { latestNumber &+= 1 } while latestNumber == 0 || self.connections[latestNumber] != nil
        self.connections[latestNumber] = connections
        return latestNumber
    }

    func remove(_ number: UInt32) { connections[number] = nil }

    func watch(_ socket: CInt, reading: Bool, writing: Bool, onlyChanges: Bool, as number: UInt32) {
        poll.watch(socket, reading: reading, writing: writing, onlyChanges: onlyChanges, as: number)
    }

    func unwatch(_ socket: CInt) { poll.unwatch(socket) }

    /// The connections for a transfer.
    func connections(for key: ConnectionsPool.Key, of owner: URLSession, _ curl: Curl) -> Connections? {
        pool.connections(for: key, of: owner, curl, on: self)
    }

    /// Connections have no transfer any more.
    func noteUnused() {
        pool.noteUnused(at: now)
        checkTimes(at: pool.nextLook)
    }
}

extension DispatchSemaphore {
    /// Signals, and keeps the thread from anything else.
    func signalAndBlock() {
        signal()
        DispatchSemaphore(value: 0).wait()
    }
}

#endif
