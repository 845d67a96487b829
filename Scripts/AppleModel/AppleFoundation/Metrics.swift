// Source: https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics
open class URLSessionTaskMetrics: NSObject, @unchecked Sendable {
    public let transactionMetrics: [URLSessionTaskTransactionMetrics]
    public let taskInterval: DateInterval
    public let redirectCount: Int

    init(of transactions: [URLSessionTaskTransactionMetrics], since start: Date, redirectCount: Int) {
        transactionMetrics = transactions
        taskInterval = DateInterval(start: start, end: max(start, Date()))
        self.redirectCount = redirectCount
    }
}

open class URLSessionTaskTransactionMetrics: NSObject, @unchecked Sendable {
    public let request: URLRequest
    public let response: URLResponse?
    public let isReusedConnection = false
    public let networkProtocolName: String? = "http/1.1"

    init(of request: URLRequest, _ response: URLResponse?) {
        self.request = request
        self.response = response
    }
}
