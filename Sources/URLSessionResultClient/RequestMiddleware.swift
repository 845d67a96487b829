import Foundation
internal import URLSessionResultTransport

/// A function that sends a request and gives the response, as every `async` method of `URLSessionResult` can be one.
///
/// Use this name in the signature of your middleware. Spelled out without `@concurrent`, the type is another one in a module with
/// the feature `NonisolatedNonsendingByDefault`.
public typealias SendRequest<Body> =
    @concurrent @Sendable (URLRequest) async -> Result<NetworkResponse<Body>, NetworkError>

/// Code around a request, which may change the request, send it later, again or not at all, and look at the response.
///
/// ``Retry``, ``TokenAuthentication``, ``Deadline``, ``Deduplication``, ``RequestLimit``, ``RequestAdapter`` and ``RequestLog`` are
/// middleware. The first element of an ``APIClient``'s list is the outermost:
///
/// ```swift
/// let client = APIClient(
///     baseURL: url,
///     middleware: [Deadline(seconds: 60), Retry(), token, log])
/// ```
///
/// Middleware also works without a client, around any function that sends a request, for data, a file or a stream:
///
/// ```swift
/// let result = await Retry().response(for: request) { request in
///     await session.downloadResponse(for: request, to: file)
/// }
/// ```
///
/// To write your own, call `next` with the request to send:
///
/// ```swift
/// struct RequestID: RequestMiddleware {
///     func response<Body: Sendable>(
///         for request: URLRequest, next: @escaping SendRequest<Body>
///     ) async -> Result<NetworkResponse<Body>, NetworkError> {
///         var request = request
///         request.setValue(
///             UUID().uuidString, forHTTPHeaderField: "X-Request-ID")
///         return await next(request)
///     }
/// }
/// ```
///
/// If middleware of a client sends the request to another origin, only the header fields go along that it sets itself or that describe
/// the wanted content.
public protocol RequestMiddleware: Sendable {
    /// Gives the response to a request.
    ///
    /// - Parameters:
    ///   - request: The request, as the middleware around this one has changed it.
    ///   - next: A function that sends a request. You may call it any number of times, even at the same time. It returns early when the
    ///     Swift task is cancelled. In a client, a request without a URL is `NetworkError.transportError` with `URLError.badURL`.
    /// - Returns: The response for the caller. Its body is `Data` for a call, `URL` for a download and `ResponseBytes` for a stream.
    ///   Values are decoded outside of all middleware.
    func response<Body: Sendable>(
        for request: URLRequest, next: @escaping SendRequest<Body>
    ) async -> Result<NetworkResponse<Body>, NetworkError>
}

extension [any RequestMiddleware] {
    /// The function with all middleware around it.
    ///
    /// - Parameters:
    ///   - call: The call that the requests are of. Other requests that middleware sends are no part of it.
    ///   - send: The function.
    /// - Returns: The function with the middleware.
    func around<Body: Sendable>(_ call: ClientCall, _ send: @escaping SendRequest<Body>) -> SendRequest<Body> {
        reversed().reduce(send) { next, middleware in
            { request in
                await middleware.response(for: request) { changed in
                    guard changed.url != nil else { return .failure(.transportError(code: .badURL)) }
                    var changed = changed
                    changed.removeSecrets(of: request)
                    let surroundings = Surroundings.current
                    guard !surroundings.isWithin(call, sending: changed) else { return await next(changed) }
                    return await surroundings.goingOn(with: call, sending: changed).run { [changed] in
                        await next(changed)
                    }
                }
            }
        }
    }
}
