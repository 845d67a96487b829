#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResultTransport
@testable import TestSupport

/// The state machine of a request, without a socket: every state that can be reached is visited, and in each of them what the
/// library promises is asked.
struct TaskLifecycleTests {
    @Test("In every state that can be reached, each promise holds")
    func allStates() throws {
        let start = try World()
        var known: [String: World] = [start.key: start]
        var queue = [start]
        while !queue.isEmpty {
            let world = queue.removeFirst()
            for event in World.Event.allCases where world.allows(event) {
                let next = world.after(event)
                #expect(next.broken == [], "\(next.path)")
                guard next.broken.isEmpty, known[next.key] == nil else { continue }
                known[next.key] = next
                queue.append(next)
            }
        }
        // Otherwise the walk ended early.
        #expect(known.count > 60)
        for world in known.values { #expect(world.reachesItsEnd, "\(world.path)") }
    }

    @Test("The caller's task shows how far the request is, and at its end the error")
    func shown() throws {
        var world = try World()
        var states: [URLSessionTask.State] = [world.state.state]
        for event in [World.Event.resume, .suspend, .suspend, .resume, .cancel, .deliver] {
            world = world.after(event)
            states.append(world.state.state)
        }
        #expect(states == [.suspended, .running, .suspended, .suspended, .suspended, .canceling, .completed])
        #expect((world.state.finallyShown?.error as? URLError)?.code == .cancelled)
    }

    @Test("It keeps the caller's task while that runs, and no longer")
    func keptTask() throws {
        var world = try World()
        for (event, isKept) in [(World.Event.resume, true), (.timeOut, true), (.deliver, false)] {
            world = world.after(event)
            #expect((world.state.callersTask === world.task) == isKept)
        }
        #expect(world.state.callersTask == nil)
    }

    @Test("A task runs again when it is resumed as often as it was suspended", arguments: 0...3)
    func suspensions(count: Int) throws {
        var world = try World().after(.resume)
        for number in 0..<count {
            if number > 0 { #expect(world.state.state == .suspended) }
            world = world.after(.suspend)
        }
        for _ in 0..<count { world = world.after(.resume) }
        #expect(world.state.state == .running)
    }

    @Test("An end is held back while the task is suspended, except that of a cancellation")
    func heldBack() throws {
        var running = try World().after(.resume)
        var suspended = running.after(.suspend)
        #expect(running.state.end(with: TaskOutcome())?.waitsForResume == false)
        #expect(suspended.state.cancel(with: TaskOutcome())?.waitsForResume == false)
        suspended = try World().after(.resume).after(.suspend)
        #expect(suspended.state.end(with: TaskOutcome())?.waitsForResume == true)
    }

    @Test("What has ended is not suspended any more, unless it was before")
    func suspendedAfterEnd() throws {
        var running = try World().after(.resume).after(.timeOut).after(.suspend)
        #expect(running.state.state == .running)
        #expect(running.state.deliver(showing: ShownTask()) != nil)
        var suspended = try World().after(.resume).after(.suspend).after(.timeOut).after(.suspend).after(.resume)
        #expect(suspended.state.state == .suspended)
        #expect(suspended.state.deliver(showing: ShownTask()) == nil)
    }

    @Test("The first request is sent once, when the task is resumed as often as it was suspended")
    func firstRequest() throws {
        let url = try #require(URL(string: "http://127.0.0.1/"))
        let task = URLSession.shared.dataTask(with: url)
        var state = TaskLifecycle { _ in }
        state.suspend()
        let sends = (1...3).map { _ in
            if case .sendFirstRequest = state.resume(task, countingWith: nil) { true } else { false }
        }
        #expect(sends == [false, true, false])
    }

    @Test("The task shows what the outcome says, and the delivery has the counter")
    func shownAtTheEnd() throws {
        let url = try #require(URL(string: "http://127.0.0.1/"))
        var state = TaskLifecycle { _ in }
        _ = state.resume(URLSession.shared.dataTask(with: url), countingWith: { _, _ in nil })
        let response = URLResponse(url: url, mimeType: nil, expectedContentLength: 7, textEncodingName: nil)
        _ = state.end(with: TaskOutcome(response: response, error: URLError(.timedOut)))
        let delivery = state.deliver(showing: ShownTask())
        #expect(delivery?.counter != nil)
        #expect(state.finallyShown?.response === response)
        #expect(state.finallyShown?.expectedToReceive == 7)
        #expect((state.finallyShown?.error as? URLError)?.code == .timedOut)
    }

    /// Whoever cancels holds a lock, which the error may need when it is released.
    @Test("A cancellation hands out the outcome that counts no more")
    func formerOutcome() throws {
        let isReleased = Monitor(false)
        var world = try World().after(.resume).after(.suspend)
        _ = world.state.end(with: TaskOutcome(error: ErrorOfCaller(Canary { isReleased.withLock { $0 = true } })))
        let ending = world.state.cancel(with: TaskOutcome())
        #expect(!isReleased.value)
        withExtendedLifetime(ending) {}
    }
}

private struct ErrorOfCaller: Error {
    private let canary: Canary

    init(_ canary: Canary) { self.canary = canary }
}

/// A state, and around it what a transfer does: the transactions, the sends and the deliveries that are on their way.
private struct World {
    enum Event: CaseIterable {
        case resume, suspend, cancel, timeOut, begin, end, deliver

        /// The latest transaction leads to another request.
        case goOn
    }

    /// An invariant that does not hold any more.
    enum Broken: String {
        case calledTwice = "The handler is called at most once."
        case startedLate = "Nothing is started once it is decided how the request ends."
        case neverStarted = "What is ready is started unless it is decided how the request ends."
        case sentTwice = "The first request is sent once."
        case otherTransaction = "The latest transaction is stopped at the end, and no other."
        case endsSuspended = "While the task is suspended, no end comes out, except that of a cancellation."
        case notFinal = "Over is final."
        case otherEnd = "The first end counts, and a cancellation until the handler is called."
        case unannounced = "An end that may come out is delivered."
    }

    var state: TaskLifecycle
    private let transactions: [Transaction]
    let task: URLSessionTask
    private(set) var path: [Event] = []
    private(set) var broken: [Broken] = []

    private var count = 0
    private var sends = 0
    private var wasSent = false
    private var deliveries = 0
    private var firstEnd: String?
    private var calls: [String] = []

    init() throws {
        let session = URLSession(configuration: .ephemeral)
        let request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:1/")))
        var dependencies = TransferDependencies()
        dependencies.isListed = false
        dependencies.makeLoad = { PlayedLoad(0, of: $2, from: .answers) { _ in } }
        let transfer = Transfer(session: session, request: request, kind: .data, dependencies: dependencies) { _ in }
        let task = CallersDataTask(transfer)
        transactions = try (0..<3).map { _ in
            try Transaction(sending: PreparedRequest(request, .data), as: request, by: .http, for: transfer, task)
        }
        self.task = task
        state = TaskLifecycle { _ in }
    }

    /// What makes two states the same.
    var key: String {
        let phase =
            switch state.phase {
            case .waiting: "waiting"
            case .running(let transaction): "running \(index(of: transaction))"
            case .ending(let outcome, let transaction): "ending \(name(of: outcome)) \(index(of: transaction))"
            case .over: "over"
            }
        return "\(phase) \(state.suspendCount) \(state.isCancelled) \(count) \(sends) \(deliveries) \(calls)"
    }

    private func index(of transaction: Transaction?) -> Int { transactions.firstIndex { $0 === transaction } ?? -1 }
    private func name(of outcome: TaskOutcome) -> String { "\((outcome.error as? URLError)?.code.rawValue ?? 0)" }

    /// Whether an event can come, and whether it leads to states that are worth a visit.
    func allows(_ event: Event) -> Bool {
        switch event {
        case .resume, .cancel, .timeOut: true
        case .suspend: state.suspendCount < 2
        case .begin: sends > 0 && count < transactions.count
        case .end, .goOn: count > 0 && sends == 0
        case .deliver: deliveries > 0
        }
    }

    func after(_ event: Event) -> World {
        var next = self
        next.path.append(event)
        next.apply(event)
        return next
    }

    private mutating func apply(_ event: Event) {
        let wasOver = isOver
        switch event {
        case .resume:
            switch state.resume(task, countingWith: nil) {
            case .nothing: break
            case .sendFirstRequest: sendFirst()
            case .deliver: deliverSoon()
            }
        case .suspend: state.suspend()
        case .cancel: finish(state.cancel(with: TaskOutcome(error: URLError(.cancelled))), as: "-999", winning: true)
        case .timeOut: finish(state.end(with: TaskOutcome(error: URLError(.timedOut))), as: "-1001")
        case .begin: begin()
        // A transaction that was stopped leads to nothing.
        case .goOn: if firstEnd == nil { sends += 1 }
        case .end: if firstEnd == nil { finish(state.end(with: TaskOutcome()), as: "0") }
        case .deliver: deliver()
        }
        if wasOver, !isOver { broken.append(.notFinal) }
        if firstEnd != nil, !isOver, state.suspendCount == 0 || state.isCancelled, deliveries == 0 {
            broken.append(.unannounced)
        }
    }

    private var isOver: Bool { state.state == .completed }

    private mutating func sendFirst() {
        if firstEnd != nil { broken.append(.startedLate) }
        if wasSent { broken.append(.sentTwice) }
        wasSent = true
        sends += 1
    }

    private mutating func begin() {
        sends -= 1
        guard state.begin(transactions[count]) else {
            if firstEnd == nil { broken.append(.neverStarted) }
            return
        }
        if firstEnd != nil { broken.append(.startedLate) }
        count += 1
    }

    private mutating func finish(_ ending: TaskLifecycle.Ending?, as name: String, winning: Bool = false) {
        guard let ending else { return }
        if firstEnd != nil, !winning { broken.append(.otherEnd) }
        firstEnd = name
        if index(of: ending.transaction) != count - 1 { broken.append(.otherTransaction) }
        deliverSoon()
    }

    /// Two are as many as any number of them.
    private mutating func deliverSoon() { deliveries = min(deliveries + 1, 2) }

    private mutating func deliver() {
        deliveries -= 1
        guard let delivery = state.deliver(showing: ShownTask()) else { return }
        if state.suspendCount > 0, !state.isCancelled { broken.append(.endsSuspended) }
        if !calls.isEmpty { broken.append(.calledTwice) }
        if name(of: delivery.outcome) != firstEnd { broken.append(.otherEnd) }
        if index(of: delivery.transaction) != count - 1 { broken.append(.otherTransaction) }
        calls.append(name(of: delivery.outcome))
    }

    /// Whether the handler is called once the caller resumes the task, the load ends, and every queue runs.
    var reachesItsEnd: Bool {
        var world = self
        while world.state.suspendCount > 0 { world.apply(.resume) }
        if world.allows(.begin) { world.apply(.begin) }
        // A transaction may never end.
        world.apply(.timeOut)
        while world.deliveries > 0 { world.apply(.deliver) }
        return world.calls.count == 1 && world.broken.isEmpty
    }
}

#endif
