#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResultTransport
@testable import TestSupport

/// The head of a stream's response that may be a challenge.
struct HeldBackHeadTests {
    /// Notes what it gets.
    private final class Receiver: ResponseReceiver {
        let calls = Locked<[String]>([])

        func receive(_ head: URLResponse, of task: URLSessionTask, isTimed: Bool) {
            note(isTimed ? "head" : "head without a timer")
        }
        func receive(_ data: Data, of task: URLSessionTask) { note("\(data.count) bytes") }
        func patienceIsOver(with task: URLSessionTask) { note("patience is over") }
        func complete(with error: (any Error)?) { note("end") }
        private func note(_ call: String) { calls.withLock { $0.append(call) } }
    }

    @Test("After two seconds, a receiver gets the head and what has come, and learns how long that was held back")
    func order() throws {
        let receiver = Receiver()
        let loads = Locked<[PlayedLoad]>([])
        let waiting = Locked<[(TimeInterval, TransferDependencies.Work)]>([])
        var dependencies = TransferDependencies()
        dependencies.isListed = false
        dependencies.findLoader = { $2(.http) }
        dependencies.makeLoad = { _, _, transaction in
            let load = PlayedLoad(0, of: transaction, from: .challenges) { Issue.record("\($0)") }
            loads.withLock { $0.append(load) }
            return load
        }
        dependencies.callLater = { time, work in waiting.withLock { $0.append((time, work)) } }
        let transfer = Transfer(
            session: URLSession(configuration: .ephemeral), request: URLRequest(url: PlayedLoad.Server.url),
            kind: .data, receiver: receiver, dependencies: dependencies
        ) { receiver.complete(with: $0.error) }
        let task = CallersDataTask(transfer)
        task.resume()
        loads.withLock { $0 }.first?.tellBytes()
        #expect(receiver.calls.withLock { $0 } == [])
        #expect(waiting.withLock { $0.map(\.0) } == [2])
        for (_, work) in waiting.withLock({ $0 }) { work() }
        #expect(receiver.calls.withLock { $0 } == ["head", "2 bytes", "patience is over"])
        task.cancel()
        loads.withLock { $0 = [] }
    }
}

#endif
