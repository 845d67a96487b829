#if canImport(Darwin)

import Foundation

/// A task's delegate that the library sets. Messages that it does not take itself go to the delegate of the request.
protocol ForwardingDelegate: URLSessionTaskDelegate {
    /// Makes a delegate like this one that passes messages on to the delegate of a request.
    func forwarding(to delegate: any URLSessionTaskDelegate) -> any URLSessionTaskDelegate
}

/// A task's delegate that collects the metrics. Every other message goes to `next`. URLSession gives the session's delegate the
/// messages that neither takes.
final class MetricsCollector: NSObject, ForwardingDelegate, Sendable {
    private let metrics: CollectedMetrics
    private let next: (any URLSessionTaskDelegate)?

    /// The delegates of the request and of the session. This object passes the metrics on to one of them, because URLSession tells
    /// this object alone.
    private let delegate: (any URLSessionTaskDelegate)?
    private let delegateOfSession: (any URLSessionTaskDelegate)?

    private init(
        _ metrics: CollectedMetrics, next: (any URLSessionTaskDelegate)?, delegate: (any URLSessionTaskDelegate)?,
        delegateOfSession: (any URLSessionTaskDelegate)?
    ) {
        self.metrics = metrics
        self.next = next
        self.delegate = delegate
        self.delegateOfSession = delegateOfSession
    }

    convenience init(_ metrics: CollectedMetrics, for session: URLSession, next: RedirectGuard?) {
        let delegateOfSession = session.delegate as? any URLSessionTaskDelegate
        self.init(metrics, next: next, delegate: nil, delegateOfSession: delegateOfSession)
    }

    func forwarding(to delegate: any URLSessionTaskDelegate) -> any URLSessionTaskDelegate {
        MetricsCollector(
            metrics, next: next.forwarding(to: delegate), delegate: delegate, delegateOfSession: delegateOfSession)
    }

    override func responds(to selector: Selector!) -> Bool {
        super.responds(to: selector) || next?.responds(to: selector) == true
    }

    override func forwardingTarget(for selector: Selector!) -> Any? { next }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        let last = metrics.transactionMetrics.last.flatMap { TransactionMetrics($0) }
        self.metrics.withLock { $0 = last }
        // The method is optional: each of these is nil if the delegate does not have it.
        let tell =
            delegate?.urlSession(_:task:didFinishCollecting:)
            ?? delegateOfSession?.urlSession(_:task:didFinishCollecting:)
        tell?(session, task, metrics)
    }
}

extension (any URLSessionTaskDelegate)? {
    /// The delegate for a request that has one of its own.
    func forwarding(to delegate: any URLSessionTaskDelegate) -> any URLSessionTaskDelegate {
        (self as? any ForwardingDelegate)?.forwarding(to: delegate) ?? delegate
    }
}

extension TransactionMetrics {
    /// Nil if nothing was loaded from the network: a `URLProtocol` of the caller or a cache has answered.
    fileprivate init?(_ transaction: URLSessionTaskTransactionMetrics) {
        guard transaction.resourceFetchType == .networkLoad, let start = transaction.fetchStartDate,
            let end = transaction.responseEndDate
        else { return nil }
        func seconds(_ start: Date?, _ end: Date?) -> TimeInterval? {
            guard let start, let end else { return nil }
            return max(0, end.timeIntervalSince(start))
        }
        let handshake = transaction.secureConnectionStartDate
        self.init(
            networkProtocolName: transaction.networkProtocolName, isReusedConnection: transaction.isReusedConnection,
            remoteAddress: transaction.remoteAddress, remotePort: transaction.remotePort,
            domainLookupDuration: seconds(transaction.domainLookupStartDate, transaction.domainLookupEndDate),
            // `connectEndDate` is after the handshake of TLS. So the beginning of the handshake is the end of this step.
            connectDuration: seconds(transaction.connectStartDate, handshake ?? transaction.connectEndDate),
            secureConnectionDuration: seconds(handshake, transaction.secureConnectionEndDate),
            timeToFirstByte: seconds(start, transaction.responseStartDate),
            duration: max(0, end.timeIntervalSince(start)),
            countOfRequestBodyBytesSent: transaction.countOfRequestBodyBytesSent,
            countOfResponseBodyBytesReceived: transaction.countOfResponseBodyBytesReceived)
    }
}

#endif
