// Source: https://developer.apple.com/documentation/foundation/urlsessiontask
open class URLSessionTask: NSObject, @unchecked Sendable {
    public enum State: Int, Sendable { case running, suspended, canceling, completed }

    enum UploadedBody {
        case data(Data)
        case file(URL)
    }

    /// Who gets the response.
    enum Receiver {
        case delegate
        case data(URLSession.DataHandler)
        case file(URLSession.FileHandler)

        var isDelegate: Bool { if case .delegate = self { true } else { false } }
    }

    typealias Observer = @Sendable (URLSessionTask, AnyKeyPath) -> Void

    struct Values {
        var state = State.suspended
        /// A new task is suspended. Evidence: swift-corelibs-foundation, test_suspendResumeTask.
        var suspensions = 1
        var wasResumed = false
        var isStarted = false
        var delegate: (any URLSessionTaskDelegate)?
        var currentRequest: URLRequest?
        var response: URLResponse?
        var error: (any Error)?
        var received: Int64 = 0
        var sent: Int64 = 0
        var expectedToReceive: Int64 = 0
        var expectedToSend: Int64 = 0
        var priority = URLSessionTask.defaultPriority
        var prefersIncrementalDelivery: Bool
        var observers: [ObjectIdentifier: Observer] = [:]
        /// Nil once the task is over.
        var session: URLSession?
        var receiver: Receiver?
        /// Ends what the thread of the transfer waits for.
        var interrupt: (@Sendable () -> Void)?

        var isOver: Bool { state == .canceling || state == .completed }
        var isHeldBack: Bool { suspensions > 0 && !isOver }
    }

    /// Holds the lock of the values, and tells those who wait of each change.
    let condition = NSCondition()
    private(set) var values: Values
    let uploadedBody: UploadedBody?
    public let originalRequest: URLRequest?
    public private(set) var taskIdentifier = 0
    open var taskDescription: String?
    public let progress = Progress(totalUnitCount: NSURLSessionTransferSizeUnknown)

    init(of session: URLSession, _ request: URLRequest, sending body: UploadedBody? = nil, to receiver: Receiver) {
        originalRequest = request
        uploadedBody = body
        // False for a download and with a completion handler, by the page of the property.
        let isIncremental = receiver.isDelegate && !(Self.self is URLSessionDownloadTask.Type)
        values = Values(
            currentRequest: request, prefersIncrementalDelivery: isIncremental, session: session, receiver: receiver)
        super.init()
        progress.cancellationHandler = { [weak self] in self?.cancel() }
        taskIdentifier = session.add(self)
        session.tellOfCreation(of: self)
    }

    func with<T>(_ body: (inout Values) -> T) -> T {
        condition.withLock {
            defer { condition.broadcast() }
            return body(&values)
        }
    }

    public static let defaultPriority: Float = 0.5
    public static let lowPriority: Float = 0.25

    open var state: State { with { $0.state } }
    open var currentRequest: URLRequest? { with { $0.currentRequest } }
    open var response: URLResponse? { with { $0.response } }
    open var error: (any Error)? { with { $0.error } }
    open var countOfBytesReceived: Int64 { with { $0.received } }
    open var countOfBytesSent: Int64 { with { $0.sent } }
    open var countOfBytesExpectedToReceive: Int64 { with { $0.expectedToReceive } }
    open var countOfBytesExpectedToSend: Int64 { with { $0.expectedToSend } }
    open var priority: Float {
        get { with { $0.priority } }
        set { with { $0.priority = newValue } }
    }
    open var prefersIncrementalDelivery: Bool {
        get { with { $0.prefersIncrementalDelivery } }
        set { with { $0.prefersIncrementalDelivery = newValue } }
    }

    /// Nil after the end, and an exception after `resume()`. Evidence: kern0x1b/charon, tests/backports/host/tasksession (macOS 27);
    /// opentelemetry-swift, issue 937.
    open var delegate: (any URLSessionTaskDelegate)? {
        get { with { $0.delegate } }
        set {
            let isLate = with { values in
                values.delegate = newValue
                return values.wasResumed || values.isOver && Settings.refusesLateDelegates
            }
            if isLate { raise("NSGenericException", "Cannot set task delegate after resumption") }
        }
    }

    open func resume() {
        let isFirst = with { values in
            values.wasResumed = true
            guard !values.isOver else { return false }
            values.suspensions = max(0, values.suspensions - 1)
            // Evidence: swift-corelibs-foundation, test_suspendResumeTask ("Darwin reports this as .running").
            values.state = .running
            return values.suspensions == 0 && !values.isStarted
        }
        if isFirst { start() }
    }

    open func suspend() {
        with { values in
            guard !values.isOver else { return }
            values.suspensions += 1
            values.state = .suspended
        }
    }

    /// A task that was never resumed is told that it has ended, too.
    open func cancel() {
        let isFirst = with { values in
            guard !values.isOver else { return false }
            values.state = .canceling
            // Under the lock: later, the connection may be that of another task.
            values.interrupt?()
            return !values.isStarted
        }
        if isFirst { start() }
    }

    private func start() {
        let session: URLSession? = with { values in
            defer { values.isStarted = true }
            return values.isStarted ? nil : values.session
        }
        guard let session, session.mayStart(self) else { return }
        let transfer = Transfer(of: self, in: session)
        Thread.detachNewThread { transfer.run() }
    }
}

open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}
open class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {}
