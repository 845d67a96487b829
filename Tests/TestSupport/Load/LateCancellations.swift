import Foundation
import URLSessionResult

/// Transfers of one form that are cancelled near their end, which is where FoundationNetworking crashes. The moments are
/// random and the same in each run, as parts of the time that a transfer takes.
struct LateCancellations: Sendable {
    let form: CancelledForm
    let count: Int

    struct Report: Sendable {
        /// How many handlers were called and how many `async` methods returned.
        var calls = 0
        /// How many transfers were over before they were cancelled.
        var successes = 0
        /// The errors that are neither a cancellation nor what the server meant.
        var surprises: [String] = []
    }

    /// Starts and cancels the transfers, and returns when their session is over. A process does it once.
    func run() async throws -> Report {
        try await CancelledForm.withFile { try await cancelAll() }
    }

    private func cancelAll() async throws -> Report {
        let server = try LoopbackServer(keepsRequests: false, form.response.play)
        let report = Monitor(Report())
        let delegate = CancellingDelegate(
            cancelsRedirects: form.cancelsRedirects, answersChallenges: form.answersChallenges)
        let session = session(delegate: delegate)
        let mockedURL = form.mockedPath.flatMap { URL(string: "https://mock.test/\($0)") }
        let url = mockedURL ?? server.url()
        let duration = await duration(of: url, in: session)
        await withTaskGroup { group in
            for worker in 0..<form.workers {
                let share = (count + worker) / form.workers
                group.addTask {
                    var pauses = SeededGenerator(seed: UInt64(worker))
                    for _ in 0..<share {
                        let pause = TimeInterval.random(in: 0...1.5 * duration, using: &pauses)
                        let result = await cancel(url, in: session, after: pause, report)
                        report.withLock { $0.note(result, of: form) }
                    }
                }
            }
        }
        try await delegate.end.follows(session)
        return report.value
    }

    /// A serial session whose cache is the process's own.
    private func session(delegate: CancellingDelegate) -> URLSession {
        let configuration = URLSessionConfiguration.default
        if form.mockedPath != nil { configuration.protocolClasses = [MockProtocol.self] }
        configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    /// How long a transfer takes that is not cancelled.
    private func duration(of url: URL, in session: URLSession) async -> TimeInterval {
        let repetitions = 50
        let start = Date()
        for _ in 0..<repetitions {
            await withCheckedContinuation { continuation in
                _ = form.start(session, url) { _ in continuation.resume() }
            }
        }
        return -start.timeIntervalSinceNow / TimeInterval(repetitions)
    }

    /// Counts each call of the handler, and returns the result of the first one.
    private func cancel(
        _ url: URL, in session: URLSession, after pause: TimeInterval, _ report: Monitor<Report>
    ) async -> DataResult {
        let first = Monitor<DataResult?>(nil)
        let cancel = form.start(session, url) { result in
            report.withLock { $0.calls += 1 }
            first.withLock { $0 = $0 ?? result }
        }
        // Blocks the thread, because a task that sleeps wakes too late.
        usleep(UInt32(pause * 1_000_000))
        cancel()
        return (try? await first.value { $0 != nil }) ?? .failure(.noData)
    }
}

extension LateCancellations.Report {
    fileprivate mutating func note(_ result: DataResult, of form: CancelledForm) {
        switch result {
        case .success: successes += 1
        case .failure(let error) where error.isCancelled || form.isMeant(error): break
        case .failure(let error): surprises.append("\(error)")
        }
    }
}

/// Answers challenges with a credential, and cancels redirected tasks, if asked to.
final class CancellingDelegate: NSObject, URLSessionTaskDelegate {
    let end = SessionEnd()
    private let cancelsRedirects: Bool
    private let answersChallenges: Bool

    init(cancelsRedirects: Bool, answersChallenges: Bool = true) {
        self.cancelsRedirects = cancelsRedirects
        self.answersChallenges = answersChallenges
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        end.urlSession(session, didBecomeInvalidWithError: error)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard answersChallenges else { return completionHandler(.performDefaultHandling, nil) }
        completionHandler(.useCredential, URLCredential(user: "user", password: "pass", persistence: .none))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        if cancelsRedirects { task.cancel() }
        completionHandler(newRequest)
    }
}
