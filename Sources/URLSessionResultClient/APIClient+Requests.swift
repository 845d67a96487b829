import Foundation
internal import URLSessionResultTransport

extension APIClient {
    /// Makes the request for an endpoint, as it is before the middleware changes it.
    ///
    /// The body is encoded on the caller's actor. The methods that send an endpoint encode it elsewhere.
    ///
    /// - Parameter endpoint: The endpoint.
    /// - Returns: The request. It has no body if the endpoint sends a file or a multipart form.
    /// - Throws: `NetworkError.encodingError` for a body that cannot be encoded, a header field with a line break, and a method
    ///   that is no token; `NetworkError.transportError` with `URLError.badURL` for a path that makes no URL.
    public func request<T>(for endpoint: Endpoint<T>) throws(NetworkError) -> URLRequest {
        try request(for: endpoint, streaming: nil)
    }

    /// As ``request(for:)``.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - types: The content types of a stream, unless the endpoint accepts others.
    /// - Returns: The request.
    /// - Throws: What that throws.
    func request<T>(for endpoint: Endpoint<T>, streaming types: String?) throws(NetworkError) -> URLRequest {
        guard let url = endpoint.path.url(relativeTo: baseURL, adding: endpoint.query) else {
            throw .transportError(code: .badURL)
        }
        try endpoint.method.check()
        var request = URLRequest(url: url, method: endpoint.method)
        if endpoint.acceptsJSON { try request.setField("Accept", "application/json") }
        if url.origin == baseURL.origin { try request.setFields(headers) }
        if let body = endpoint.body {
            request.httpBody = try body.data(by: encoder)
            let hasType = body.isJSON && request.value(forHTTPHeaderField: "Content-Type") != nil
            if !hasType { try request.setField("Content-Type", body.contentType) }
        }
        if let types {
            try request.setField("Accept", types)
            if session.configuration.timeoutIntervalForRequest == usualTimeout {
                request.timeoutInterval = streamTimeout
            }
        }
        try request.setFields(endpoint.headers)
        endpoint.configure(&request)
        try request.check()
        try removeFields(from: &request, madeFor: url, of: endpoint)
        return request
    }

    /// Removes the client's header fields that may be secret, if the endpoint has changed the URL to one at another origin. Fields that
    /// the endpoint sets itself stay.
    private func removeFields<T>(
        from request: inout URLRequest, madeFor url: URL, of endpoint: Endpoint<T>
    ) throws(NetworkError) {
        guard request.url != url, url.origin == baseURL.origin else { return }
        var own = URLRequest(url: url)
        try own.setFields(headers)
        for name in endpoint.headers.keys { own.setValue(nil, forHTTPHeaderField: name) }
        request.removeSecrets(of: own)
    }
}

/// The `timeoutIntervalForRequest` of a new `URLSessionConfiguration`, in seconds.
private let usualTimeout: TimeInterval = 60

/// In seconds. A stream may be silent for longer than another response.
private let streamTimeout: TimeInterval = 300
