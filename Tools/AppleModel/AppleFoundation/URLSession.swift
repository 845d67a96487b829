// Source: https://developer.apple.com/documentation/foundation/urlsession
open class URLSession: NSObject, @unchecked Sendable {
    public enum ResponseDisposition: Int, Sendable { case cancel, allow, becomeDownload, becomeStream }
    public enum AuthChallengeDisposition: Int, Sendable {
        case useCredential, performDefaultHandling, cancelAuthenticationChallenge, rejectProtectionSpace
    }

    private struct State {
        var delegate: (any URLSessionDelegate)?
        var latestIdentifier = 0
        /// Those that are not over.
        var tasks: [Int: URLSessionTask] = [:]
        var isFinishing = false
        var isInvalid = false
    }

    /// "If you don't invalidate the session, your app leaks memory": the page of the initializer.
    nonisolated(unsafe) private static var sessions: Set<URLSession> = []
    private static let lock = NSLock()

    public static let shared = URLSession(configuration: .default)

    private var state: State
    private let lock = NSLock()
    let settings: URLSessionConfiguration
    let connections = ConnectionPool()
    public let delegateQueue: OperationQueue
    open var sessionDescription: String?

    public convenience init(configuration: URLSessionConfiguration) {
        self.init(configuration: configuration, delegate: nil, delegateQueue: nil)
    }

    public init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue: OperationQueue?
    ) {
        settings = configuration.copied()
        state = State(delegate: delegate)
        // "If nil, the session creates a serial operation queue."
        self.delegateQueue = delegateQueue ?? OperationQueue()
        if delegateQueue == nil { self.delegateQueue.maxConcurrentOperationCount = 1 }
        super.init()
        Self.lock.withLock { _ = Self.sessions.insert(self) }
    }

    open var configuration: URLSessionConfiguration { settings.copied() }
    open var delegate: (any URLSessionDelegate)? { lock.withLock { state.delegate } }

    // MARK: Its tasks

    /// - Returns: The task's identifier.
    func add(_ task: URLSessionTask) -> Int {
        let identifier: Int? = lock.withLock {
            guard !state.isFinishing else { return nil }
            state.latestIdentifier += 1
            if !Settings.forgetsUnresumedTasks { state.tasks[state.latestIdentifier] = task }
            return state.latestIdentifier
        }
        // Evidence: AFNetworking, issue 3499.
        guard let identifier else {
            raise("NSGenericException", "Task created in a session that has been invalidated")
        }
        return identifier
    }

    /// Tells the delegate of a task before the method that makes it returns. By the header, "this delegate callback is *NOT* dispatched to
    /// the delegate queue".
    func tellOfCreation(of task: URLSessionTask) {
        delegate?.receiver(of: Messages.creation)?.urlSession(self, didCreateTask: task)
    }

    /// - Returns: Whether the task may run.
    func mayStart(_ task: URLSessionTask) -> Bool {
        lock.withLock {
            if Settings.forgetsUnresumedTasks, !state.isInvalid { state.tasks[task.taskIdentifier] = task }
            return !state.isInvalid
        }
    }

    func remove(_ task: URLSessionTask) {
        lock.withLock { state.tasks[task.taskIdentifier] = nil }
        becomeInvalidAfterLastTask()
    }

    // MARK: Its end

    open func finishTasksAndInvalidate() {
        // "Calling this method on the session returned by the shared method has no effect."
        guard self !== URLSession.shared else { return }
        lock.withLock { state.isFinishing = true }
        becomeInvalidAfterLastTask()
    }

    open func invalidateAndCancel() {
        let tasks = lock.withLock {
            state.isFinishing = true
            return state.tasks.values
        }
        for task in tasks { task.cancel() }
        becomeInvalidAfterLastTask()
    }

    private func becomeInvalidAfterLastTask() {
        let isOver = lock.withLock {
            let isOver = state.isFinishing && state.tasks.isEmpty && !state.isInvalid
            if isOver { state.isInvalid = true }
            return isOver
        }
        guard isOver else { return }
        connections.closeIdle()
        delegateQueue.addOperation { [self] in
            delegate?.receiver(of: Messages.invalid)?.urlSession(self, didBecomeInvalidWithError: nil)
            // "The session breaks the reference to the delegate": finishTasksAndInvalidate().
            let delegate = lock.withLock { state.delegate.take() }
            withExtendedLifetime(delegate) {}
            let session = Self.lock.withLock { Self.sessions.remove(self) }
            withExtendedLifetime(session) {}
        }
    }
}
