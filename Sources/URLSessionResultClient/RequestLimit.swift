import Foundation
internal import URLSessionResultTransport

/// Middleware that lets no more than a number of requests be under way at once. The others wait, in the order in which they came.
///
/// ```swift
/// let client = APIClient(
///     baseURL: url, middleware: [Retry(), token, RequestLimit(atOnce: 4)])
/// ```
///
/// A request has its place until the end of its response, whatever that is: a stream until its body has arrived, it is cancelled or nobody
/// can read it any more. A ``Deadline`` around this middleware counts the wait, too. A call that is cancelled ends its wait at once.
///
/// Put it last, so that no request keeps a place while it waits for a ``Retry`` or for a token. A request that another one sends while it
/// has a place, such as a refresh, needs none: it would wait for itself.
public struct RequestLimit: RequestMiddleware {
    /// The maximum number of requests at once.
    public let atOnce: Int

    /// The maximum number of requests to one host at once, or `nil` if there is no other limit.
    public let perHost: Int?

    let places: RequestPlaces

    @TaskLocal private static var held: Set<ObjectIdentifier> = []

    /// Creates the middleware. Its copies share the places.
    ///
    /// - Parameters:
    ///   - atOnce: The maximum number of requests at once, at least 1.
    ///   - perHost: The maximum number of requests to one host at once, at least 1. Requests that wait for their host are overtaken by those
    ///     to other hosts.
    public init(atOnce: Int, perHost: Int? = nil) {
        self.atOnce = max(1, atOnce)
        self.perHost = perHost.map { max(1, $0) }
        places = RequestPlaces(self.atOnce, perHost: self.perHost)
    }

    /// Sends the request when there is a place for it.
    public func response<Body: Sendable>(
        for request: URLRequest, next: @escaping SendRequest<Body>
    ) async -> Result<NetworkResponse<Body>, NetworkError> {
        let id = ObjectIdentifier(places)
        guard !Self.held.contains(id) else { return await next(request) }
        let host = perHost == nil ? "" : request.url?.host?.lowercased() ?? ""
        guard await places.take(for: host) else { return .failure(.transportError(code: .cancelled)) }
        let result = await Self.$held.withValue(Self.held.union([id])) { await next(request) }
        if case .success(let response) = result, let stream = response.body as? ResponseBytes {
            stream.whenOver { [places] in places.giveBack(of: host) }
        } else {
            places.giveBack(of: host)
        }
        return result
    }
}
