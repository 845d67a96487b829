#if canImport(FoundationNetworking)

import Foundation

extension URLSessionConfiguration {
    /// Whether FoundationNetworking loads a request over HTTP, and no `URLProtocol` of the caller does.
    func loadsOverHTTP(_ request: URLRequest) -> Bool {
        for loadingClass in protocolClasses ?? [] {
            if loadingClass == Self.httpProtocol { return request.isForHTTP }
            if let loadingClass = loadingClass as? URLProtocol.Type, loadingClass.canInit(with: request) {
                return false
            }
        }
        // Classes that are registered for all sessions come last.
        return request.isForHTTP
    }

    /// The private class `_HTTPURLProtocol`.
    private static let httpProtocol: AnyClass? = URLSessionConfiguration.default.protocolClasses?.first {
        "\($0)" == "_HTTPURLProtocol"
    }
}

extension URLRequest {
    /// Whether the scheme is that of HTTP, with or without TLS.
    var isForHTTP: Bool { url?.scheme == "http" || url?.scheme == "https" }
}

// Workaround: `URLSession` crashes if the delegate of a session is told about a download by a `URLProtocol` of the
//   caller
// Instead: the library runs the task without `progress:`, and gives ``NetworkError/noData``
// Needed by: Swift 6.2 to main
// Shown by: its sources
// Upstream: not reported
// May go: the question in `Exchange.resume(_:reportingTo:)`; the cookies need the file

#endif
