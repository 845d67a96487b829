import Foundation
internal import URLSessionResultTransport

/// The server that answers the requests of a stub.
final class StubbedServer: Sendable {
    /// Where the answers come from.
    enum Answers: Sendable {
        case inTurn([SessionStub.Answer])
        case asked(@Sendable (URLRequest) async throws -> SessionStub.Answer)
    }

    /// A request on its way.
    struct Arrival: Sendable {
        let number: Int
        let answers: Answers

        /// How many requests came before this one since these answers were set.
        let turn: Int
    }

    private struct State: Sendable {
        /// The requests in order, or nil for one whose body is still being read.
        private(set) var requests: [URLRequest?] = []
        var answers: Answers

        /// The number of the first request that has these answers.
        var start = 0

        /// The gates of those who wait for a number of requests.
        var gates: [Int: SessionStub.Gate] = [:]

        /// How many of the requests are there, with their bodies.
        private var arrivedCount = 0

        init(answers: Answers) { self.answers = answers }

        var gatesToOpen: [SessionStub.Gate] { gates.filter { $0.key <= arrivedCount }.map(\.value) }

        /// - Returns: The number of the request.
        mutating func expectRequest() -> Int {
            requests.append(nil)
            return requests.count - 1
        }

        mutating func keep(_ request: URLRequest, number: Int) {
            if requests[number] == nil { arrivedCount += 1 }
            requests[number] = request
        }
    }

    let id = UUID().uuidString

    /// The field of a request that names its server. It is taken out before the request is kept.
    static let field = "X-Session-Stub"

    private let state: Locked<State>

    /// Runs functions with the task-local values of the task that made the stub, which is a test.
    private let runner: AsyncStream<@Sendable () -> Void>.Continuation

    /// The names of the fields that the configuration adds to each request, in lowercase.
    let additionalFields: [String]

    init(answers: Answers, configuration: URLSessionConfiguration) {
        state = Locked(State(answers: answers))
        additionalFields = configuration.namesOfAdditionalFields
        let (functions, runner) = AsyncStream<@Sendable () -> Void>.makeStream()
        self.runner = runner
        Task { for await function in functions { function() } }
    }

    deinit { runner.finish() }

    func run(_ function: @escaping @Sendable () -> Void) { runner.yield(function) }

    var requests: [URLRequest] { state.withLock { $0.requests.compactMap(\.self) } }

    func change(to answers: Answers) {
        // The answers before belong to a test. They are released without the lock, because their `deinit` may do anything.
        state.change { state in
            state.answers = answers
            state.start = state.requests.count
        }
    }

    /// A gate that opens when requests have arrived.
    func arrival(of count: Int) -> SessionStub.Gate {
        let (gate, isOver) = state.withLock { state in
            let gate = state.gates[count] ?? SessionStub.Gate()
            state.gates[count] = gate
            return (gate, state.gatesToOpen.contains { $0 === gate })
        }
        if isOver { gate.open() }
        return gate
    }

    /// Notes that a request is on its way.
    func expectRequest() -> Arrival {
        state.withLock { state in
            let number = state.expectRequest()
            return Arrival(number: number, answers: state.answers, turn: number - state.start)
        }
    }

    func answer(_ request: URLRequest, at arrival: Arrival) async throws -> SessionStub.Answer {
        let gates = state.withLock { state in
            state.keep(request, number: arrival.number)
            return state.gatesToOpen
        }
        for gate in gates { gate.open() }
        switch arrival.answers {
        case .inTurn(let answers): return answers[min(arrival.turn, answers.count - 1)]
        case .asked(let answer): return try await answer(request)
        }
    }
}

extension URLSessionConfiguration {
    /// A copy for a session that loads from a server.
    func loading(from server: StubbedServer) -> URLSessionConfiguration {
        guard let copy = copy() as? URLSessionConfiguration else { return self }
        copy.protocolClasses = [StubbedLoad.self]
        copy.httpAdditionalHeaders = (httpAdditionalHeaders ?? [:]).merging([StubbedServer.field: server.id]) { $1 }
        return copy
    }
}
