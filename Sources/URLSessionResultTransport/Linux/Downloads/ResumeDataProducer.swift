#if canImport(FoundationNetworking)

import Foundation

/// Decides whether a failed download gives resume data, and keeps the handler that waits for it.
final class ResumeDataProducer: Sendable {
    /// Unchecked, because Apple declares the handler without `@Sendable`, and the lock hands it to the one who calls it.
    private struct Handler: @unchecked Sendable {
        let call: (Data?) -> Void
    }

    private let request: URLRequest
    private let kind: TaskKind

    /// Guards that the handler is called once, and without the lock: two threads may cancel, and the download may end meanwhile.
    ///
    /// 1. The caller cancels for resume data. The handler is noted before the lifecycle is asked.
    /// 2. The download had ended: nothing is cancelled, and the caller gives the handler nothing. Or it had not: its end finds the
    ///    handler, however fast it comes.
    private let handler = Locked<Handler?>(nil)

    init(of request: URLRequest, kind: TaskKind) {
        self.request = request
        self.kind = kind
    }

    /// Notes a handler, which is called when the download is over.
    ///
    /// - Returns: Whether there was none before, which gets the resume data.
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
        switch kind {
        case .resumedDownload(let resumeData):
            guard let transaction else { return resumeData.propertyList }
            return transaction.resumeData(for: resumeData.url, after: resumeData)?.propertyList
        case .download where request.httpMethod ?? "GET" == "GET":
            return transaction?.resumeData(for: request.url)?.propertyList
        case .data, .download, .upload, .fileUpload, .pipeUpload:
            return nil
        }
    }

    private var isAskedFor: Bool { handler.withLock { $0 != nil } }
}

extension Transaction {
    /// Keeps the file, and notes how long the whole would be.
    ///
    /// - Parameters:
    ///   - url: The address to ask for the rest.
    ///   - earlier: The resume data that this transaction used, which is still good if it has received nothing.
    /// - Returns: The resume data, or nil if nothing was kept.
    fileprivate func resumeData(for url: URL?, after earlier: ResumeData? = nil) -> ResumeData? {
        guard var resumeData = keepFile(of: url) else { return nil }
        if resumeData.file != earlier?.file, expectedCount > 0 { resumeData.total = expectedCount }
        return resumeData
    }
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
