#if canImport(FoundationNetworking)

import Foundation

@testable import URLSessionResultTransport
@testable import TestSupport

/// A transfer, and around it a caller, loads, a delegate and a timer that a test plays. Everything happens in steps, on one thread.
///
/// The transfer is the library's own. What it takes from FoundationNetworking is played (`TransferDependencies`): a load tells what a
/// task of an inner session tells, and goes on after `stop()` until it has ended, as such a task does. The delegate queue keeps its
/// operations until a step turns it.
///
/// The world is a second, smaller model of a request. It knows nothing of phases and transactions, only what a caller may count on:
/// who has done what, and which event has decided the end. It predicts that end when the event happens (`decide`), and compares it with
/// what the handler gets (`check(_:with:)`). The first event that decides counts, and a cancellation counts before all others.
///
/// Unchecked, because there is one thread.
final class TransferWorld: @unchecked Sendable {
    enum Step: Sendable {
        // The caller.
        case resume, suspend, cancel

        // The latest load. Without a head, bytes come with one.
        case head, bytes, whole, fail, lose

        // The first load that was stopped. It tells that it is cancelled, when another one may run.
        case lateEnd

        // The delegate, its queue, and what else takes time.
        case turn, follow, refuse, answerAgain, find, timeOut, endHolding, callOnGlobalQueue
    }

    enum Kind: Sendable {
        case data, download, stream
    }

    enum Cancelling: Sendable {
        case whenAsked, whenBytesCome, inHandler
    }

    struct Setup: Sendable {
        var kind = Kind.data
        var caller: [Step]
        var load: [Step]
        var delegate: [Step]

        /// How each load is answered. The last one stands for all that follow.
        var servers: [PlayedLoad.Server]

        /// Whether it takes a step to find who loads a request.
        var findsLater = false

        /// When somebody whom the transfer calls cancels the task.
        var cancelling: Cancelling?

        var actors: [[Step]] { [caller, load, delegate] }
    }

    /// How the request is to end, as far as that is decided: with the whole body of a load, with the response that a delegate did not
    /// follow, or with an error.
    private enum End: Equatable {
        case whole(Int), refused(Int)
        case error(URLError.Code)
    }

    private let setup: Setup
    private let queue: HandTurnedQueue
    private var transfer: Transfer?
    private var receiver: PlayedReceiver?
    private var task: URLSessionTask?
    private var loads: [PlayedLoad] = []
    private var files: [URL] = []
    private var finding: [() -> Void] = []
    private var calledOnGlobalQueue: [() -> Void] = []
    private var holding: [() -> Void] = []
    private var questions: [(load: PlayedLoad?, answer: (Bool) -> Void)] = []
    private var lastAnswer: ((Bool) -> Void)?

    // What the caller has done, and what has come out. A task begins suspended, so that the first `resume()` is the one that counts.
    private var suspendCount = 1
    private var wasResumed = false
    private var isCancelled = false
    private var isTelling = false
    private var decided: End?
    private var calls = 0

    /// What must not happen and did.
    private(set) var faults: [String] = []

    init(_ setup: Setup, in session: URLSession, turning queue: HandTurnedQueue) {
        self.setup = setup
        self.queue = queue
        if setup.kind == .stream {
            receiver = PlayedReceiver { [unowned self] in
                note($0)
            } noteBytes: { [unowned self] in
                streamed(from: $0)
            }
        }
        let transfer = Transfer(
            session: session, request: URLRequest(url: PlayedLoad.Server.url),
            kind: setup.kind == .download ? .download : .data,
            receiver: receiver, dependencies: dependencies
        ) { [unowned self] outcome in
            end(with: outcome)
        }
        transfer.taskDelegate = PlayedDelegate { [unowned self] in
            ask($0)
        } noting: { [unowned self] in
            // It may wait for the work queue then.
            if isTelling { note("A delegate is released while a load tells something") }
        }
        task = setup.kind == .download ? CallersDownloadTask(transfer) : CallersDataTask(transfer)
        self.transfer = transfer
    }

    private var dependencies: TransferDependencies {
        var dependencies = TransferDependencies()
        dependencies.isListed = false
        dependencies.findLoader = { [unowned self] _, _, found in
            if setup.findsLater { finding.append { found(.http) } } else { found(.http) }
        }
        dependencies.makeLoad = { [unowned self] _, _, transaction in
            let server = setup.servers[min(loads.count, setup.servers.count - 1)]
            let load = PlayedLoad(loads.count, of: transaction, from: server) { [unowned self] in note($0) }
            loads.append(load)
            return load
        }
        dependencies.makeFile = { [unowned self] in
            let file = try DownloadedFile()
            files.append(file.url)
            return file
        }
        dependencies.callOnGlobalQueue = { [unowned self] in calledOnGlobalQueue.append($0) }
        dependencies.callLater = { [unowned self] _, work in holding.append(work) }
        return dependencies
    }

