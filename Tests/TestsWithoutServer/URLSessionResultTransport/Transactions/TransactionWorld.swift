#if canImport(FoundationNetworking)

import Foundation

@testable import URLSessionResultTransport
@testable import TestSupport

/// A transaction that is told anything, in any order: also what no load would tell. Around it are the transfer that it belongs to, a
/// delegate and a handler, which take notes.
///
/// Whatever comes, one thing closes the transaction: its end, a stop, or the request that follows it.
///
/// Unchecked, because there is one thread.
final class TransactionWorld: @unchecked Sendable {
    enum Kind: CaseIterable, Sendable { case data, download, stream }

    enum Event: CaseIterable {
        // What a load tells.
        case head, bytes, challenge, redirect, lose, whole, fail

        /// A redirect whose body may follow.
        case redirectAtHead

        case stop

        /// The delegate queue turns, so that a delegate is asked, or a handler called. Then the load does what it was given to do in turn.
        case turn

        /// The delegate answers that another request follows, or none.
        case follow, decline
    }

    private let queue: HandTurnedQueue
    private var receiver: PlayedReceiver?
    private var transfer: Transfer?
    private var task: URLSessionTask?
    private var transactions: [Transaction] = []
    private var loads: [NotedLoad] = []
    private var files: [URL] = []
    private var questions: [(Bool) -> Void] = []
    private var questionCount = 0
    private var declineCount = 0

    /// What the load is to do between two things that it tells.
    private var turns: [() -> Void] = []
    private var hasHead = false
    private var winningStops = 0
    private var calls = 0

    /// The bytes that were told before anything closed the transaction.
    private var body = Data()
    private var faults: [String] = []

    init(_ kind: Kind, in session: URLSession, turning queue: HandTurnedQueue) {
        self.queue = queue
        if kind == .stream {
            receiver = PlayedReceiver { [unowned self] in
                note($0)
            } noteBytes: { _ in
            }
        }
        let transfer = Transfer(
            session: session, request: URLRequest(url: PlayedLoad.Server.url),
            kind: kind == .download ? .download : .data, receiver: receiver, dependencies: dependencies
        ) { [unowned self] in end(with: $0) }
        transfer.taskDelegate = PlayedDelegate { [unowned self] in
            ask($0)
        } noting: {
        }
        task = kind == .download ? CallersDownloadTask(transfer) : CallersDataTask(transfer)
        self.transfer = transfer
    }

    private var dependencies: TransferDependencies {
        var dependencies = TransferDependencies()
        dependencies.isListed = false
        dependencies.findLoader = { $2(.http) }
        dependencies.makeLoad = { [unowned self] _, _, transaction in
            let load = NotedLoad()
            transactions.append(transaction)
            loads.append(load)
            return load
        }
        dependencies.makeFile = { [unowned self] in
            let file = try DownloadedFile()
            files.append(file.url)
            return file
        }
        dependencies.callOnGlobalQueue = { $0() }
        dependencies.callLater = { _, _ in }
        return dependencies
    }

    /// - Returns: What must not happen and did.
    func run(_ events: [Event]) -> [String] {
        task?.resume()
        for event in events {
            perform(event, by: transactions[0])
            check()
        }
        finish()
        return faults
    }

    private func perform(_ event: Event, by transaction: Transaction) {
        switch event {
        case .head: tellHead(to: transaction)
        case .bytes:
            if !hasHead { tellHead(to: transaction) }
            let bytes = Data([UInt8(body.count)])
            if closings == 0, !loads[0].isStopped { body += bytes }
            transaction.receive(bytes)
        case .challenge: transaction.challenged(by: [PlayedLoad.Server.challenge])
        case .redirect: transaction.redirected(by: PlayedLoad.Server.redirects.response, to: nil)
        case .redirectAtHead:
            hasHead = true
            transaction.redirected(by: PlayedLoad.Server.redirects.response) { [unowned self] in turns.append($0) }
        case .lose: transaction.connectionIsLost()
        case .whole: transaction.ended(with: nil)
        case .fail: transaction.ended(with: URLError(.networkConnectionLost))
        case .stop: if transaction.stop() { winningStops += 1 }
        case .turn: turn()
        case .follow: answer(true)
        case .decline: answer(false)
        }
    }

    @discardableResult
    private func turn() -> Bool {
        let hasTurned = queue.turn() || !turns.isEmpty
        let works = turns
        turns = []
        works.forEach { $0() }
        return hasTurned
    }

    private func answer(_ follows: Bool) {
        guard !questions.isEmpty else { return }
        if !follows { declineCount += 1 }
        questions.removeFirst()(follows)
    }

    private func tellHead(to transaction: Transaction) {
        hasHead = true
        transaction.receive(PlayedLoad.Server.answers.response) { $0() }
    }

    private func note(_ fault: String) {
        if !faults.contains(fault) { faults.append(fault) }
    }

    private func ask(_ answer: @escaping (Bool) -> Void) {
        questionCount += 1
        if closings > 0 { note("A delegate is asked about what is closed") }
        questions.append(answer)
    }

    private func end(with outcome: TaskOutcome) {
        calls += 1
        receiver?.complete(with: outcome.error)
        let received = outcome.file.map { (try? Data(contentsOf: $0)) ?? Data("no file".utf8) } ?? outcome.data
        if outcome.error == nil, receiver?.bytes ?? received != body {
            note("The end has not the bytes that came before it")
        }
    }

    private var hasEnded: Bool {
        transfer?.state.withLock { state in
            switch state.phase {
            case .waiting, .running: false
            case .ending, .over: true
            }
        } ?? false
    }

    /// What has closed the first transaction.
    private var closings: Int { winningStops + (hasEnded ? 1 : 0) + (loads.count - 1) }

    private func check() {
        if closings > 1 { note("It is closed twice") }
        if questionCount > 1 + declineCount { note("Two questions are asked") }
        if calls > 1 { note("The handler is called twice") }
        if loads.contains(where: { $0.stopCount > 1 }) { note("A load is stopped twice") }
        if loads.filter({ !$0.isStopped }).count > 1 { note("Two loads run") }
    }

    /// A stop by a test is no end, so the transfer gets one.
    private func finish() {
        while turn() { check() }
        task?.cancel()
        while turn() {}
        if calls != 1 { note("The handler is called \(calls) times") }
        for file in files where FileManager.default.fileExists(atPath: file.path) { note("A file remains") }
        questions = []
        weak let lastTransfer = transfer
        (task, transfer, transactions, loads) = (nil, nil, [], [])
        if lastTransfer != nil { note("The transfer is not released") }
    }
}

/// Loads nothing, and counts how often it is stopped.
///
/// Unchecked, because the thread of the test is the only one.
private final class NotedLoad: Load, @unchecked Sendable {
    let response: URLResponse? = nil
    let countOfBytesSent: Int64 = 0
    let countOfBytesExpectedToSend: Int64 = 0
    private(set) var stopCount = 0

    var isStopped: Bool { stopCount > 0 }
    func start() {}
    func stop() { stopCount += 1 }
}

#endif
