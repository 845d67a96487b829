#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResultTransport

/// The tasks that tie requests to the caller's session.
@Suite(.inTurn)
struct AnchorTests {
    /// What happens to an anchor.
    enum Event: String, Sendable {
        case resume
        case end
        case endByHop
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
            [], [.end], [.resume, .end], [.endByHop], [.end, .endByHop], [.cancelBySession], [.end, .cancelBySession],
            [.endByHop, .cancelBySession], [.end, .endByHop, .cancelBySession],
        ].map { Row(url: url, events: $0) }
    }

    @Test("Whatever happens to an anchor, its session ends, and stops it at most once", arguments: rows)
    func events(_ row: Row) async throws {
        let request = URLRequest(url: try #require(URL(string: row.url)))
        let sessionEnd = SessionEnd()
        let session = URLSession(configuration: .ephemeral, delegate: sessionEnd, delegateQueue: nil)
        let anchors = (0..<500).map { _ in CountedAnchor(in: session, for: request) }
        // A hop starts when its anchor runs, and a session lists only those.
        if !Set(row.events).isDisjoint(with: [.endByHop, .cancelBySession]) { anchors.forEach { $0.anchor.resume() } }
        let listed = await withCheckedContinuation { continuation in
            session.getAllTasks { continuation.resume(returning: $0) }
        }
        let tasks = Dictionary(uniqueKeysWithValues: listed.map { ($0.taskIdentifier, $0) })
        DispatchQueue.concurrentPerform(iterations: anchors.count * row.events.count) { index in
            let anchor = anchors[index / row.events.count]
            switch row.events[index % row.events.count] {
            case .resume: anchor.anchor.resume()
            case .end: anchor.anchor.end()
            case .endByHop: onWorkQueue { anchor.anchor.endAtOnce() }
            case .cancelBySession: tasks[anchor.anchor.taskIdentifier]?.cancel()
            }
        }
        if row.events == [.cancelBySession] {
            for anchor in anchors where tasks[anchor.anchor.taskIdentifier] != nil {
                try await anchor.isCalled.opened()
            }
        }
        // As every request does at its end.
        for anchor in anchors { anchor.anchor.end() }
        try await sessionEnd.follows(session)
        let counts = Set(anchors.map(\.count))
        #expect(counts.isSubset(of: row.events.contains(.cancelBySession) ? [0, 1] : [0]))
    }

    @Test("Anchors that end at once, on several threads, are known to their session by then", arguments: urls)
    func early(_ url: String) async throws {
        let request = URLRequest(url: try #require(URL(string: url)))
        let sessionEnd = SessionEnd()
        let session = URLSession(configuration: .ephemeral, delegate: sessionEnd, delegateQueue: nil)
        DispatchQueue.concurrentPerform(iterations: 2000) { index in
            let anchor = CountedAnchor(in: session, for: request).anchor
            if index % 2 == 0 { anchor.resume() }
            anchor.end()
        }
        try await sessionEnd.follows(session)
    }

    @Test("A session that cancels its tasks ends anchors that nobody has resumed, and those that run")
    func invalidation() async throws {
        let request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:1/")))
        let session = URLSession(configuration: .ephemeral)
        let anchors = (0..<500).map { _ in CountedAnchor(in: session, for: request) }
        for anchor in anchors.suffix(250) { anchor.anchor.resume() }
        session.invalidateAndCancel()
        for anchor in anchors { try await anchor.isCalled.opened() }
        #expect(anchors.allSatisfy { $0.count == 1 })
    }
}

/// An anchor, and how often it has called a function.
private final class CountedAnchor: Sendable {
    let anchor: Anchor
    let isCalled = Gate()
    private let calls = Locked(0)

    init(in session: URLSession, for request: URLRequest) {
        anchor = Anchor(in: session, for: request, configuration: session.configuration, kind: .data) {
            [calls, isCalled] in
            calls.withLock { $0 += 1 }
            isCalled.open()
        }
    }

    var count: Int { calls.withLock { $0 } }
}

#endif
