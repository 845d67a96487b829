/// Runs a task, from its first request to its end, on a thread of its own. The caller's code runs on the delegate queue.
final class Transfer: @unchecked Sendable {
    let task: URLSessionTask
    let session: URLSession
    let settings: URLSessionConfiguration
    private let start = Date()

    /// Without what the configuration adds.
    private var request: URLRequest
    private var body = ReceivedBody.none
    private var transactions: [URLSessionTaskTransactionMetrics] = []
    private var bytesToCount: Int64 = 0

    // For redirects and challenges.
    var redirectCount = 0
    var challengeCount = 0
    var authorization: (origin: String, field: String)?

    private enum ReceivedBody {
        case none
        case data(Data)
        case file(URL, FileHandle)
    }

    init(of task: URLSessionTask, in session: URLSession) {
        self.task = task
        self.session = session
        settings = session.settings
        request = task.originalRequest ?? URLRequest(url: URL(fileURLWithPath: "/"))
    }

    func run() {
        do {
            try waitUntilResumed()
            while let next = try load(request) { request = next }
            try waitUntilResumed()
            end(with: nil)
        } catch {
            end(with: task.state == .canceling ? URLError(.cancelled, at: request.url) : error)
        }
    }

    // MARK: Waiting

    /// How long nothing may come, in seconds. A request that does not say so has the timeout of the configuration.
    var timeout: TimeInterval {
        let hasOwn = request.timeoutInterval != 60
        return min(
            hasOwn ? request.timeoutInterval : settings.timeoutIntervalForRequest, settings.timeoutIntervalForResource)
    }

    /// "A task, while suspended, produces no network traffic and is not subject to timeouts": suspend().
    func waitUntilResumed() throws {
        let hasTimeout = Settings.timesOutSuspendedTasks && task.response != nil
        // NSCondition cannot wait for the distant future.
        let end = Date() + (hasTimeout ? timeout : settings.timeoutIntervalForResource)
        try task.condition.withLock {
            while task.values.isHeldBack {
                if !task.condition.wait(until: end) { throw URLError(.timedOut, at: request.url) }
            }
            if task.values.isOver { throw URLError(.cancelled, at: request.url) }
        }
        guard Date() < start + settings.timeoutIntervalForResource else { throw URLError(.timedOut, at: request.url) }
    }

    /// Calls a delegate on its queue, and waits for its answer.
    func ask<Answer: Sendable>(_ call: @escaping @Sendable (@escaping @Sendable (Answer) -> Void) -> Void) throws
        -> Answer
    {
        nonisolated(unsafe) var answer: Answer?
        session.delegateQueue.addOperation { [task] in
            call { value in task.with { _ in answer = answer ?? value } }
        }
        return try task.condition.withLock {
            while answer == nil, !task.values.isOver { task.condition.wait() }
            guard let answer, !task.values.isOver else { throw URLError(.cancelled, at: request.url) }
            return answer
        }
    }

    /// Each method that the delegate of the task does not have goes to that of the session.
    /// Evidence: kern0x1b/charon, tests/backports/host/tasksession (macOS 27).
    func receiver<Method>(of message: Message<Method>) -> Method? {
        task.delegate?.receiver(of: message) ?? session.delegate?.receiver(of: message)
    }

    // MARK: Loading

    private func makeLoad(of request: URLRequest) throws -> any Load {
        let classes = (settings.protocolClasses ?? []).compactMap { $0 as? URLProtocol.Type }
        if let found = classes.first(where: { $0.canInit(with: task) }) {
            return try ProtocolLoad(by: found, found.canonicalRequest(for: request), for: self)
        }
        switch request.url?.scheme?.lowercased() {
        case "http": return try HTTPLoad(of: request, for: self)
        case "data": return try DataURLLoad(of: request)
        default: throw URLError(.unsupportedURL, at: request.url)
        }
    }

