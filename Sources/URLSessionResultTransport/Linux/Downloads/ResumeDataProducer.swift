#if canImport(FoundationNetworking)

import Foundation

/// Decides whether a failed download gives resume data, and keeps the handler that waits for it.
final class ResumeDataProducer: Sendable {
    /// Unchecked, because Apple declares the handler without `@Sendable`, and the lock hands it to the one who calls it.
    private struct Handler: @unchecked Sendable {
        let call: (Data?) -> Void
    }

    private let request: URLRequest

    /// What the download was resumed with, if it was.
    private let earlier: ResumeData?

    /// Guards that the handler is called once, and without the lock: two threads may cancel, and the download may end meanwhile.
    ///
    /// 1. The caller cancels for resume data. The handler is noted before the lifecycle is asked.
    /// 2. If the download had ended, nothing is cancelled, and the caller gives the handler nil. If it had not, its end finds the
    ///    handler, however fast the end comes.
    private let handler = Locked<Handler?>(nil)

    init(of request: URLRequest, resumedWith earlier: ResumeData?) {
        self.request = request
        self.earlier = earlier
    }

    /// Notes a handler, which is called when the download is over.
    ///
    /// - Returns: Whether it was noted. If not, an earlier handler gets the resume data.
    func produceResumeData(for handler: @escaping (Data?) -> Void) -> Bool {
        self.handler.withLock { first in
            guard first == nil else { return false }
            first = Handler(call: handler)
            return true
        }
    }

    func giveResumeData(_ resumeData: Data?) {
        handler.withLock { $0.take() }?.call(resumeData)
    }

    /// Keeps what has arrived. A cancellation keeps it only if resume data is asked for.
    func resumeData(after outcome: TaskOutcome, of transaction: Transaction?) -> Data? {
        guard let error = outcome.error as? URLError, error.code != .cancelled || isAskedFor else { return nil }
        guard request.httpMethod ?? "GET" == "GET" else { return nil }
        guard let transaction else { return earlier?.propertyList }
        return transaction.keepFile(of: request.url)?.propertyList
    }

    private var isAskedFor: Bool { handler.withLock { $0 != nil } }
}

extension TaskOutcome {
    /// The outcome with resume data in its error, where Apple's URLSession has it.
    func adding(_ resumeData: Data?) -> TaskOutcome {
        guard let resumeData, let error = error as? URLError else { return self }
        var userInfo = error.userInfo
        userInfo[ResumeData.key] = resumeData
        return TaskOutcome(data: data, file: file, response: response, error: URLError(error.code, userInfo: userInfo))
    }
}

#endif
