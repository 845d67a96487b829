import Foundation
import Testing
import URLSessionResultClient

@testable import TestSupport

/// A way to send an endpoint, and how its body is read.
struct ClientRequest: Sendable, CustomTestStringConvertible {
    let kind: RequestKind

    /// With a maximum, a body that goes into memory is read piece by piece.
    let maximumBodySize: Int?

    var testDescription: String { maximumBodySize == nil ? "\(kind)" : "\(kind) up to a maximum" }

    static let all =
        RequestKind.allCases.map { ClientRequest(kind: $0, maximumBodySize: nil) }
        + RequestKind.allCases.filter(\.isReadIntoMemory).map { ClientRequest(kind: $0, maximumBodySize: 64 << 20) }

    func client(
        of server: LoopbackServer, in session: URLSession, with middleware: [any RequestMiddleware],
        headers: [String: String] = [:]
    ) -> APIClient {
        APIClient(
            baseURL: server.url(), session: session, headers: headers, middleware: middleware,
            maximumBodySize: maximumBodySize)
    }
}

extension Retry {
    /// Sends a request again at once.
    static var patient: Retry {
        var retry = Retry()
        retry.sleep = { _ in }
        return retry
    }
}
