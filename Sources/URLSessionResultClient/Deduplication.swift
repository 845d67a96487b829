import Foundation
internal import URLSessionResultTransport

/// Middleware that sends equal requests that are under way at the same time once, and gives the response to all of them.
///
/// ```swift
/// let client = APIClient(
///     baseURL: url, middleware: [Retry(), token, Deduplication()])
/// ```
///
/// Requests are equal if their method, URL, header fields, body and options are. Calls of a client also need the same session, status
/// codes and ``APIClient/maximumBodySize``. Only calls whose response is read into memory are joined, never a download, a stream, an upload
/// of a file or a form, or ``APIClient/send(_:by:)``.
///
/// Put it after ``TokenAuthentication``, so that the token is compared, too. Then a request after a sign-out never gets the response of
/// the user before. What stands after it runs once for all, such as a ``Retry``.
///
/// A call that is sent from within another call, a refresh or a place of a ``RequestLimit`` joins only calls that are sent from
/// there, too. A call from elsewhere may wait for the work that this one is part of. Then neither of them would end.
///
/// A call that is cancelled ends at once. The request is cancelled when nobody waits for it any more. Every `progress:` function is
/// called, from the time on at which its call has joined.
///
/// Without a client, use one value only for functions that send requests in the same way: it compares requests, and not functions.
public struct Deduplication: RequestMiddleware {
    /// The methods of the requests that are joined.
    public let methods: Set<HTTPMethod>

    let calls: CallsUnderWay

    /// Creates the middleware. Its copies join the same requests.
    ///
    /// - Parameter methods: The methods of the requests that are joined. A server may act on each of several equal requests by other
    ///   methods.
    public init(methods: Set<HTTPMethod> = [.get, .head]) {
        self.init(methods: methods) { operation in Task { await operation() } }
    }

    /// Creates the middleware with another way to start a request.
    init(
        methods: Set<HTTPMethod> = [.get, .head],
        start: @escaping CallsUnderWay.Start
    ) {
        self.methods = methods
        calls = CallsUnderWay(start: start)
    }

    /// Sends the request, or waits for the response to an equal one that is under way.
    public func response<Body: Sendable>(
        for request: URLRequest, next: @escaping SendRequest<Body>
    ) async -> Result<NetworkResponse<Body>, NetworkError> {
        let surroundings = Surroundings.current.withinCall(of: request)
        guard Body.self == Data.self, methods.contains(request.method), let call = surroundings.call(of: request),
            let key = CallKey(request, of: call)
        else { return await next(request) }
        let result = await calls.result(of: key, for: call, within: surroundings) {
            await next(request).map { $0.map { $0 as? Data ?? Data() } }
        }
        // `Body` is `Data`, as checked above, but the compiler does not know it.
        return result.flatMap { response in
            guard let body = response.body as? Body else { return .failure(.noData) }
            return .success(response.map { _ in body })
        }
    }
}

/// What has to be equal for requests to be sent once.
struct CallKey: Hashable {
    private let request: URLRequest
    private let conditions: ClientCall.Conditions

    /// What the call was sent from within. A call from elsewhere may wait for that, and must not be joined.
    private let enclosing: Surroundings.ID?

    /// The sign-outs before the first attempt of the call. Calls of different users are not joined.
    private let signOuts: [ObjectIdentifier: Int]

    // FoundationNetworking ignores these when it compares requests.
    private let fields: [String: String]?
    private let body: Data?
    private let timeout: TimeInterval

    /// The hash of the URL. It is kept, because a URL takes long to hash.
    private let hash: Int

    /// Is nil for a request that is never joined with others.
    init?(_ request: URLRequest, of call: ClientCall) {
        // A stream can be read only once.
        guard let conditions = call.conditions, request.httpBodyStream == nil else { return nil }
        self.request = request
        self.conditions = conditions
        enclosing = call.enclosing
        signOuts = call.user.signOuts
        fields = request.allHTTPHeaderFields
        body = request.httpBody
        timeout = request.timeoutInterval
        hash = request.url.hashValue
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
