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
/// A call that is sent from within another call, a refresh or a place of a ``RequestLimit`` joins only calls that are sent from there, too.
/// A call outside may wait for what it is part of.
///
/// A call that is cancelled ends at once. The request is cancelled when nobody waits for it any more. Every `progress:` function is
/// called, from the time on at which its call has joined.
///
/// Without a client, use one value for functions that do the same: it cannot compare them.
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
        // Only to the compiler it is another type.
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

    /// A call that waits for what this one is part of is outside.
    private let outside: Surroundings.ID?

    /// Who has sent the attempts before. A joined call has one user.
    private let signOuts: [ObjectIdentifier: Int]

    // FoundationNetworking compares none of these.
    private let fields: [String: String]?
    private let body: Data?
    private let timeout: TimeInterval

    /// That of the URL, which takes long to hash.
    private let hash: Int

    /// Nil for a request that is sent alone.
    init?(_ request: URLRequest, of call: ClientCall) {
        // A stream can be read only once.
        guard let conditions = call.conditions, request.httpBodyStream == nil else { return nil }
        self.request = request
        self.conditions = conditions
        outside = call.outside
        signOuts = call.user.signOuts
        fields = request.allHTTPHeaderFields
        body = request.httpBody
        timeout = request.timeoutInterval
        hash = request.url.hashValue
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
