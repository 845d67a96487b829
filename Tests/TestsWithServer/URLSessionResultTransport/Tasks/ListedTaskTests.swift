#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResultTransport
@testable import TestSupport

/// The tasks that tie requests to the caller's session.
@Suite(.inTurn)
struct ListedTaskTests {
    /// What happens to a listed task.
    enum Event: String, Sendable {
        case resume
        case end
        case endByTransaction
        case cancelBySession
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let url: String
        let events: [Event]

        var testDescription: String { "\(url) \(events.map(\.rawValue).joined(separator: " "))" }
    }

    private static let urls = ["http://127.0.0.1:1/", "data:,"]
    private static let rows = urls.flatMap { url in
        [
            [], [.end], [.resume, .end], [.endByTransaction], [.end, .endByTransaction], [.cancelBySession],
            [.end, .cancelBySession],
            [.endByTransaction, .cancelBySession], [.end, .endByTransaction, .cancelBySession],
        ].map { Row(url: url, events: $0) }
    }

    @Test("Whatever happens to a listed task, its session ends, and stops it at most once", arguments: rows)
    func events(_ row: Row) async throws {
        let request = URLRequest(url: try #require(URL(string: row.url)))
        let sessionEnd = SessionEnd()
        let session = URLSession(configuration: .ephemeral, delegate: sessionEnd, delegateQueue: nil)
        let listedTasks = (0..<500).map { _ in CountedListedTask(in: session, for: request) }
        // A transaction starts when its listed task runs, and a session lists only those.
        if !Set(row.events).isDisjoint(with: [.endByTransaction, .cancelBySession]) {
            listedTasks.forEach { $0.listedTask.resume() }
        }
        let listed = await withCheckedContinuation { continuation in
            session.getAllTasks { continuation.resume(returning: $0) }
        }
        let tasks = Dictionary(uniqueKeysWithValues: listed.map { ($0.taskIdentifier, $0) })
        DispatchQueue.concurrentPerform(iterations: listedTasks.count * row.events.count) { index in
            let listedTask = listedTasks[index / row.events.count]
            switch row.events[index % row.events.count] {
            case .resume: listedTask.listedTask.resume()
            case .end: listedTask.listedTask.end()
            case .endByTransaction: listedTask.listedTask.endAfterLoad()
            case .cancelBySession: tasks[listedTask.listedTask.taskIdentifier]?.cancel()
            }
        }
        if row.events == [.cancelBySession] {
            for listedTask in listedTasks where tasks[listedTask.listedTask.taskIdentifier] != nil {
                try await listedTask.isCalled.opened()
            }
        }
        // As every request does at its end.
        for listedTask in listedTasks { listedTask.listedTask.end() }
        try await sessionEnd.follows(session)
        let counts = Set(listedTasks.map(\.count))
        #expect(counts.isSubset(of: row.events.contains(.cancelBySession) ? [0, 1] : [0]))
    }

    @Test("Listed tasks that end at once, on several threads, are known to their session by then", arguments: urls)
    func early(_ url: String) async throws {
        let request = URLRequest(url: try #require(URL(string: url)))
        let sessionEnd = SessionEnd()
        let session = URLSession(configuration: .ephemeral, delegate: sessionEnd, delegateQueue: nil)
        DispatchQueue.concurrentPerform(iterations: 2000) { index in
            let listedTask = CountedListedTask(in: session, for: request).listedTask
            if index % 2 == 0 { listedTask.resume() }
            listedTask.end()
        }
        try await sessionEnd.follows(session)
    }

    @Test("A session that cancels its tasks ends listed tasks that nobody has resumed, and those that run")
    func invalidation() async throws {
        let request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:1/")))
        let session = URLSession(configuration: .ephemeral)
        let listedTasks = (0..<500).map { _ in CountedListedTask(in: session, for: request) }
        for listedTask in listedTasks.suffix(250) { listedTask.listedTask.resume() }
        session.invalidateAndCancel()
        for listedTask in listedTasks { try await listedTask.isCalled.opened() }
        #expect(listedTasks.allSatisfy { $0.count == 1 })
    }
}

/// A listed task, and how often it has called a function.
private final class CountedListedTask: Sendable {
    let listedTask: ListedTask
    let isCalled = Gate()
    private let calls = Locked(0)

    init(in session: URLSession, for request: URLRequest) {
        listedTask = ListedTask(in: session, for: request, configuration: session.configuration, kind: .data) {
            [calls, isCalled] event in
            guard case .cancelled = event else { return }
            calls.withLock { $0 += 1 }
            isCalled.open()
        }
    }

    var count: Int { calls.withLock { $0 } }
}

#endif