    private func note(_ fault: String) {
        if !faults.contains(fault) { faults.append(fault) }
    }

    // MARK: Steps

    /// Takes the steps in an order, then all that are needed for an end.
    ///
    /// - Returns: What must not happen and did.
    func run(_ order: [Int]) -> [String] {
        var rest = setup.actors.map { $0[...] }
        for actor in order { take(rest[actor].removeFirst()) }
        finish()
        checkEnd()
        return faults
    }

    private func take(_ step: Step) {
        perform(step)
        check(after: step)
    }

    private func perform(_ step: Step) {
        switch step {
        case .resume:
            if suspendCount > 0 { suspendCount -= 1 }
            if suspendCount == 0 { wasResumed = true }
            if let task { transfer?.resume(task, countingWith: count) }
        case .suspend:
            // What has ended is on its way to the handler: the session may not wait until the task is resumed. An end that is held back
            // waits for all suspensions.
            if !isDecided || endWaitsForResume { suspendCount += 1 }
            task?.suspend()
        case .cancel:
            // A receiver may cancel when it is given what was held back to the end.
            if task?.state != .completed { isCancelled = true }
            task?.cancel()
        case .head: tell { $0.tellHead() }
        case .bytes: tell { $0.tellBytes() }
        case .whole: tell(whole)
        case .fail: tell(fail)
        case .lose: tell { $0.loseConnection() }
        case .lateEnd: endFirstStopped()
        case .turn: queue.turn()
        case .follow: answer(true)
        case .refuse: answer(false)
        case .answerAgain: lastAnswer?(true)
        case .find: if !finding.isEmpty { finding.removeFirst()() }
        case .timeOut: timeOut()
        case .endHolding: if !holding.isEmpty { holding.removeFirst()() }
        case .callOnGlobalQueue: if !calledOnGlobalQueue.isEmpty { calledOnGlobalQueue.removeFirst()() }
        }
    }

    private func count(_ completed: Int64, of expected: Int64) -> (@Sendable () -> Void)? {
        { [unowned self] in
            if !queue.isTurning { note("A report comes elsewhere than on its queue") }
            if calls > 0 { note("A report comes after the end") }
        }
    }

    private func tell(_ event: (PlayedLoad) -> Void) {
        guard let load = loads.last(where: \.mayTell) else { return }
        isTelling = true
        event(load)
        isTelling = false
    }

    private func whole(_ load: PlayedLoad) {
        // A response that redirects or challenges leads to a question, not to an end. A stream that has begun goes on with the response
        // that it has. A load that was stopped decides nothing.
        if load.isRunning, !load.hasAsked, load.server == .answers || receiver?.head != nil {
            decide(.whole(load.number))
        }
        load.tellWhole()
    }

    private func fail(_ load: PlayedLoad) {
        // Once it is decided what follows its response, nobody waits for it: the connection of a redirect may be lost.
        if load.isRunning, !load.isAnswered { decide(.error(.networkConnectionLost)) }
        load.fail(.networkConnectionLost)
    }

    /// A task that was cancelled says so later, when another one may run already. It must change nothing.
    private func endFirstStopped() {
        loads.first { $0.mayTell && $0.isStopped }?.fail(.cancelled)
    }

    /// "No" ends the request with the response that was asked about, if that load was not stopped meanwhile. "Yes" leads to another load.
    private func answer(_ follows: Bool) {
        guard !questions.isEmpty else { return }
        let question = questions.removeFirst()
        if !follows, let load = question.load, load.isRunning { decide(.refused(load.number)) }
        question.load?.isAnswered = true
        lastAnswer = question.answer
        question.answer(follows)
    }

    /// The time begins when the task is resumed.
    private func timeOut() {
        guard wasResumed else { return }
        decide(.error(.timedOut))
        transfer?.end(with: TaskOutcome(error: URLError(.timedOut, at: PlayedLoad.Server.url)))
    }

    private func decide(_ end: End) {
        if decided == nil { decided = end }
    }

