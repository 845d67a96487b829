#if os(Linux)

import Foundation
import URLSessionResultClient

@testable import TestSupport

/// A client's policies between a caller and a server that are played by a test: what waits is answered when the test says so.
///
/// Unchecked for the reason of `HandTurnedExecutor`.
final class PolicyWorld: @unchecked Sendable {
    enum Step: Sendable {
        case start(Int)
        case cancel(Int)
        case answer(Reply)
        case endRefresh(RefreshEnd)
        case signOut
        case signIn
        case endDecision
        case endWait
        case endDeadline
        case pass(seconds: TimeInterval)
    }

    /// What the server answers. It takes the last token alone, until its expiry.
    enum Reply: Sendable {
        case usual, status(Int), lost
    }

    enum RefreshEnd: Sendable {
        case succeeds, fails, isRejected
    }

    /// What the requests do that are started.
    struct Setup: Sendable {
        var method = HTTPMethod.get
        var hasToken = false
        /// Whether a token is over after 100 seconds. It is refreshed from the 40th second on.
        var hasExpiry = false
        var hasRetry = false
        /// What an asynchronous function decides about a retry.
        var decision: Retry.Decision?
        var hasDeadline = false
        var actors: [[Step]]
    }

    private struct Request {
        let task: Task<Void, Never>
        /// The users whose tokens it was sent with.
        var users: Set<Int> = []
        var sends = 0
        var isCancelled = false
        var result: Result<NetworkResponse<Data>, NetworkError>?
        var lastReply: Result<NetworkResponse<Data>, NetworkError>?
        var lastToken: String?
    }

    private struct Refresh: Sendable {
        let user: Int
        let token: AccessToken?
        /// Whether the server would still take the token.
        let isEarly: Bool
    }

    private let setup: Setup
    private let executor = HandTurnedExecutor()
    private let server = HeldCalls<(id: Int, token: String?), Result<NetworkResponse<Data>, NetworkError>>()
    private let refreshes = HeldCalls<Refresh, Result<AccessToken, NetworkError>>()
    private let decisions = HeldCalls<Int, Retry.Decision>()
    private let waits = HeldCalls<TimeInterval, Void>()
    private let deadlines = HeldCalls<TimeInterval, Void>()
    private var token: TokenAuthentication?
    private var requests: [Int: Request] = [:]
    private var rest: [ArraySlice<Step>]

    /// Counts sign-outs and sign-ins. Tokens begin with the number of their user.
    private var user = 0
    private var isSignedOut = false
    private var tokenCount = 0

    /// The last token of the user.
    private var currentToken: AccessToken
    private var refusedTokens: Set<String> = []
    private var rejections = 0

    /// The end of the pause after a refresh ahead of time has failed, by token.
    private var pauses: [String: TimeInterval] = [:]
    private var time: TimeInterval = 0
    private var firedDeadlines = 0

    /// Whether everything runs that can after each step.
    private var isInOrder = false

    /// What must not happen and did.
    private(set) var faults: [String] = []

    init(_ setup: Setup) {
        self.setup = setup
        rest = setup.actors.map { $0[...] }
        currentToken = AccessToken("0.0", expiry: setup.hasExpiry ? Self.date(100) : nil)
        // Without an expiry, the first token is an old one.
        if !setup.hasExpiry { refusedTokens.insert("0.0") }
        guard setup.hasToken else { return }
        token = TokenAuthentication(
            currentToken, for: [Self.url], refresh: { [unowned self] in await refresh($0) },
            now: { [unowned self] in now },
            start: { [executor] operation in Task(executorPreference: executor) { await operation() } })
    }

    // MARK: Running

    /// Takes the steps in an order. After each, everything runs that can.
    func run(_ order: [Int]) -> [String] {
        isInOrder = true
        for actor in order {
            perform(takeStep(of: actor))
            executor.turnAll()
            checkRest()
        }
        return end()
    }

