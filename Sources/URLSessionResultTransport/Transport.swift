import Foundation

// What passes between the library and the transport, and nothing else: a request goes in, and one outcome comes out. The functions
// that depend on the platform are in `Apple/URLSession+Apple.swift` and `Linux/Tasks/MakingTasks+Linux.swift`.

/// What an upload sends in place of the request's own body.
package enum UploadedBody: Sendable {
    case data(Data)
    case file(URL)

    /// The number of its bytes. Nil if only reading shows it, as for a pipe, or if there is no file.
    package var length: Int64? {
        switch self {
        case .data(let data):
            return Int64(data.count)
        case .file(let file):
            let file = file.resolvingSymlinksInPath()
            guard (try? file.isRegularFile) == true else { return nil }
            return (try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize).map { Int64($0) }
        }
    }
}

/// A function that takes the outcome of a task. It is called once, on the session's delegate queue.
package typealias OutcomeHandler = @Sendable (TaskOutcome) -> Void

/// What a task ends with: the arguments of a completion handler.
package struct TaskOutcome: Sendable {
    package let data: Data?

    /// The temporary file of a download. It is removed when the handler returns, unless the handler moves it.
    package let file: URL?
    package let response: URLResponse?
    package let error: (any Error)?

    /// The metrics that the task was made with, if they were asked for.
    package var metrics: CollectedMetrics?

    package init(
        data: Data? = nil, file: URL? = nil, response: URLResponse? = nil, error: (any Error)? = nil,
        metrics: CollectedMetrics? = nil
    ) {
        self.data = data
        self.file = file
        self.response = response
        self.error = error
        self.metrics = metrics
    }
}

/// Where a task puts the metrics of its last transaction before it ends. Nil until then, and if nobody knows them.
///
/// Guards the metrics: the response of a stream may be read, on any thread, before they are there.
package typealias CollectedMetrics = Locked<TransactionMetrics?>

/// What is measured of one request and its response. `TransferMetrics` says what each value means.
package struct TransactionMetrics: Hashable, Sendable {
    package var networkProtocolName: String?
    package var isReusedConnection: Bool
    package var remoteAddress: String?
    package var remotePort: Int?

    // In seconds.
    package var domainLookupDuration: TimeInterval?
    package var connectDuration: TimeInterval?
    package var secureConnectionDuration: TimeInterval?
    package var timeToFirstByte: TimeInterval?
    package var duration: TimeInterval

    package var countOfRequestBodyBytesSent: Int64
    package var countOfResponseBodyBytesReceived: Int64

    package init(
        networkProtocolName: String?, isReusedConnection: Bool, remoteAddress: String?, remotePort: Int?,
        domainLookupDuration: TimeInterval?, connectDuration: TimeInterval?, secureConnectionDuration: TimeInterval?,
        timeToFirstByte: TimeInterval?, duration: TimeInterval,
        countOfRequestBodyBytesSent: Int64, countOfResponseBodyBytesReceived: Int64
    ) {
        self.networkProtocolName = networkProtocolName
        self.isReusedConnection = isReusedConnection
        self.remoteAddress = remoteAddress
        self.remotePort = remotePort
        self.domainLookupDuration = domainLookupDuration
        self.connectDuration = connectDuration
        self.secureConnectionDuration = secureConnectionDuration
        self.timeToFirstByte = timeToFirstByte
        self.duration = duration
        self.countOfRequestBodyBytesSent = countOfRequestBodyBytesSent
        self.countOfResponseBodyBytesReceived = countOfResponseBodyBytesReceived
    }
}

/// How long the body of an error response to a stream is awaited after its head, in seconds.
package let longestWaitForErrorBody: TimeInterval = 2

/// Takes a response while it arrives, in place of a handler that gets the whole of it.
///
/// On Linux, it may be called on the event loop, which runs all transfers. So its functions must not wait.
package protocol ResponseReceiver: AnyObject, Sendable {
    /// Takes the head of the response. That of a redirect or a challenge comes only if no other request follows.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - task: The task.
    ///   - isTimed: Whether `patienceIsOver(with:)` will be called, because the head was held back for a while. If not, the
    ///     receiver itself has to limit its wait for the body of an error response.
    func receive(_ head: URLResponse, of task: URLSessionTask, isTimed: Bool)

    /// Takes the next bytes of the body.
    func receive(_ data: Data, of task: URLSessionTask)

    /// Is called when the body of an error response was awaited for long enough since its head came (`longestWaitForErrorBody`).
    /// The bytes that have come were taken before.
    func patienceIsOver(with task: URLSessionTask)

    /// Takes the end: the reason why there is no response, or not all of it, or nil.
    func complete(with error: (any Error)?)
}

/// A function that takes the number of bytes transferred so far, and the total number, which is below 1 while it is unknown. A
/// transfer that starts again counts from zero again.
///
/// It returns a function to call on the session's delegate queue, or `nil` if there is nothing to report.
package typealias ByteCounter = @Sendable (_ completed: Int64, _ expected: Int64) -> (@Sendable () -> Void)?

extension URLRequest {
    /// A request that sends nothing.
    package static let forNothing = URLRequest(url: URL(string: "data:,") ?? URL(fileURLWithPath: "/"))
}
