#if canImport(FoundationNetworking)

import Foundation

/// Who loads a request.
enum Loader {
    case http

    /// A `URLProtocol` of the caller, or the one for `data` URLs.
    case other

    /// Nobody, or a `URLProtocol` that the caller has registered for all sessions.
    case unknown
}

extension URLSessionConfiguration {
    func loader(of request: URLRequest) -> Loader {
        let scheme = request.url?.scheme
        let isForHTTP = scheme == "http" || scheme == "https"
        for loadingClass in protocolClasses ?? [] {
            if loadingClass == Self.httpProtocol {
                if isForHTTP { return .http }
            } else if let loadingClass = loadingClass as? URLProtocol.Type, loadingClass.canInit(with: request) {
                return .other
            }
        }
        // Classes that are registered for all sessions come last.
        if isForHTTP { return .http }
        return scheme == "data" ? .other : .unknown
    }

    /// The private class `_HTTPURLProtocol`.
    static let classesForHTTP = httpProtocol.map { [$0] } ?? []

    private static let httpProtocol: AnyClass? = URLSessionConfiguration.default.protocolClasses?.first {
        "\($0)" == "_HTTPURLProtocol"
    }
}

extension URLRequest {
    /// The request of an upload, with its body where a `URLProtocol` of the caller loads it. FoundationNetworking shows such a
    /// protocol no other body.
    func showing(_ body: Data, in configuration: URLSessionConfiguration) -> URLRequest {
        guard configuration.loader(of: self) != .http else { return self }
        var request = self
        request.httpBody = body
        return request
    }
}

// Workaround: `URLSession` shows a `URLProtocol` of the caller no body of an upload
// Instead: the library shows it in `httpBody` of the request
// Kind: wrong result
// Needed by: Swift 6.2 to main
// Shown by: WorkaroundTests.bodyForProtocol
// Upstream: not reported
// May go: `showing(_:in:)`; the cookies need the file

#endif
