import Foundation
internal import URLSessionResultTransport

/// Middleware that changes each request, for example with an API key or a signature.
///
/// ```swift
/// let key = RequestAdapter(for: api) { request in
///     request.setValue(apiKey, forHTTPHeaderField: "X-Api-Key")
/// }
/// ```
///
/// As the last middleware of a client, it changes each attempt.
public struct RequestAdapter: RequestMiddleware {
    private let origin: Origin?
    private let change: @Sendable (inout URLRequest) async throws -> Void

    /// Creates the middleware.
    ///
    /// - Parameters:
    ///   - api: A URL with the scheme, host and port whose requests are changed, or `nil` for all requests. With a URL,
    ///     a redirect to another origin takes along only the header fields that describe the wanted content.
    ///   - change: A function that changes a request. If it throws, nothing is sent. A `NetworkError` is the result as it is,
    ///     a `URLError` becomes `NetworkError.transportError`, a `CancellationError` `URLError.cancelled`, and any other error
    ///     `NetworkError.encodingError`.
    public init(for api: URL? = nil, _ change: @escaping @Sendable (inout URLRequest) async throws -> Void) {
        origin = api?.origin
        self.change = change
    }

    /// Changes the request and sends it.
    public func response<Body: Sendable>(
        for request: URLRequest, next: @escaping SendRequest<Body>
    ) async -> Result<NetworkResponse<Body>, NetworkError> {
        guard origin == nil || origin == request.url?.origin else { return await next(request) }
        var request = request
        do {
            try await change(&request)
        } catch {
            return .failure(NetworkError(preparing: error))
        }
        guard origin != nil else { return await next(request) }
        // Without a client, too, a redirect takes what is for this origin to no other.
        return await RedirectedFields.$current.withValue(.descriptive) { [request] in await next(request) }
    }
}