    /// - Returns: The request that follows, or nil at the end.
    private func load(_ plain: URLRequest) throws -> URLRequest? {
        let request = completed(plain)
        task.with { values in
            values.currentRequest = request
            values.received = 0
            values.sent = 0
        }
        let fetchStart = Date()
        let load = try makeLoad(of: request)
        defer { load.stop() }
        while true {
            let event: LoadEvent
            do {
                event = try load.next()
            } catch  where load.mayBeRepeated && task.state != .canceling {
                return plain
            }
            switch event {
            case .redirect(let next, let response):
                if let next = try decision(on: next, after: response) { return next }
            case .response(let response):
                transactions.append(URLSessionTaskTransactionMetrics(of: request, response, by: load, since: fetchStart))
                // URLSession itself follows redirects and answers challenges of HTTP alone.
                if let load = load as? HTTPLoad, let response = response as? HTTPURLResponse,
                    let next = try answer(response, to: plain)
                {
                    load.skipBody()
                    return next
                }
                try receive(response)
            case .data(let data):
                if !data.isEmpty { try receive(data) }
            case .end:
                count(evenIfNotIncremental: true)
                transactions.last?.end(of: task, by: load)
                return nil
            }
        }
    }

    // MARK: The response

    private func receive(_ response: URLResponse) throws {
        let receiver = task.with { values in
            values.response = response
            values.expectedToReceive = response.expectedContentLength
            return values.receiver
        }
        if task is URLSessionDownloadTask {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            _ = FileManager.default.createFile(atPath: file.path, contents: nil)
            body = .file(file, try FileHandle(forWritingTo: file))
        } else if receiver?.isDelegate != true {
            body = .data(Data())
        } else if let task = task as? URLSessionDataTask, let delegate = self.receiver(of: Messages.response) {
            let disposition = try ask { answer in
                delegate.urlSession(self.session, dataTask: task, didReceive: response, completionHandler: answer)
            }
            if disposition == .cancel { throw URLError(.cancelled, at: request.url) }
        }
    }

    private func receive(_ data: Data) throws {
        try waitUntilResumed()
        bytesToCount += Int64(data.count)
        count()
        switch body {
        case .data(var all):
            body = .none
            all += data
            body = .data(all)
        case .file(_, let handle):
            try handle.write(contentsOf: data)
        case .none:
            guard let task = task as? URLSessionDataTask, let delegate = receiver(of: Messages.data) else { return }
            try ask { done in
                delegate.urlSession(self.session, dataTask: task, didReceive: data)
                done(())
            }
        }
    }

    private func count(evenIfNotIncremental: Bool = false) {
        guard bytesToCount > 0, evenIfNotIncremental || task.prefersIncrementalDelivery else { return }
        task.change(\URLSessionTask.countOfBytesReceived) { $0.received += bytesToCount }
        bytesToCount = 0
    }

    func countSent(_ count: Int) { task.change(\URLSessionTask.countOfBytesSent) { $0.sent += Int64(count) } }

    // MARK: The end

    private func end(with error: (any Error)?) {
        let metrics = URLSessionTaskMetrics(of: transactions, since: start, redirectCount: redirectCount)
        let receiver = task.with { values in
            values.error = error
            values.state = .completed
            return values.receiver.take()
        }
        session.delegateQueue.addOperation { [self] in
            self.receiver(of: Messages.metrics)?.urlSession(session, task: task, didFinishCollecting: metrics)
            if error == nil { completeProgress() }
            give(error, to: receiver)
            let kept = task.with { values in (values.delegate.take(), values.session.take()) }
            withExtendedLifetime(kept) { session.remove(task) }
        }
    }

    private func give(_ error: (any Error)?, to receiver: URLSessionTask.Receiver?) {
        var file: URL?
        var data: Data?
        switch body {
        case .none: data = Data()
        case .data(let all): data = all
        case .file(let url, _): file = url
        }
        // "You must move this file or open it for reading before your completion handler returns."
        defer { if let file { try? FileManager.default.removeItem(at: file) } }
        switch receiver {
        case .data(let handler): handler(error == nil ? data : nil, task.response, error)
        case .file(let handler): handler(error == nil ? file : nil, task.response, error)
        case .delegate, nil:
            if error == nil, let task = task as? URLSessionDownloadTask, let file {
                self.receiver(of: Messages.file)?.urlSession(session, downloadTask: task, didFinishDownloadingTo: file)
            }
            self.receiver(of: Messages.completion)?.urlSession(session, task: task, didCompleteWithError: error)
        }
    }

    private func completeProgress() {
        task.progress.totalUnitCount = max(1, task.countOfBytesReceived + task.countOfBytesSent)
        task.progress.completedUnitCount = task.progress.totalUnitCount
    }
}