    /// Takes the steps in any order, and runs the jobs in any.
    func run(_ generator: inout SeededGenerator) -> [String] {
        while true {
            let actors = rest.indices.filter { !rest[$0].isEmpty }
            let choices = actors.count + executor.count
            guard choices > 0 else { return end() }
            let choice = Int.random(in: 0..<choices, using: &generator)
            if choice < actors.count {
                perform(takeStep(of: actors[choice]))
            } else {
                executor.turn(at: choice - actors.count)
            }
        }
    }

    private func takeStep(of actor: Int) -> Step { rest[actor].removeFirst() }

    /// Answers everything, until nothing is left.
    private func end() -> [String] {
        repeat {
            executor.turnAll()
            checkRest()
        } while answerServer(.usual) || endRefresh(.succeeds) || endDecision() || waits.answerFirst { _ in }
        for (id, request) in requests where request.result == nil { faults.append("\(id) never ends") }
        return faults
    }

    private func perform(_ step: Step) {
        switch step {
        case .start(let id): start(id)
        case .cancel(let id):
            // A result that was there wins.
            if requests[id]?.result == nil { requests[id]?.isCancelled = true }
            requests[id]?.task.cancel()
        case .answer(let reply): answerServer(reply)
        case .endRefresh(let end): endRefresh(end)
        case .signOut:
            user += 1
            isSignedOut = true
            token?.signOut()
        case .signIn:
            user += 1
            isSignedOut = false
            token?.signIn(newToken(of: user))
        case .endDecision: endDecision()
        case .endWait: waits.answerFirst { _ in }
        case .endDeadline: if deadlines.answerFirst({ _ in }) { firedDeadlines += 1 }
        case .pass(let seconds): time += seconds
        }
    }

    // MARK: The caller

    private func start(_ id: Int) {
        let task = Task(executorPreference: executor) { [unowned self] in
            let result = await send(id)
            if requests[id]?.result != nil { faults.append("\(id) ends twice") }
            requests[id]?.result = result
            check(result, of: id)
        }
        requests[id] = Request(task: task)
    }

    private func send(_ id: Int) async -> Result<NetworkResponse<Data>, NetworkError> {
        var send: SendRequest<Data> = { [unowned self] in await arrive(id, $0) }
        if let token { send = wrap(send, token) }
        if setup.hasRetry {
            var retry = retry
            retry.random = { $0 }
            retry.sleep = { [unowned self] in try await waits.answer(to: $0) }
            send = wrap(send, retry)
        }
        if setup.hasDeadline {
            var deadline = Deadline(seconds: 1)
            deadline.sleep = { [unowned self] in try await deadlines.answer(to: $0) }
            send = wrap(send, deadline)
        }
        return await send(URLRequest(url: Self.url, method: setup.method))
    }

    private var retry: Retry {
        guard let decision = setup.decision else { return Retry(attempts: 3) }
        return Retry(attempts: 3) { [unowned self] attempt in
            if attempt.error.isCancelled { faults.append("A decision about a cancelled request") }
            if attempt.number > 2 { faults.append("A decision after the last attempt") }
            return (try? await decisions.answer(to: attempt.number)) ?? decision
        }
    }

    @discardableResult
    private func endDecision() -> Bool {
        decisions.answerFirst { _ in setup.decision ?? .usual }
    }

    private func wrap(_ next: @escaping SendRequest<Data>, _ middleware: some RequestMiddleware) -> SendRequest<Data> {
        { request in await middleware.response(for: request, next: next) }
    }

    // MARK: The server

    private func arrive(_ id: Int, _ request: URLRequest) async -> Result<NetworkResponse<Data>, NetworkError> {
        // As URLSession, which sends nothing then.
        guard !Task.isCancelled else { return .failure(.transportError(URLError(.cancelled))) }
        let field = request.value(forHTTPHeaderField: "Authorization")
        let token = field.map { String($0.dropFirst("Bearer ".count)) }
        checkSending(id, with: token)
        do {
            return try await server.answer(to: (id, token))
        } catch {
            return .failure(.transportError(URLError(.cancelled)))
        }
    }

