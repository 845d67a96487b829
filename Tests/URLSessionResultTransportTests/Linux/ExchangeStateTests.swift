#if canImport(FoundationNetworking)

import Foundation
import Testing
import URLSessionResult

@testable import URLSessionResultTransport

/// The state machine of a request: events and what follows from them, without a socket.
@Suite(.inTurn)
struct ExchangeStateTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let events: String
        let actions: String
        let state: URLSessionTask.State

        init(_ events: String, _ actions: String, _ state: URLSessionTask.State) {
            self.events = events
            self.actions = actions
            self.state = state
        }

        var testDescription: String { events }
    }

    @Test(
        "Events, the actions that they return, and the state of the caller's task",
        arguments: [
            // The ordinary way.
            Row("", "", .suspended),
            Row("resume", "send", .running),
            Row("resume begin", "send start", .running),
            Row("resume begin end", "send start finish+hop", .completed),
            Row("resume begin end end", "send start finish+hop -", .completed),
            Row("resume resume", "send -", .running),
            Row("resume begin end resume", "send start finish+hop -", .completed),
            // Redirects and challenges.
            Row("resume begin ask", "send start task", .running),
            Row("resume begin ask decide", "send start task task", .running),
            Row("resume begin ask decide begin", "send start task task start+drop", .running),
            Row("resume begin ask decide begin end", "send start task task start+drop finish+hop", .completed),
            Row("resume begin ask decide end", "send start task task finish+hop", .completed),
            Row("resume begin ask ask", "send start task -", .running),
            Row("resume begin ask decide decide", "send start task task -", .running),
            Row("resume begin decide", "send start -", .running),
            Row("resume begin ask end decide", "send start task finish+hop -", .completed),
            Row("resume begin other", "send start -", .running),
            // Cancelling.
            Row("cancel", "yes", .canceling),
            Row("cancel cancel", "yes -", .canceling),
            Row("cancel resume", "yes -", .canceling),
            Row("cancel cancelled", "yes finish", .completed),
            Row("resume cancel begin cancelled", "send yes start finish+hop", .completed),
            Row("resume cancel cancelled begin", "send yes finish drop", .completed),
            Row("resume begin cancel end", "send start yes -", .canceling),
            Row("resume begin cancel end cancelled", "send start yes - finish+hop", .completed),
            Row("resume begin cancelled", "send start finish+hop", .completed),
            Row("resume begin ask cancel decide", "send start task yes -", .canceling),
            Row("resume begin cancel ask", "send start yes -", .canceling),
            Row("resume begin end cancel", "send start finish+hop -", .completed),
            // Suspending.
            Row("suspend resume", " -", .suspended),
            Row("suspend resume resume", " - send", .running),
            Row("resume suspend", "send ", .suspended),
            Row("resume suspend resume", "send  -", .running),
            Row("resume begin suspend end", "send start  -", .suspended),
            Row("resume begin suspend end resume", "send start  - end", .running),
            Row("resume begin suspend end resume end", "send start  - end finish+hop", .completed),
            Row("resume begin suspend end end resume end", "send start  - - end finish+hop", .completed),
            Row("resume begin suspend end cancel cancelled", "send start  - yes finish+hop", .completed),
            Row("resume begin suspend cancel end cancelled", "send start  yes - finish+hop", .completed),
            Row("resume begin suspend ask decide begin", "send start  task task start+drop", .suspended),
            Row("resume begin suspend suspend resume end", "send start   - -", .suspended),
            Row("resume suspend cancel cancelled", "send  yes finish", .completed),
        ])
    func events(_ row: Row) throws {
        var machine = try Machine()
        let actions = try row.events.split(separator: " ").map { try machine.action(of: String($0)) }
        #expect(actions.joined(separator: " ") == row.actions)
        #expect(machine.state.state == row.state)
    }

    @Test("A redirect begins to count challenges anew")
    func counts() {
        var state = ExchangeState { _ in }
        #expect(state.countChallenge() == 0)
        #expect(state.countChallenge() == 1)
        #expect(state.countRedirect() == 1)
        #expect(state.countChallenge() == 0)
        #expect(state.countRedirect() == 2)
    }

    @Test("Only an upload counts what it sends, and everything else counts what arrives", arguments: [true, false])
    func counters(isUpload: Bool) throws {
        final class Counter: ByteCounter {
            func count(_ completed: Int64, of expected: Int64) -> (@Sendable () -> Void)? { nil }
            func keep(_ source: AnyObject) {}
        }
        let session = URLSession(configuration: .ephemeral)
        let request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:1/")))
        let task = isUpload ? session.uploadTask(with: request, from: Data()) : session.dataTask(with: request)
        var state = ExchangeState { _ in }
        _ = state.resume(task, countingWith: Counter())
        #expect((state.counter(ofRequest: true) != nil) == isUpload)
        #expect((state.counter(ofRequest: false) != nil) == !isUpload)
    }

    /// A state, and what its events need.
    private struct Machine {
        var state = ExchangeState { _ in }
        private let exchange: Exchange
        private let task: URLSessionTask
        private var hops: [Hop] = []

        init() throws {
            let session = URLSession(configuration: .ephemeral)
            let request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:1/")))
            exchange = Exchange(session: session, request: request, kind: .data) { _ in }
            task = session.dataTask(with: request)
        }

        mutating func action(of event: String) throws -> String {
            switch event {
            case "resume":
                switch state.resume(task, countingWith: nil) {
                case .nothing: return "-"
                case .sendFirstRequest: return "send"
                case .end: return "end"
                }
            case "suspend":
                state.suspend()
                return ""
            case "cancel":
                return state.cancel() ? "yes" : "-"
            case "begin":
                hops.append(try newHop())
                switch state.begin(hops[hops.count - 1]) {
                case .start(nil): return "start"
                case .start(let last):
                    #expect(last === hops[hops.count - 2])
                    return "start+drop"
                case .drop: return "drop"
                }
            case "ask":
                return state.ask(about: hops[hops.count - 1]) === task ? "task" : "-"
            case "other":
                return state.ask(about: try newHop()) == nil ? "-" : "task"
            case "decide":
                return state.decide(about: hops[hops.count - 1]) === task ? "task" : "-"
            default:
                let error = event == "cancelled" ? URLError(.cancelled) : nil
                switch state.end(with: TaskOutcome(error: error), showing: ShownTask()) {
                case .nothing: return "-"
                case .finish(_, let hop): return hop == nil ? "finish" : "finish+hop"
                }
            }
        }

        private func newHop() throws -> Hop { try Hop(sending: Outgoing(exchange.request, .data), for: exchange) }
    }
}

#endif
