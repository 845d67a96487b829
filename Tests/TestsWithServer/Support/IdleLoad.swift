#if canImport(FoundationNetworking)

import Foundation

@testable import URLSessionResultTransport

/// Loads nothing.
final class IdleLoad: Load {
    let response: URLResponse? = nil
    let countOfBytesSent: Int64 = 0
    let countOfBytesExpectedToSend: Int64 = 0
    func start() {}
    func stop() {}
}

#endif
