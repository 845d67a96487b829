#if os(Linux)

import Foundation

@testable import URLSessionResultClient
@testable import TestSupport

/// Equal and other calls between their callers and a server that are played by a test, joined and limited, within the other policies of a
/// client.
///
/// Unchecked for the reason of `HandTurnedExecutor`.
final class JoinedCallsWorld: @unchecked Sendable {
    enum Step: Sendable {
        case start(Int, String)
        case cancel(Int)
        case answer
        /// A 503.
        case refuse
        case endRefresh
        /// A sign-out, and a sign-in of the next user.
        case changeUser
        case endWait
        case endDeadline
    }

    /// What is around the calls. From the outermost: deadline, retry, token, the joining, a retry, the limit.
    struct Setup: Sendable {
        var limit: Int
        var hasToken = false
        var hasRetry = false
        var hasRetryInside = false
        var hasDeadline = false
    }

    private struct Call {
        let address: String
        /// The user at the start.
        let user: Int
        let task: Task<Void, Never>
        var isCancelled = false
        var result: Result<NetworkResponse<Data>, NetworkError>?
    }

    /// What the server is asked.
    private struct Question: Sendable, Hashable {
        let address: String
        let token: String?
    }

    private typealias Answer = Result<NetworkResponse<Data>, NetworkError>

    private let setup: Setup
    private let executor = HandTurnedExecutor()
    private let server = HeldCalls<Question, Answer>()
    private let refreshes = HeldCalls<Int, Result<AccessToken, NetworkError>>()
    private let waits = HeldCalls<TimeInterval, Void>()
    private let deadlines = HeldCalls<TimeInterval, Void>()
    private let deduplication: Deduplication
    private let limit: RequestLimit
    private var token: TokenAuthentication?
    private var calls: [Int: Call] = [:]

    /// Counts sign-ins. Tokens begin with the number of their user, and the server takes the second one of each.
    private var user = 0
    private var firedDeadlines = 0

    private var faults: [String] = []
    private(set) var arrivals: [String] = []

    init(_ setup: Setup) {
        self.setup = setup
        deduplication = Deduplication(start: { [executor] operation in
            Task(executorPreference: executor) { await operation() }
        })
        limit = RequestLimit(atOnce: setup.limit)
        guard setup.hasToken else { return }
        token = TokenAuthentication(
            "0 old", for: Array(Self.urls.values),
            refresh: { [unowned self] _ in (try? await refreshes.answer(to: user)) ?? .failure(.noData) },
            now: { Date(timeIntervalSince1970: 0) },
            start: { [executor] operation in Task(executorPreference: executor) { await operation() } })
    }

