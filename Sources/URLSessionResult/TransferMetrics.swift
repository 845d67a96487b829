import Foundation
internal import URLSessionResultTransport

/// What was measured of a request: how long its steps took, over which connection, and how many bytes went over it.
///
/// ```swift
/// let response = try await session.dataResult(
///     from: url, decoder: .response(.json([Album].self))
/// ).get()
/// print(response.metrics?.timeToFirstByte ?? 0)
/// ```
///
/// If a request is redirected, challenged or sent again, these are the metrics of the last time it was sent. All durations are in
/// seconds. On Linux, libcurl measures them; on Apple's platforms, they are those of `URLSessionTaskTransactionMetrics`.
public struct TransferMetrics: Hashable, Sendable {
    let transaction: TransactionMetrics

    init(transaction: TransactionMetrics) { self.transaction = transaction }

    /// Creates metrics, for a test or a preview.
    public init(
        networkProtocolName: String? = nil, isReusedConnection: Bool = false, remoteAddress: String? = nil,
        remotePort: Int? = nil, domainLookupDuration: TimeInterval? = nil, connectDuration: TimeInterval? = nil,
        secureConnectionDuration: TimeInterval? = nil, timeToFirstByte: TimeInterval? = nil,
        duration: TimeInterval = 0, countOfRequestBodyBytesSent: Int64 = 0,
        countOfResponseBodyBytesReceived: Int64 = 0
    ) {
        transaction = TransactionMetrics(
            networkProtocolName: networkProtocolName, isReusedConnection: isReusedConnection,
            remoteAddress: remoteAddress, remotePort: remotePort, domainLookupDuration: domainLookupDuration,
            connectDuration: connectDuration, secureConnectionDuration: secureConnectionDuration,
            timeToFirstByte: timeToFirstByte, duration: duration,
            countOfRequestBodyBytesSent: countOfRequestBodyBytesSent,
            countOfResponseBodyBytesReceived: countOfResponseBodyBytesReceived)
    }

    /// The protocol as TLS negotiates it (RFC 7301), such as `http/1.1` or `h2`.
    public var networkProtocolName: String? { transaction.networkProtocolName }

    /// Whether the connection was there already: kept after an earlier request, or shared with others over HTTP/2.
    public var isReusedConnection: Bool { transaction.isReusedConnection }

    /// The IP address of the server, or of the proxy.
    public var remoteAddress: String? { transaction.remoteAddress }

    /// The port of the server, or of the proxy.
    public var remotePort: Int? { transaction.remotePort }

    /// How long the name of the host was looked up, or `nil` for a connection that was there already.
    public var domainLookupDuration: TimeInterval? { transaction.domainLookupDuration }

    /// How long it took to connect over TCP, or `nil` for a connection that was there already.
    public var connectDuration: TimeInterval? { transaction.connectDuration }

    /// How long the handshake of TLS took, or `nil` for a connection that was there already, or without TLS.
    public var secureConnectionDuration: TimeInterval? { transaction.secureConnectionDuration }

    /// The time from the start of the request to the first byte of the response. It includes the steps above, the wait for a free
    /// connection, and the time to send the request.
    public var timeToFirstByte: TimeInterval? { transaction.timeToFirstByte }

    /// The time from the start of the request to the last byte of the response.
    public var duration: TimeInterval { transaction.duration }

    /// The number of bytes of the request's body. On Apple's platforms, the framing of the protocol counts, too.
    public var countOfRequestBodyBytesSent: Int64 { transaction.countOfRequestBodyBytesSent }

    /// The number of bytes of the response's body, before a content encoding such as gzip is removed. On Apple's platforms, the
    /// framing of the protocol counts, too.
    public var countOfResponseBodyBytesReceived: Int64 { transaction.countOfResponseBodyBytesReceived }
}

extension TransferMetrics: CustomStringConvertible {
    /// The protocol, the connection and the times, for a log. It shows no address.
    public var description: String {
        let steps = [
            ("look-up", domainLookupDuration), ("connect", connectDuration), ("TLS", secureConnectionDuration),
            ("first byte", timeToFirstByte), ("end", duration),
        ]
        let times = steps.compactMap { name, seconds in
            seconds.map { "\(name) \($0.withMilliseconds) s" }
        }
        let connection = isReusedConnection ? "kept connection" : "new connection"
        return ([networkProtocolName, connection].compactMap { $0 } + times).joined(separator: ", ")
    }
}

extension TimeInterval {
    /// The seconds with three decimals. `String(format:)` takes 5,000 instructions more, for each time in a line of a log.
    package var withMilliseconds: String {
        guard (0..<1e9).contains(self) else { return String(format: "%.3f", self) }
        let milliseconds = Int((self * 1000).rounded())
        return "\(milliseconds / 1000).\(String(1000 + milliseconds % 1000).dropFirst())"
    }
}