    /// Does what is left to do, so that each order has an end: an order of steps may leave a task suspended, or a question open. The number
    /// of rounds is more than any number of loads, so that a request that never ends is a fault, and no endless loop.
    private func finish() {
        for _ in 0..<8 where calls == 0 {
            while suspendCount > 0 { take(.resume) }
            while !finding.isEmpty { take(.find) }
            while queue.turn() { check(after: .turn) }
            while !questions.isEmpty { take(.follow) }
            take(.whole)
        }
        while queue.turn() { check(after: .turn) }
        while loads.contains(where: { $0.mayTell && $0.isStopped }) { take(.lateEnd) }
        while queue.turn() { check(after: .turn) }
        while !finding.isEmpty { take(.find) }
        while !holding.isEmpty { take(.endHolding) }
        while !calledOnGlobalQueue.isEmpty { take(.callOnGlobalQueue) }
    }

    // MARK: What must hold

    private var endWaitsForResume: Bool { suspendCount > 0 && !isCancelled }
    private var isDecided: Bool { isCancelled || decided != nil || calls > 0 }

    private func check(after step: Step) {
        let running = loads.filter(\.isRunning)
        // Their bytes would be mixed.
        if running.count > 1 { note("Two loads run") }
        // It would take a connection, and a server would act on what nobody wants any more.
        if isDecided, !running.isEmpty { note("A load goes on after \(step), though the end is decided") }
        // A task that is never resumed nor cancelled stays in its session for ever.
        if loads.contains(where: { !$0.isStarted && !$0.isStopped }) { note("A load is neither started nor stopped") }
        // A caller sets up a task before it resumes it.
        if !wasResumed, !loads.isEmpty { note("A load is made before the task is resumed") }
        // As `URLSessionTask.state` says: completed means that the handler was called.
        if (task?.state == .completed) != (calls > 0) { note("The task is not over, or over too early") }
    }

    /// A delegate belongs to its queue, and has nothing to decide about a request that has ended.
    private func ask(_ answer: @escaping (Bool) -> Void) {
        if !queue.isTurning { note("A delegate is asked elsewhere than on its queue") }
        if isDecided { note("A delegate is asked though the end is decided") }
        questions.append((loads.last, answer))
        if setup.cancelling == .whenAsked { perform(.cancel) }
    }

    /// A reader gets one response: that of the last request.
    private func streamed(from numbers: Set<Int>) {
        if numbers.count > 1 { note("Bytes come from two loads") }
        if numbers.max() != loads.last?.number { note("Bytes come from a load that was dropped") }
        if setup.cancelling == .whenBytesCome { perform(.cancel) }
    }

    private func end(with outcome: TaskOutcome) {
        calls += 1
        if calls > 1 { note("The handler is called twice") }
        if setup.kind == .stream, decided == .whole(loads.count - 1), receiver?.head == nil { note("No head comes") }
        if setup.kind != .stream, !queue.isTurning { note("The handler is called elsewhere than on its queue") }
        if !wasResumed, !isCancelled { note("The handler is called before the task is resumed") }
        if suspendCount > 0, !isCancelled { note("The handler is called while the task is suspended") }
        let body = outcome.file.map { (try? Data(contentsOf: $0)) ?? Data("no file".utf8) } ?? outcome.data
        check(outcome, with: receiver?.bytes ?? body)
        receiver?.complete(with: outcome.error)
        if setup.cancelling == .inHandler { perform(.cancel) }
    }

    private func check(_ outcome: TaskOutcome, with body: Data?) {
        let code = (outcome.error as? URLError)?.code
        switch isCancelled ? .error(.cancelled) : decided {
        case .error(let expected):
            if code != expected { note("The end is \(code?.rawValue ?? 0) in place of \(expected.rawValue)") }
        case .whole(let number):
            if code != nil || body != loads[number].body { note("The end has not the body of the last load") }
        case .refused(let number):
            let load = loads[number]
            if code != nil || outcome.response !== load.server.response { note("The end is not the refused response") }
            if load.server == .challenges, body != load.body {
                note("The end has not the body of the refused response")
            }
        case nil:
            note("The request ends for no reason")
        }
    }

    /// A handler is called once, whatever happens, and what the request held is let go.
    private func checkEnd() {
        if calls != 1 { note("The handler is called \(calls) times") }
        for file in files where FileManager.default.fileExists(atPath: file.path) { note("A file remains") }
        if transfer?.taskDelegate != nil { note("The delegate is not released") }
        questions = []
        lastAnswer = nil
        weak let lastTask = task
        weak let lastTransfer = transfer
        weak let lastLoad = loads.first
        (task, transfer, loads) = (nil, nil, [])
        if lastTask != nil { note("The task is not released") }
        if lastTransfer != nil { note("The transfer is not released") }
        if lastLoad != nil { note("A load is not released") }
    }
}

#endif
