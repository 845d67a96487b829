// Source: https://developer.apple.com/documentation/foundation/urlsessiontask
@available(macOS 10.9, iOS 7, tvOS 9, watchOS 2, *)
open class URLSessionTask: NSObject, @unchecked Sendable {
    open var response: URLResponse? { get }
    // Source: https://developer.apple.com/documentation/foundation/urlsessiontask/delegate
    @available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
    open var delegate: (any URLSessionTaskDelegate)? { get set }
    open var countOfBytesReceived: Int64 { get }
    open var countOfBytesSent: Int64 { get }
    open var countOfBytesExpectedToSend: Int64 { get }
    open var countOfBytesExpectedToReceive: Int64 { get }
    open func cancel()
    open var state: URLSessionTask.State { get }
    open func suspend()
    open func resume()
    // Source: https://developer.apple.com/documentation/foundation/urlsessiontask/prefersincrementaldelivery
    @available(macOS 11.3, iOS 14.5, tvOS 14.5, watchOS 7.4, *)
    open var prefersIncrementalDelivery: Bool { get set }

    public enum State: Sendable {
        case canceling
    }
}

// Source: https://developer.apple.com/documentation/foundation/urlsessiondatatask
@available(macOS 10.9, iOS 7, tvOS 9, watchOS 2, *)
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

// Source: https://developer.apple.com/documentation/foundation/urlsessionuploadtask
@available(macOS 10.9, iOS 7, tvOS 9, watchOS 2, *)
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}

// Source: https://developer.apple.com/documentation/foundation/urlsessiondownloadtask
@available(macOS 10.9, iOS 7, tvOS 9, watchOS 2, *)
open class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {}
