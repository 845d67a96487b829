#if canImport(FoundationNetworking)

import Foundation

/// Tells the heads of a proxy from those of the server.
///
/// libcurl passes on the head of a proxy's answer to CONNECT, and FoundationNetworking announces it as a response. It is the first
/// one of a new tunnel, and nothing in it says whose it is. libcurl knows. Where it cannot be asked, a head is kept back until more
/// comes: another head, a byte of the body or the end. A 2xx to CONNECT has no body, and any other status fails the request (RFC
/// 9110, section 9.3.6).
enum ProxyHeads: Sendable {
    struct KeptHead: Sendable {
        let head: URLResponse
        let inTurn: Transaction.InTurn
    }

    /// The server, and nobody else.
    case server

    /// A proxy may be the first. The latest head is kept back.
    case proxyOrServer(latest: KeptHead? = nil)

    /// The server from now on, but the load may still show the head of the proxy.
    case serverAfterProxy(URLResponse)

    init(of request: URLRequest, by loader: Loader) {
        if case .http = loader, request.url?.isForTLS == true, SystemCalls.hasProxyForTLS {
            self = .proxyOrServer()
        } else {
            self = .server
        }
    }

    var mayBeProxy: Bool {
        if case .proxyOrServer = self { true } else { false }
    }

    /// Keeps a head back if it may be the one of a proxy.
    ///
    /// - Returns: Whether it is kept back. The one that was kept before is the proxy's.
    mutating func keepBack(_ head: URLResponse, _ inTurn: @escaping Transaction.InTurn) -> Bool {
        guard case .proxyOrServer = self else { return false }
        self = .proxyOrServer(latest: KeptHead(head: head, inTurn: inTurn))
        return true
    }

    /// All heads of a proxy have come.
    ///
    /// - Parameter isServers: A function that says whether the head that is kept back is the server's.
    /// - Returns: That head if it is, or nil if there is none.
    mutating func settle(_ isServers: (URLResponse) -> Bool) -> KeptHead? {
        guard case .proxyOrServer(let latest) = self else { return nil }
        self = .server
        guard let latest, !isServers(latest.head) else { return latest }
        self = .serverAfterProxy(latest.head)
        return nil
    }

    /// The response that a load shows, if it is the server's.
    func serversHead(_ shown: URLResponse?) -> URLResponse? {
        switch self {
        case .server: shown
        case .proxyOrServer: nil
        case .serverAfterProxy(let head): shown === head ? nil : shown
        }
    }
}

#endif
