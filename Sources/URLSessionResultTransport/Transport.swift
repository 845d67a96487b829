import Foundation

// What passes between the library and the transport, and nothing else: a request goes in, and one outcome comes out. The functions
// that depend on the platform are in `Apple/URLSession+Apple.swift` and `Linux/Requests/MakingTasks+Linux.swift`.

/// A function that takes the outcome of a task. It is called once, on the session's delegate queue.
package typealias OutcomeHandler = @Sendable (TaskOutcome) -> Void

/// What a task ends with: the arguments of a completion handler.
package struct TaskOutcome: Sendable {
    package let data: Data?

    /// The temporary file of a download. It is removed when the handler returns, unless the handler moves it.
    package let file: URL?
    package let response: URLResponse?
    package let error: (any Error)?

    package init(
        data: Data? = nil, file: URL? = nil, response: URLResponse? = nil, error: (any Error)? = nil
    ) {
        self.data = data
        self.file = file
        self.response = response
        self.error = error
    }
}

/// Takes a response while it arrives, in place of a handler that gets the whole of it.
///
/// On Linux, it is called on the queue of all transfers, so it waits for nothing.
package protocol ResponseReceiver: AnyObject, Sendable {
    /// Whether somebody reads the body. The request must not be sent again then, as it is after a challenge.
    var isStreaming: Bool { get }

    /// Takes the head of a response. That of a challenge may be followed by that of the answer.
    func receive(_ head: URLResponse, of task: URLSessionTask)

    /// Takes the next bytes of the body.
    func receive(_ data: Data, of task: URLSessionTask)

    /// Notes that the response asks for a credential, and that its body is whole.
    func taskIsChallenged()

    /// Notes that another request is sent. What was received before does not count.
    func restart()

    /// Takes the end.
    func complete(with outcome: TaskOutcome)
}

/// Counts the bytes of a transfer.
package protocol ByteCounter: AnyObject, Sendable {
    /// Takes the count of bytes transferred so far.
    ///
    /// - Parameters:
    ///   - completed: The number of bytes so far. A transfer that starts again counts from zero again.
    ///   - expected: The total number of bytes, or a number below 1 while it is unknown.
    /// - Returns: A function to call on the session's delegate queue, or `nil` if there is nothing to report.
    func count(_ completed: Int64, of expected: Int64) -> (@Sendable () -> Void)?

    /// Keeps the object that counts the bytes until the transfer is over.
    func keep(_ source: AnyObject)
}

extension URLRequest {
    /// A request that sends nothing.
    static let forNothing = URLRequest(url: URL(string: "data:,") ?? URL(fileURLWithPath: "/"))
}

extension URLResponse {
    /// Whether no other head follows, as one does after 103 (Early Hints), for example (RFC 9110, section 15.2).
    ///
    /// On Linux, each of them is announced. After 101 (Switching Protocols), the rest is another protocol's.
    package var isFinal: Bool {
        guard let response = self as? HTTPURLResponse else { return true }
        return !(100..<200).contains(response.statusCode) || response.statusCode == 101
    }
}
