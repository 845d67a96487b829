#if os(Linux)

import Foundation
import Testing

@testable import URLSessionResultClient
@testable import TestSupport

/// Calls that are joined and limited, by orders in which callers and server can act. Nothing sleeps, and all runs on one thread.
@Suite("Schedules of joined and limited calls")
struct JoinedCallsTests {
    private typealias Step = JoinedCallsWorld.Step

    @Test("Three calls, two of them equal, each cancelled or not, in all orders", arguments: [1, 2])
    func few(limit: Int) {
        let actors: [[Step]] = [
            [.start(1, "a"), .cancel(1)], [.start(2, "a"), .cancel(2)], [.start(3, "b")], [.answer, .answer],
        ]
        Schedule.forEach(of: actors.map(\.count)) { order in
            var rest = actors.map { $0[...] }
            let world = JoinedCallsWorld(limit: limit)
            let faults = world.run(order.map { rest[$0].removeFirst() })
            #expect(faults.isEmpty, "\(order)")
        }
    }

    @Test("Calls that wait for a place are sent in the order in which they came")
    func order() {
        let world = JoinedCallsWorld(limit: 1)
        let starts = ["a", "b", "c", "d"].enumerated().map { Step.start($0, $1) }
        #expect(world.run(starts + [.cancel(1)]) == [])
        #expect(world.arrivals == ["a", "c", "d"])
    }

    @Test("Twelve calls to four addresses of two hosts, and the jobs of their tasks, in 3,000 orders that a seed draws")
    func many() {
        var generator = SeededGenerator(seed: 79)
        for number in 0..<3000 {
            let world = JoinedCallsWorld(
                limit: Int.random(in: 1...4, using: &generator), hostLimit: number % 3 == 0 ? 1 : nil)
            let faults = world.run(calls: 12, &generator)
            guard faults.isEmpty else {
                Issue.record("In order \(number): \(faults)")
                return
            }
        }
    }
}

/// Unchecked for the reason of `HandTurnedExecutor`.
final class JoinedCallsWorld: @unchecked Sendable {
    enum Step: Sendable {
        case start(Int, String)
        case cancel(Int)
        case answer
    }

    private struct Call {
        let address: String
        let task: Task<Void, Never>
        var isCancelled = false
        var result: Result<NetworkResponse<Data>, NetworkError>?
    }

    private let executor = HandTurnedExecutor()
    private let server = HeldCalls<String, String>()
    private let deduplicate: Deduplicate
    private let limit: RequestLimit
    private var calls: [Int: Call] = [:]

    private var faults: [String] = []
    private(set) var arrivals: [String] = []

    init(limit: Int, hostLimit: Int? = nil) {
        deduplicate = Deduplicate(start: { [executor] operation in
            Task(executorPreference: executor) { await operation() }
        })
        self.limit = RequestLimit(atOnce: limit, perHost: hostLimit)
    }

    /// Takes the steps. After each, everything runs that can.
    func run(_ steps: [Step]) -> [String] {
        for step in steps {
            perform(step)
            executor.turnAll()
            checkRest()
        }
        return end()
    }

    /// Starts, cancels and answers in any order, and runs the jobs in any.
    func run(calls count: Int, _ generator: inout SeededGenerator) -> [String] {
        var started = 0
        while started < count || executor.count > 0 || !server.questions.isEmpty {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0, 1:
                guard started < count else { continue }
                started += 1
                perform(.start(started, ["a", "b", "c", "d"].randomElement(using: &generator) ?? "a"))
            case 2:
                if started > 0 { perform(.cancel(Int.random(in: 1...started, using: &generator))) }
            case 3: perform(.answer)
            default:
                if executor.count > 0 { executor.turn(at: Int.random(in: 0..<executor.count, using: &generator)) }
            }
            checkServer()
        }
        return end()
    }

    private func end() -> [String] {
        repeat {
            executor.turnAll()
            checkRest()
        } while server.answerFirst { $0 }
        executor.turnAll()
        for (id, call) in calls where call.result == nil { faults.append("\(id) never ends") }
        if deduplicate.calls.waiterCount > 0 { faults.append("Somebody waits for ever") }
        return faults
    }

    private func perform(_ step: Step) {
        switch step {
        case .start(let id, let address):
            let task = Task(executorPreference: executor) { [unowned self] in
                let result = await send(to: address)
                if calls[id]?.result != nil { faults.append("\(id) ends twice") }
                calls[id]?.result = result
                check(result, of: id)
            }
            calls[id] = Call(address: address, task: task)
        case .cancel(let id):
            // A result that was there wins.
            if calls[id]?.result == nil { calls[id]?.isCancelled = true }
            calls[id]?.task.cancel()
        case .answer: server.answerFirst { $0 }
        }
    }

    private func send(to address: String) async -> Result<NetworkResponse<Data>, NetworkError> {
        let request = URLRequest(url: Self.urls[address] ?? Self.noURL)
        return await deduplicate.response(for: request) { [unowned self] request in
            await limit.response(for: request) { [unowned self] _ in await arrive(address) }
        }
    }

    private func arrive(_ address: String) async -> Result<NetworkResponse<Data>, NetworkError> {
        arrivals.append(address)
        do {
            let answer = try await server.answer(to: address)
            return .success(NetworkResponse(body: Data(answer.utf8), urlResponse: Self.response))
        } catch {
            return .failure(.transportError(URLError(.cancelled)))
        }
    }

    // MARK: What must hold

    private func checkServer() {
        let questions = server.questions
        if questions.count > limit.atOnce { faults.append("\(questions) are under way") }
        if let perHost = limit.perHost {
            for host in [["a", "b"], ["c", "d"]] where questions.count(where: host.contains) > perHost {
                faults.append("\(questions) are under way to one host")
            }
        }
    }

    /// When nothing can run.
    private func checkRest() {
        checkServer()
        let questions = server.questions
        if Set(questions).count < questions.count { faults.append("\(questions) has equal ones") }
        let waiting = calls.filter { $0.value.result == nil }
        for (id, call) in waiting where call.isCancelled { faults.append("\(id) does not end when it is cancelled") }
        for address in questions where !waiting.values.contains(where: { $0.address == address }) {
            faults.append("Nobody waits for \(address)")
        }
        if questions.isEmpty, !waiting.isEmpty { faults.append("\(waiting.keys) wait for nothing") }
    }

    private func check(_ result: Result<NetworkResponse<Data>, NetworkError>, of id: Int) {
        guard let call = calls[id] else { return }
        switch result {
        case .success(let response):
            if response.body != Data(call.address.utf8) { faults.append("\(id) gets the response of another one") }
        case .failure:
            if !call.isCancelled { faults.append("\(id) is cancelled by nobody") }
        }
    }

    // MARK: Made once, because making them takes long

    private static let noURL = URL(fileURLWithPath: "/")
    private static let urls = ["a": "one.test/a", "b": "one.test/b", "c": "two.test/c", "d": "two.test/d"]
        .compactMapValues { URL(string: "https://\($0)") }
    private static let response = URLResponse(
        url: noURL, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
}

#endif
