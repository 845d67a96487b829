#if canImport(FoundationNetworking)

import Foundation
import Testing

@testable import URLSessionResultTransport
@testable import TestSupport

/// What counts of that which a transaction is told.
struct TransactionTests {
    @Test("In each order of four events, one thing closes a transaction", arguments: TransactionWorld.Kind.allCases)
    func allOrders(kind: TransactionWorld.Kind) {
        let queue = HandTurnedQueue()
        let session = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: queue)
        for first in TransactionWorld.Event.allCases {
            for second in TransactionWorld.Event.allCases {
                for third in TransactionWorld.Event.allCases {
                    for fourth in TransactionWorld.Event.allCases {
                        let order = [first, second, third, fourth]
                        let faults = TransactionWorld(kind, in: session, turning: queue).run(order)
                        #expect(faults == [], "\(order)")
                    }
                }
            }
        }
    }

    @Test("A failure ends a request whose delegate is asked for a new body stream, which comes too late then")
    func failureDuringQuestion() throws {
        let queue = HandTurnedQueue()
        let delegate = StreamDelegate()
        let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: queue)
        var request = URLRequest(url: PlayedLoad.Server.url, method: .post)
        request.httpBodyStream = InputStream(data: Data("first".utf8))
        let transactions = Locked<[Transaction]>([])
        let dependencies = dependencies(for: .challenges, keeping: transactions)
        let codes = Locked<[URLError.Code?]>([])
        let transfer = Transfer(session: session, request: request, kind: .data, dependencies: dependencies) {
            outcome in
            codes.withLock { $0.append((outcome.error as? URLError)?.code) }
        }
        CallersDataTask(transfer).resume()
        let transaction = try #require(transactions.withLock { $0.first })
        transaction.challenged(by: [PlayedLoad.Server.challenge])
        while queue.turn() {}
        let renew = try #require(delegate.question.withLock { $0.take() })
        transaction.ended(with: URLError(.timedOut))
        renew(InputStream(data: Data("second".utf8)))
        while queue.turn() {}
        #expect(codes.withLock { $0 } == [.timedOut])
        #expect(transactions.withLock { $0.count } == 1)
        transactions.withLock { $0 = [] }
    }

    @Test(
        "The session's delegate is not asked about a request that was cancelled after the task's delegate had left it the decision"
    )
    func cancellationBetweenDelegates() throws {
        let queue = HandTurnedQueue()
        let delegates = (ofTask: AskedDelegate(), ofSession: AskedDelegate())
        let session = URLSession(configuration: .ephemeral, delegate: delegates.ofSession, delegateQueue: queue)
        let transactions = Locked<[Transaction]>([])
        let transfer = Transfer(
            session: session, request: URLRequest(url: PlayedLoad.Server.url), kind: .data,
            dependencies: dependencies(for: .challenges, keeping: transactions)
        ) { _ in }
        transfer.taskDelegate = delegates.ofTask
        CallersDataTask(transfer).resume()
        try #require(transactions.withLock { $0.first }).challenged(by: [PlayedLoad.Server.challenge])
        queue.turn()
        transfer.cancel()
        while queue.turn() {}
        #expect(delegates.ofTask.count.withLock { $0 } == 1)
        #expect(delegates.ofSession.count.withLock { $0 } == 0)
        transactions.withLock { $0 = [] }
    }

    /// A `URLProtocol` may give several heads.
    @Test("The first head says what becomes of a kept file", arguments: [200, 206])
    func secondHead(status: Int) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data("abc".utf8).write(to: file)
        let name = try #require(KeptDownloads.keep(file))
        let resumeData = ResumeData(url: PlayedLoad.Server.url, entityTag: "\"1\"", file: name, length: 3)
        var received = ReceivedResponse()
        func head(_ status: Int) throws -> HTTPURLResponse {
            try #require(
                HTTPURLResponse(
                    url: PlayedLoad.Server.url, statusCode: status, httpVersion: nil,
                    headerFields: ["Content-Range": "bytes 3-5/6"]))
        }
        #expect(received.continueFile(of: resumeData, with: try head(206)))
        #expect(received.continueFile(of: resumeData, with: try head(status)))
        let continued = try #require(try received.fileToWrite())
        try continued.append(Data("def".utf8))
        #expect(try Data(contentsOf: continued.url) == Data("abcdef".utf8))
        received.count += 3
        #expect(received.wrongLength == nil)
        try received.removeFile().map { try FileManager.default.removeItem(at: $0) }
    }

    private func dependencies(for server: PlayedLoad.Server, keeping transactions: Locked<[Transaction]>)
        -> TransferDependencies
    {
        var dependencies = TransferDependencies()
        dependencies.isListed = false
        dependencies.findLoader = { $2(.http) }
        dependencies.makeLoad = { _, _, transaction in
            transactions.withLock { $0.append(transaction) }
            return PlayedLoad(0, of: transaction, from: server) { _ in }
        }
        return dependencies
    }
}

/// Leaves each challenge to the default, and counts them.
private final class AskedDelegate: NSObject, URLSessionTaskDelegate {
    let count = Locked(0)

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        count.withLock { $0 += 1 }
        completionHandler(.performDefaultHandling, nil)
    }
}

/// Answers challenges, and keeps the question for a new body stream.
private final class StreamDelegate: NSObject, URLSessionTaskDelegate {
    let question = Locked<(@Sendable (InputStream?) -> Void)?>(nil)

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.useCredential, URLCredential(user: "user", password: "password", persistence: .none))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        question.withLock { $0 = completionHandler }
    }
}

#endif