    @discardableResult
    private func answerServer(_ reply: Reply) -> Bool {
        server.answerFirst { question in
            let result = result(of: reply, to: question.token)
            requests[question.id]?.lastReply = result
            return result
        }
    }

    private func result(of reply: Reply, to token: String?) -> Result<NetworkResponse<Data>, NetworkError> {
        switch reply {
        case .usual where setup.hasToken && !accepts(token): refuse(token)
        case .usual: .success(NetworkResponse(body: Data(), urlResponse: Self.response(200)))
        case .status(let code): .failure(Self.error(code))
        case .lost: .failure(.transportError(URLError(.networkConnectionLost)))
        }
    }

    private func accepts(_ token: String?) -> Bool { token == currentToken.value && isCurrentTokenGood }

    /// Whether the server would take it.
    private var isCurrentTokenGood: Bool {
        !refusedTokens.contains(currentToken.value) && currentToken.expiry.map { $0 > now } ?? true
    }

    private func refuse(_ token: String?) -> Result<NetworkResponse<Data>, NetworkError> {
        if let token { refusedTokens.insert(token) }
        return .failure(Self.error(401))
    }

    // MARK: The refresh

    private func refresh(_ refused: AccessToken?) async -> Result<AccessToken, NetworkError> {
        let refresh = Refresh(user: user, token: refused, isEarly: refused == currentToken && isCurrentTokenGood)
        check(refresh)
        let result = try? await refreshes.answer(to: refresh)
        if Task.isCancelled { faults.append("A refresh is cancelled") }
        return result ?? .failure(.noData)
    }

    @discardableResult
    private func endRefresh(_ end: RefreshEnd) -> Bool {
        refreshes.answerFirst { refresh in
            switch end {
            case .succeeds:
                return .success(newToken(of: refresh.user))
            case .fails:
                if refresh.isEarly, let token = refresh.token { pauses[token.value] = time + 10 }
                return .failure(.transportError(URLError(.notConnectedToInternet)))
            case .isRejected:
                rejections += 1
                if refresh.user == user { isSignedOut = true }
                return .failure(Self.error(400))
            }
        }
    }

    private func newToken(of userOfToken: Int) -> AccessToken {
        tokenCount += 1
        let token = AccessToken("\(userOfToken).\(tokenCount)", expiry: setup.hasExpiry ? now + 100 : nil)
        if userOfToken == user { currentToken = token }
        return token
    }

    // MARK: What must hold

    private func checkSending(_ id: Int, with token: String?) {
        requests[id]?.sends += 1
        requests[id]?.lastToken = token
        let sends = requests[id]?.sends ?? 0
        if requests[id]?.result != nil { faults.append("\(id) is sent after its end") }
        if !setup.hasRetry, sends > (setup.hasToken ? 2 : 1) { faults.append("\(id) is sent \(sends) times") }
        if setup.hasRetry, sends > (setup.hasToken ? 6 : 3) { faults.append("\(id) is sent \(sends) times") }
        if setup.method == .post, !setup.hasToken, sends > 1 { faults.append("A POST is sent twice") }
        guard let user = token?.split(separator: ".").first.flatMap({ Int($0) }) else { return }
        if isSignedOut { faults.append("\(id) is sent with a token after the sign-out") }
        if user != self.user { faults.append("\(id) is sent with the token of an earlier user") }
        requests[id]?.users.insert(user)
        if requests[id]?.users.count == 2 { faults.append("\(id) is sent for two users") }
    }

