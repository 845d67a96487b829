import Foundation
internal import URLSessionResultTransport

/// Middleware that lets no more than a number of requests be under way at once. The others wait, in the order in which they came.
///
/// ```swift
/// let client = APIClient(
///     baseURL: url, middleware: [Retry(), token, RequestLimit(atOnce: 4)])
/// ```
///
/// A request keeps its place until its response has ended. A stream ends when its body has arrived, when it is cancelled, or when
/// nobody can read it any more. A ``Deadline`` around this middleware counts the wait, too. A call that is cancelled ends its wait
/// at once.
///
/// Put it last, so that no request keeps a place while it waits for a ``Retry`` or for a token. A request needs no place if it is
/// sent within a request that has one, or within a refresh or a joined call (``Deduplication``) that such a request waits for.
/// Otherwise it would wait for itself. Once the outer request has given its place back, the inner one needs a place.
///
/// To limit the connections to a host, use `httpMaximumConnectionsPerHost` of the session's configuration.
public struct RequestLimit: RequestMiddleware {
    /// The maximum number of requests at once.
    public let atOnce: Int

    let places: RequestPlaces

    /// Creates the middleware. Its copies share the places.
    ///
    /// - Parameter atOnce: The maximum number of requests at once, at least 1.
    public init(atOnce: Int) {
        self.atOnce = max(1, atOnce)
        places = RequestPlaces(self.atOnce)
    }

    /// Sends the request when there is a place for it.
    public func response<Body: Sendable>(
        for request: URLRequest, next: @escaping SendRequest<Body>
    ) async -> Result<NetworkResponse<Body>, NetworkError> {
        let surroundings = Surroundings.current.withinCall(of: request)
        switch await places.admission(within: surroundings) {
        case nil:
            return .failure(.transportError(code: .cancelled))
        case .noPlaceNeeded:
            return await next(request)
        case .place(let place):
            let result = await surroundings.within(place).run { await next(request) }
            if case .success(let response) = result, let stream = response.body as? ResponseBytes {
                stream.whenOver { place.giveBack() }
            } else {
                place.giveBack()
            }
            return result
        }
    }
}
