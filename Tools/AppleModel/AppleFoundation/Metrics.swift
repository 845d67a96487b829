// Source: https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics
open class URLSessionTaskMetrics: NSObject, @unchecked Sendable {
    public let transactionMetrics: [URLSessionTaskTransactionMetrics]
    public let taskInterval: DateInterval
    public let redirectCount: Int

    public enum ResourceFetchType: Int, Sendable { case unknown, networkLoad, serverPush, localCache }

    init(of transactions: [URLSessionTaskTransactionMetrics], since start: Date, redirectCount: Int) {
        transactionMetrics = transactions
        taskInterval = DateInterval(start: start, end: max(start, Date()))
        self.redirectCount = redirectCount
    }
}

// Source: https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics
open class URLSessionTaskTransactionMetrics: NSObject, @unchecked Sendable {
    public let request: URLRequest
    public let response: URLResponse?
    public let resourceFetchType: URLSessionTaskMetrics.ResourceFetchType
    public let isReusedConnection: Bool
    public let networkProtocolName: String?
    public let remoteAddress: String?
    public let remotePort: Int?
    public let fetchStartDate: Date?
    public let domainLookupStartDate: Date?
    public let domainLookupEndDate: Date?
    public let connectStartDate: Date?
    public let connectEndDate: Date?
    public let secureConnectionStartDate: Date? = nil
    public let secureConnectionEndDate: Date? = nil
    public let responseStartDate: Date?
    public fileprivate(set) var responseEndDate: Date?
    public fileprivate(set) var countOfRequestBodyBytesSent: Int64 = 0
    public fileprivate(set) var countOfResponseBodyBytesReceived: Int64 = 0

    init(of request: URLRequest, _ response: URLResponse?, by load: any Load, since start: Date) {
        let http = load as? HTTPLoad
        let isNew = http?.isReusedConnection == false
        self.request = request
        self.response = response
        resourceFetchType = http == nil ? .unknown : .networkLoad
        isReusedConnection = http?.isReusedConnection == true
        networkProtocolName = http == nil ? nil : "http/1.1"
        remoteAddress = http == nil ? nil : request.url?.host
        remotePort = http == nil ? nil : request.url?.port
        fetchStartDate = start
        domainLookupStartDate = isNew ? start : nil
        domainLookupEndDate = isNew ? start : nil
        connectStartDate = isNew ? start : nil
        connectEndDate = isNew ? start : nil
        responseStartDate = Date()
    }

    /// The response has ended.
    func end(of task: URLSessionTask, by load: any Load) {
        responseEndDate = Date()
        countOfRequestBodyBytesSent = task.countOfBytesSent
        countOfResponseBodyBytesReceived = (load as? HTTPLoad)?.countOfBodyBytes ?? 0
    }
}