    private func check(_ refresh: Refresh) {
        if isSignedOut { faults.append("A refresh begins after the sign-out") }
        if isRefreshing { faults.append("Two refreshes run") }
        guard let token = refresh.token?.value else { return }
        if !token.hasPrefix("\(user).") { faults.append("A refresh gets an earlier user's token") }
        if refresh.isEarly, let end = pauses[token], time < end { faults.append("A refresh begins in the pause") }
    }

    /// Whether a refresh runs for the user.
    private var isRefreshing: Bool { refreshes.questions.contains { $0.user == user } }

    /// When nothing can run: whoever waits, waits for something.
    private func checkRest() {
        for (id, request) in requests where request.result == nil {
            let isSent = server.questions.contains { $0.id == id }
            let waitsForRefresh = !isSignedOut && isRefreshing
            if request.isCancelled { faults.append("\(id) does not end when it is cancelled") }
            guard !isSent, waits.questions.isEmpty, decisions.questions.isEmpty else { continue }
            if !waitsForRefresh { faults.append("\(id) waits for nothing") }
            if setup.hasToken, isCurrentTokenGood { faults.append("\(id) waits while its token is good") }
        }
    }

    private func check(_ result: Result<NetworkResponse<Data>, NetworkError>, of id: Int) {
        guard let request = requests[id] else { return }
        switch result {
        case .success:
            if case .success = request.lastReply {} else { faults.append("\(id) succeeds without an answer") }
        case .failure(let error) where error.isCancelled:
            if !request.isCancelled { faults.append("\(id) is cancelled by nobody") }
        case .failure(let error) where error.urlError?.code == .timedOut:
            if firedDeadlines == 0 { faults.append("\(id) has timed out before its time") }
            if case .success = request.lastReply { faults.append("\(id) loses a success") }
        case .failure(let error) where error.urlError?.code == .userAuthenticationRequired:
            checkSignIn(because: error.urlError?.userInfo[NSUnderlyingErrorKey] as? NetworkError, for: request, id)
        case .failure(let error) where error.statusCode == 401:
            if request.sends == 1, setup.hasToken, user == 0, rejections == 0 {
                faults.append("\(id) is refused once and given up")
            }
        case .failure(let error):
            let isAnswer = error.statusCode == request.lastReply.flatMap { $0.error }?.statusCode
            if !isAnswer, !setup.hasToken { faults.append("\(id) ends in an error that is not its own") }
            if setup.hasRetry, setup.decision == nil, setup.method == .get, !setup.hasToken, request.sends < 3 {
                faults.append("\(id) is given up after \(request.sends) attempts")
            }
        }
    }

    private func checkSignIn(because reason: NetworkError?, for request: Request, _ id: Int) {
        switch reason?.statusCode {
        case nil: if user == 0, rejections == 0 { faults.append("\(id) fails as if somebody had signed out") }
        case 400: if rejections == 0 { faults.append("\(id) fails as if a refresh had been rejected") }
        default:
            if request.lastReply?.error?.statusCode != 401 { faults.append("\(id) fails by a refusal of another") }
            // In any order of jobs, the store may not know the current token yet.
            if isInOrder, currentToken.value != request.lastToken {
                faults.append("\(id) needs a sign-in with a token to send")
            }
        }
    }

    private var now: Date { Self.date(time) }

    private static func date(_ time: TimeInterval) -> Date { Date(timeIntervalSince1970: time) }

    // MARK: Made once, because making them takes long

    private static let url = URL(string: "https://albums.test/a") ?? URL(fileURLWithPath: "/")
    private static let responses = [200, 401, 503].map { code in
        HTTPURLResponse(url: url, statusCode: code, httpVersion: nil, headerFields: nil)
            ?? URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
    }
    private static func response(_ code: Int) -> URLResponse {
        switch code {
        case 200: responses[0]
        case 401: responses[1]
        default: responses[2]
        }
    }
    private static func error(_ code: Int) -> NetworkError {
        .serverError(statusCode: code, response: NetworkResponse(body: Data(), urlResponse: response(code)))
    }
}

#endif
