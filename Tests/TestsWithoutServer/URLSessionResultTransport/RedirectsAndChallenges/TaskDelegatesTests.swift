#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResult
@testable import URLSessionResultTransport

/// Who decides, and how often.
struct TaskDelegatesTests {
    /// A delegate that answers each question as often as it is told.
    final class Delegate: NSObject, URLSessionTaskDelegate, Sendable {
        let name: String
        let answers: Int
        let changes: @Sendable (inout URLRequest) -> Void
        let decides: Bool

        init(
            _ name: String, decides: Bool = true, answers: Int = 1,
            _ changes: @escaping @Sendable (inout URLRequest) -> Void = { _ in }
        ) {
            self.name = name
            self.decides = decides
            self.answers = answers
            self.changes = changes
        }

        private var credential: URLCredential { URLCredential(user: name, password: "", persistence: .none) }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            for _ in 0..<answers {
                completionHandler(decides ? .useCredential : .performDefaultHandling, decides ? credential : nil)
            }
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
        ) {
            var changed = request
            changes(&changed)
            for _ in 0..<answers { completionHandler(changed) }
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
        ) {
            for _ in 0..<answers { completionHandler(decides ? InputStream(data: Data(name.utf8)) : nil) }
        }
    }

    private let url = URL(fileURLWithPath: "/")

    @Test("At the end, the task's delegate is let go, and no other one is kept")
    func end() {
        let delegates = TaskDelegates(for: .shared)
        let delegate = Delegate("task")
        delegates.taskDelegate = delegate
        #expect(delegates.taskDelegate === delegate)
        delegates.releaseDelegates()
        #expect(delegates.taskDelegate == nil)
        delegates.taskDelegate = delegate
        #expect(delegates.taskDelegate == nil)
    }

    /// The answers to a question, once all are there.
    private func answers<Answer: Sendable>(
        ofTask taskDelegate: Delegate?, ofSession sessionDelegate: Delegate,
        to ask: (TaskDelegates, URLSessionTask, @escaping @Sendable (Answer) -> Void) -> Void
    ) -> [Answer] {
        let session = URLSession(configuration: .ephemeral, delegate: sessionDelegate, delegateQueue: nil)
        defer { session.invalidateAndCancel() }
        let delegates = TaskDelegates(for: session)
        delegates.taskDelegate = taskDelegate
        let answers = Locked<[Answer]>([])
        ask(delegates, session.dataTask(with: url)) { answer in answers.withLock { $0.append(answer) } }
        session.delegateQueue.waitUntilAllOperationsAreFinished()
        return answers.withLock { $0 }
    }

    static let delegates: [(Delegate?, Delegate, String?)] = [
        (nil, Delegate("session"), "session"), (nil, Delegate("session", answers: 2), "session"),
        (Delegate("task"), Delegate("session"), "task"),
        (Delegate("task", answers: 2), Delegate("session"), "task"),
        (Delegate("task", decides: false), Delegate("session"), "session"),
        (Delegate("task", decides: false, answers: 2), Delegate("session"), "session"),
        (Delegate("task", decides: false, answers: 2), Delegate("session", answers: 2), "session"),
        (Delegate("task", decides: false), Delegate("session", decides: false), nil),
    ]

    @Test(
        "The first answer to a challenge counts, of the session's delegate where the task's leaves it",
        arguments: delegates)
    func challenge(taskDelegate: Delegate?, sessionDelegate: Delegate, user: String?) {
        let space = URLProtectionSpace(host: "x", port: 80, protocol: "http", realm: nil, authenticationMethod: nil)
        let challenge = Challenge(
            URLAuthenticationChallenge(
                protectionSpace: space, proposedCredential: nil, previousFailureCount: 0, failureResponse: nil,
                error: nil,
                sender: NoSender()),
            to: PreparedRequest(URLRequest(url: url), .data), storage: nil)
        let users: [String?] = answers(ofTask: taskDelegate, ofSession: sessionDelegate) { delegates, task, answer in
            delegates.decide(about: challenge, of: task, while: { true }) { answer($1?.user) }
        }
        #expect(users == [user])
    }

    @Test("The first new body stream counts, of the session's delegate where the task's has none", arguments: delegates)
    func stream(taskDelegate: Delegate?, sessionDelegate: Delegate, content: String?) {
        let contents: [String?] = answers(ofTask: taskDelegate, ofSession: sessionDelegate) { delegates, task, answer in
            delegates.renewStream(of: task, while: { true }) { answer($0?.content) }
        }
        #expect(contents == [content])
    }

    @Test(
        "A redirect that the task's delegate changes is not the session's to decide",
        arguments: [
            (Delegate("task"), "session"), (Delegate("task", answers: 2), "session"), (nil, "session"),
            (Delegate("task") { $0.httpMethod = "PUT" }, nil),
            (Delegate("task", answers: 2) { $0.httpMethod = "PUT" }, nil),
            (Delegate("task") { $0.httpBody = Data() }, nil),
            (Delegate("task") { $0.timeoutInterval = 7 }, nil),
            (Delegate("task") { $0.httpBodyStream = InputStream(data: Data()) }, nil),
            (Delegate("task") { $0.setValue("x", forHTTPHeaderField: "X-Task") }, nil),
        ] as [(Delegate?, String?)])
    func redirect(taskDelegate: Delegate?, mark: String?) throws {
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 302, httpVersion: nil, headerFields: ["Location": "/"]))
        let redirect = try #require(
            try Redirect(
                response, of: PreparedRequest(URLRequest(url: url), .data), to: nil, configuration: .ephemeral,
                adding: Cookies(of: .ephemeral, for: URLRequest(url: url)), keeping: .allButCredentials))
        let sessionDelegate = Delegate("session") { $0.setValue("session", forHTTPHeaderField: "Mark") }
        let marks: [String?] = answers(ofTask: taskDelegate, ofSession: sessionDelegate) { delegates, task, answer in
            delegates.decide(about: redirect, of: task, while: { true }) {
                answer($0?.value(forHTTPHeaderField: "Mark"))
            }
        }
        #expect(marks == [mark])
    }
}

extension InputStream {
    fileprivate var content: String {
        open()
        defer { close() }
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = read(&bytes, maxLength: bytes.count)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }
}

#endif
