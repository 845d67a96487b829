#if canImport(FoundationNetworking)

import Foundation

extension EasyHandle {
    /// What libcurl has measured, once the transfer has got a response.
    ///
    /// - Parameter timeSinceFirstByte: How long ago the response began, in seconds. In libcurl 7.88, the first byte of an upload is that
    ///   of the request, and no time counts before there is a free connection.
    /// - Returns: The metrics.
    func metrics(timeSinceFirstByte: TimeInterval) -> TransactionMetrics {
        let isReused = get(.countOfNewConnections) == 0
        let duration = seconds(until: .timeOfEnd) ?? 0
        let timeToFirstByte = max(seconds(until: .timeOfFirstByte) ?? 0, duration - timeSinceFirstByte)
        return TransactionMetrics(
            networkProtocolName: protocolName, isReusedConnection: isReused, remoteAddress: getText(.address),
            remotePort: get(.port),
            // libcurl notes the time of each step, also of one that a kept connection does not need.
            domainLookupDuration: isReused ? nil : seconds(from: .timeOfQueue, until: .timeOfLookUp),
            connectDuration: isReused ? nil : seconds(from: .timeOfLookUp, until: .timeOfConnection),
            secureConnectionDuration: isReused ? nil : seconds(from: .timeOfConnection, until: .timeOfHandshake),
            timeToFirstByte: min(timeToFirstByte, duration), duration: duration,
            countOfRequestBodyBytesSent: Int64(get(.countOfBytesSent)),
            countOfResponseBodyBytesReceived: Int64(get(.countOfBytesReceived)))
    }

    /// The name by which TLS negotiates the protocol.
    private var protocolName: String? {
        switch get(.httpVersion) {
        case 1: "http/1.0"  // CURL_HTTP_VERSION_1_0
        case 2: "http/1.1"
        case 3: "h2"
        case 30: "h3"
        default: nil
        }
    }

    /// How long a step took, or nil if it was not done.
    private func seconds(from start: Curl.Information? = nil, until end: Curl.Information) -> TimeInterval? {
        let time = get(end)
        guard time > 0 else { return nil }
        return Double(max(0, time - (start.map(get) ?? 0))) / 1_000_000
    }
}

#endif
