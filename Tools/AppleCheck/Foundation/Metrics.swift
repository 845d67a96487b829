// Source: https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics
@available(macOS 10.12, iOS 10, tvOS 10, watchOS 3, *)
open class URLSessionTaskMetrics: NSObject, @unchecked Sendable {
    open var transactionMetrics: [URLSessionTaskTransactionMetrics] { get }

    public enum ResourceFetchType: Int, Sendable {
        case unknown
        case networkLoad
        case serverPush
        case localCache
    }
}

// Source: https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics
@available(macOS 10.12, iOS 10, tvOS 10, watchOS 3, *)
open class URLSessionTaskTransactionMetrics: NSObject, @unchecked Sendable {
    open var fetchStartDate: Date? { get }
    open var domainLookupStartDate: Date? { get }
    open var domainLookupEndDate: Date? { get }
    open var connectStartDate: Date? { get }
    open var secureConnectionStartDate: Date? { get }
    open var secureConnectionEndDate: Date? { get }
    open var connectEndDate: Date? { get }
    open var responseStartDate: Date? { get }
    open var responseEndDate: Date? { get }
    open var networkProtocolName: String? { get }
    open var isReusedConnection: Bool { get }
    open var resourceFetchType: URLSessionTaskMetrics.ResourceFetchType { get }
    @available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
    open var countOfRequestBodyBytesSent: Int64 { get }
    @available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
    open var countOfResponseBodyBytesReceived: Int64 { get }
    @available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
    open var remoteAddress: String? { get }
    @available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
    open var remotePort: Int? { get }
}