    // MARK: Running

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
            switch Int.random(in: 0..<16, using: &generator) {
            case 0, 1:
                guard started < count else { continue }
                started += 1
                perform(.start(started, ["a", "b", "c", "d"].randomElement(using: &generator) ?? "a"))
            case 2:
                if started > 0 { perform(.cancel(Int.random(in: 1...started, using: &generator))) }
            case 3: perform(.answer)
            case 4:
                let steps: [Step] = [.refuse, .endRefresh, .endRefresh, .changeUser, .endWait, .endWait, .endDeadline]
                perform(steps.randomElement(using: &generator) ?? .answer)
            default:
                if executor.count > 0 { executor.turn(at: Int.random(in: 0..<executor.count, using: &generator)) }
            }
            checkServer()
        }
        return end()
    }

    /// Answers everything, until nothing is left.
    private func end() -> [String] {
        repeat {
            executor.turnAll()
            checkRest()
        } while server.answerFirst(answer) || endRefresh() || waits.answerFirst { _ in }
        executor.turnAll()
        for (id, call) in calls where call.result == nil { faults.append("\(id) never ends") }
        if deduplication.calls.waiterCount > 0 { faults.append("Somebody waits for ever") }
        if limit.places.waiterCount > 0 { faults.append("Somebody waits for a place for ever") }
        checkPlaces()
        return faults
    }

    private func perform(_ step: Step) {
        switch step {
        case .start(let id, let address): start(id, address)
        case .cancel(let id):
            // A result that was there wins.
            if calls[id]?.result == nil { calls[id]?.isCancelled = true }
            calls[id]?.task.cancel()
        case .answer: server.answerFirst(answer)
        case .refuse: server.answerFirst { .failure(Self.error(503, to: $0.address)) }
        case .endRefresh: endRefresh()
        case .changeUser:
            user += 1
            token?.signOut()
            token?.signIn(AccessToken("\(user) old"))
        case .endWait: waits.answerFirst { _ in }
        case .endDeadline: if deadlines.answerFirst({ _ in }) { firedDeadlines += 1 }
        }
    }

    // MARK: The caller

    private func start(_ id: Int, _ address: String) {
        let task = Task(executorPreference: executor) { [unowned self] in
            let result = await send(to: address)
            if calls[id]?.result != nil { faults.append("\(id) ends twice") }
            calls[id]?.result = result
            check(result, of: id)
        }
        calls[id] = Call(address: address, user: user, task: task)
    }

    private func send(to address: String) async -> Answer {
        var send: SendRequest<Data> = { [unowned self] request in
            arrivals.append(address)
            return await arrive(address, request)
        }
        send = wrap(send, limit)
        if setup.hasRetryInside { send = wrap(send, retry) }
        send = wrap(send, deduplication)
        if let token { send = wrap(send, token) }
        if setup.hasRetry { send = wrap(send, retry) }
        if setup.hasDeadline {
            var deadline = Deadline(seconds: 1)
            deadline.sleep = { [unowned self] in try await deadlines.answer(to: $0) }
            send = wrap(send, deadline)
        }
        return await send(URLRequest(url: Self.urls[address] ?? Self.noURL))
    }

    private var retry: Retry {
        var retry = Retry(attempts: 3)
        retry.sleep = { [unowned self] in try await waits.answer(to: $0) }
        return retry
    }

    private func wrap(_ next: @escaping SendRequest<Data>, _ middleware: some RequestMiddleware) -> SendRequest<Data> {
        { request in await middleware.response(for: request, next: next) }
    }

    // MARK: The server

    private func arrive(_ address: String, _ request: URLRequest) async -> Answer {
        // As URLSession, which sends nothing then.
        guard !Task.isCancelled else { return .failure(.transportError(URLError(.cancelled))) }
        let field = request.value(forHTTPHeaderField: "Authorization")
        let question = Question(address: address, token: field.map { String($0.dropFirst("Bearer ".count)) })
        return (try? await server.answer(to: question)) ?? .failure(.transportError(URLError(.cancelled)))
    }

    private func answer(_ question: Question) -> Answer {
        if question.token?.hasSuffix("old") == true { return .failure(Self.error(401, to: question.address)) }
        let user = question.token?.prefix { $0 != " " } ?? ""
        return .success(NetworkResponse(body: Data("\(question.address) \(user)".utf8), urlResponse: Self.response))
    }

    @discardableResult
    private func endRefresh() -> Bool {
        refreshes.answerFirst { user in .success(AccessToken("\(user) new")) }
    }

    // MARK: What must hold

    private func checkServer() {
        let addresses = server.questions.map(\.address)
        if addresses.count > setup.limit { faults.append("\(addresses) are under way") }
    }

    /// When nothing can run.
    private func checkRest() {
        checkServer()
        let questions = server.questions
        if Set(questions).count < questions.count { faults.append("\(questions) has equal ones") }
        let waiting = calls.filter { $0.value.result == nil }
        for (id, call) in waiting where call.isCancelled { faults.append("\(id) does not end when it is cancelled") }
        for question in questions where !waiting.values.contains(where: { $0.address == question.address }) {
            faults.append("Nobody waits for \(question.address)")
        }
        let isBusy = !questions.isEmpty || !refreshes.questions.isEmpty || !waits.questions.isEmpty
        if !isBusy, !waiting.isEmpty { faults.append("\(waiting.keys) wait for nothing") }
        if questions.isEmpty, limit.places.waiterCount > 0 { faults.append("A place stays free") }
    }

    /// At the end, as many requests as there are places go at once.
    private func checkPlaces() {
        for number in 0..<setup.limit {
            let task = Task(executorPreference: executor) { [unowned self] in
                _ = await limit.response(for: URLRequest(url: Self.noURL)) { [unowned self] in
                    await arrive("\(number)", $0)
                }
            }
            executor.turnAll()
            if server.questions.count != number + 1 { faults.append("A place is lost") }
            withExtendedLifetime(task) {}
        }
        while server.answerFirst(answer) { executor.turnAll() }
    }

    private func check(_ result: Answer, of id: Int) {
        guard let call = calls[id] else { return }
        switch result {
        case .success(let response):
            let parts = String(decoding: response.body, as: UTF8.self).split(separator: " ")
            if parts.first.map(String.init) != call.address { faults.append("\(id) gets the response of another one") }
            if let user = parts.dropFirst().first.flatMap({ Int($0) }), user < call.user {
                faults.append("\(id) gets the response of the user before")
            }
        case .failure(let error) where error.isCancelled:
            if !call.isCancelled { faults.append("\(id) is cancelled by nobody") }
        case .failure(let error) where error.isTimeout:
            if firedDeadlines == 0 { faults.append("\(id) has timed out before its time") }
        case .failure(let error) where error.requiresSignIn:
            if user == call.user { faults.append("\(id) fails as if somebody had signed out") }
        case .failure(let error):
            if error.statusCode != 503 { faults.append("\(id) ends in an error that is not its own") }
        }
    }

    // MARK: Made once, because making them takes long

    private static let noURL = URL(fileURLWithPath: "/")
    private static let urls = ["a": "one.test/a", "b": "one.test/b", "c": "two.test/c", "d": "two.test/d"]
        .compactMapValues { URL(string: "https://\($0)") }
    private static let response = URLResponse(
        url: noURL, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
    private static let errors = urls.mapValues { url in
        [401, 503].map { code -> NetworkError in
            let head = HTTPURLResponse(url: url, statusCode: code, httpVersion: nil, headerFields: nil)
            return .serverError(
                statusCode: code, response: NetworkResponse(body: Data(), urlResponse: head ?? response))
        }
    }
    private static func error(_ code: Int, to address: String) -> NetworkError {
        errors[address]?[code == 401 ? 0 : 1] ?? .noData
    }
}

#endif
