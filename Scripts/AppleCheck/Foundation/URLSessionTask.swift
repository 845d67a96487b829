// Source: https://developer.apple.com/documentation/foundation/urlsessiontask
@available(macOS 10.9, iOS 7, *)
open class URLSessionTask: NSObject, @unchecked Sendable {
    open var taskIdentifier: Int { get }
    open var originalRequest: URLRequest? { get }
    open var currentRequest: URLRequest? { get }
    open var response: URLResponse? { get }
    // Source: https://developer.apple.com/documentation/foundation/urlsessiontask/delegate
    @available(macOS 12, iOS 15, *)
    open var delegate: (any URLSessionTaskDelegate)? { get set }
    // Source: https://developer.apple.com/documentation/foundation/urlsessiontask/progress
    @available(macOS 10.13, iOS 11, *)
    open var progress: Progress { get }
    open var countOfBytesReceived: Int64 { get }
    open var countOfBytesSent: Int64 { get }
    open var countOfBytesExpectedToSend: Int64 { get }
    open var countOfBytesExpectedToReceive: Int64 { get }
    open var taskDescription: String? { get set }
    open func cancel()
    open var state: URLSessionTask.State { get }
    open var error: (any Error)? { get }
    open func suspend()
    open func resume()
    @available(macOS 10.10, iOS 8, *)
    open var priority: Float { get set }
    // Source: https://developer.apple.com/documentation/foundation/urlsessiontask/prefersincrementaldelivery
    @available(macOS 11.3, iOS 14.5, *)
    open var prefersIncrementalDelivery: Bool { get set }

    public enum State: Sendable {
        case running
        case suspended
        case canceling
        case completed
    }
}

// Source: https://developer.apple.com/documentation/foundation/urlsessiondatatask
@available(macOS 10.9, iOS 7, *)
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

// Source: https://developer.apple.com/documentation/foundation/urlsessionuploadtask
@available(macOS 10.9, iOS 7, *)
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {
    // Source: https://developer.apple.com/documentation/foundation/urlsessionuploadtask/cancel(byproducingresumedata:)
    @available(macOS 14, iOS 17, *)
    open func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void)
}

// Source: https://developer.apple.com/documentation/foundation/urlsessiondownloadtask
@available(macOS 10.9, iOS 7, *)
open class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {
    open func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void)
}

// Source: https://developer.apple.com/documentation/foundation/progress
@available(macOS 10.9, iOS 7, *)
open class Progress: NSObject, @unchecked Sendable {
    open var totalUnitCount: Int64 { get set }
    open var completedUnitCount: Int64 { get set }
    open var fractionCompleted: Double { get }
}
