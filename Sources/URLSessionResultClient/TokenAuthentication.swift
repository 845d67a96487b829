import Foundation
internal import URLSessionResultTransport

/// Middleware that sends a token with each request to an API, and refreshes the token once for all requests that need another one.
///
/// ```swift
/// let token = TokenAuthentication(
///     AccessToken(keychain.accessToken), for: api
/// ) { _ in
///     await auth.result(for: .refresh(keychain.refreshToken))
///         .map { tokens in
///             keychain.save(tokens)
///             return AccessToken(tokens.access, expiry: tokens.expiry)
///         }
/// }
/// ```
///
/// After a 401 that is an error of the endpoint, the first request starts the refresh and the others wait for it. Each is then sent once
/// more. If the server rejects the new token, too, the error is `URLError.userAuthenticationRequired`, with the response beneath it as
/// `NSUnderlyingErrorKey`. A server that rejects every token gets one refresh for each token, not for each request. If a refresh fails, all
/// requests that wait for it get its error, and so do those that had got their token before and are refused later. Cancelling a request
/// ends its wait, not the refresh.
///
/// A token with an expiry is also refreshed shortly before, in the background: requests are sent with the old token while it is valid. If
/// that fails, the next attempt is at least ten seconds later, or when the token is over.
///
/// After ``signOut()``, requests have no token and nothing is refreshed until ``signIn(_:)``, whatever the result of a refresh that
/// is running. A refresh that the server answers with 400 or 401 signs out, because the refresh token is used up: the requests that wait
/// for it end with `URLError.userAuthenticationRequired`, and that answer beneath it. A request of the last
/// user is not sent again with the token of the next one, by a ``Retry`` or other middleware around this one: the error is
/// `URLError.userAuthenticationRequired`. So call ``signOut()`` before another user signs in.
///
/// The token is sent only to the origins of the API. A request that has the header field already keeps it. Requests that the refresh
/// itself sends have no token while it runs, so it may use the client that has this middleware.
public final class TokenAuthentication: RequestMiddleware {
    /// A function that gets another token.
    ///
    /// Its argument is the token that was rejected or is about to expire, or `nil` if there was none. One call runs at a time, unless
    /// somebody signs out or in meanwhile. It is not cancelled with the request that started it.
    ///
    /// Don't send a request by this middleware from `Task.detached`. Such a task is no part of the refresh, so the request would
    /// wait for the refresh, which waits for the request. Use `Task`, or a client without this middleware.
    public typealias Refresh = @Sendable (_ refused: AccessToken?) async -> Result<AccessToken, NetworkError>

    typealias Authorize = @Sendable (_ token: AccessToken, _ request: inout URLRequest) throws -> Void

    private let origins: Set<Origin>

    /// The header field of the token. A request that has it already is sent as it is. Nil if `authorize` decides where the token
    /// goes.
    private let header: String?
    private let authorize: Authorize
    private let isRefusal: @Sendable (NetworkError) -> Bool
    private let store: TokenStore

    /// Creates the middleware.
    ///
    /// - Parameters:
    ///   - token: The first token. Without one, the first request waits for `refresh`.
    ///   - api: A URL of the API. Other origins don't get the token.
    ///   - others: URLs of the API at other origins.
    ///   - header: The name of the header field for the token.
    ///   - scheme: The word before a token that has no scheme of its own, or `nil` if the field has only the token.
    ///   - margin: How many seconds before its expiry a token is refreshed.
    ///   - refresh: A function that gets another token. Without one, a 401 is the result.
    ///   - isRefusal: A function that tells whether an error means that the server rejects the token. Status codes that the endpoint
    ///     accepts are no error.
    public convenience init(
        _ token: AccessToken? = nil, for api: URL, _ others: URL..., header: String = "Authorization",
        scheme: String? = "Bearer", refreshingBefore margin: TimeInterval = 60, refresh: Refresh? = nil,
        isRefusal: @escaping @Sendable (_ error: NetworkError) -> Bool = { $0.statusCode == 401 }
    ) {
        self.init(
            token, for: [api] + others, header: header, scheme: scheme, refreshingBefore: margin, refresh: refresh,
            isRefusal: isRefusal, now: { Date() })
    }

    /// Creates the middleware with a clock, and with another way to start a refresh.
    package convenience init(
        _ token: AccessToken?, for apis: [URL], header: String = "Authorization", scheme: String? = "Bearer",
        refreshingBefore margin: TimeInterval = 60, refresh: Refresh?,
        isRefusal: @escaping @Sendable (NetworkError) -> Bool = { $0.statusCode == 401 },
        now: @escaping @Sendable () -> Date, start: @escaping StartTask = startTask
    ) {
        let authorize: Authorize = { token, request in
            let scheme = token.scheme ?? scheme
            try request.setField(header, scheme.map { "\($0) \(token.value)" } ?? token.value)
        }
        let store = TokenStore(token, margin: margin, refresh: refresh, now: now, start: start)
        self.init(for: apis, header: header, authorize: authorize, isRefusal: isRefusal, store: store)
    }

    init(
        for apis: [URL], header: String?, authorize: @escaping Authorize,
        isRefusal: @escaping @Sendable (NetworkError) -> Bool, store: TokenStore
    ) {
        origins = Set(apis.map(\.origin))
        self.header = header
        self.authorize = authorize
        self.isRefusal = isRefusal
        self.store = store
    }

    /// Takes a token, for example after the user has signed in. Requests that wait for a refresh are sent with it.
    ///
    /// - Parameter token: The token for the following requests.
    public func signIn(_ token: AccessToken) { store.signIn(token) }

    /// Forgets the token. Requests that wait for a refresh end with `NetworkError.transportError` and
    /// `URLError.userAuthenticationRequired`.
    public func signOut() { store.signOut() }

    /// Gives a request with the token, for a task without middleware, such as one in a background session.
    ///
    /// - Parameter request: The request.
    /// - Returns: The request with the token, after a refresh if there is none that is valid; or the request as it is, if it goes elsewhere, has
    ///   the header field or there is no token.
    /// - Throws: The error of the refresh or of `authorize`, or `NetworkError.encodingError` for a token with a line break; or
    ///   `NetworkError.transportError` with `URLError.cancelled` if the Swift task is cancelled while it waits.
    @concurrent
    public func authorized(_ request: URLRequest) async throws(NetworkError) -> URLRequest {
        guard needsToken(request), let grant = try await grant(for: request) else { return request }
        return try authorized(request, with: grant)
    }

    /// Sends the request with the token, and once more with another one if the server rejects that.
    public func response<Body: Sendable>(
        for request: URLRequest, next: @escaping SendRequest<Body>
    ) async -> Result<NetworkResponse<Body>, NetworkError> {
        do throws(NetworkError) {
            guard needsToken(request), let grant = try await grant(for: request) else {
                return await next(request)
            }
            let result = await send(try authorized(request, with: grant), by: next)
            guard let refusal = refusal(of: request, in: result) else { return result }
            guard let newGrant = try await store.grant(afterRefusalOf: grant) else {
                return .failure(store.error(afterRefusalOf: grant, refusal))
            }
            // The body can be read only once, so this request is not sent again. The next one has the new token.
            guard !request.isReadOnce else { return result }
            let newResult = await send(try authorized(request, with: newGrant), by: next)
            guard let newRefusal = self.refusal(of: request, in: newResult) else { return newResult }
            return .failure(store.error(afterRefusalOf: newGrant, newRefusal))
        } catch {
            return .failure(error)
        }
    }

    private func grant(for request: URLRequest) async throws(NetworkError) -> TokenGrant? {
        try await store.grant(of: Surroundings.current.call(of: request)?.user)
    }

    /// The error if it means that the server rejects the token.
    private func refusal<Body>(
        of request: URLRequest, in result: Result<NetworkResponse<Body>, NetworkError>
    ) -> NetworkError? {
        guard case .failure(let error) = result, isRefusal(error) else { return nil }
        // After a redirect to another origin, the error says nothing about the token, which was not sent there.
        guard let response = error.response else { return error }
        return response.urlResponse.url?.origin == request.url?.origin ? error : nil
    }

    /// Sends the request. A redirect takes the token to no other origin, whatever header field it is in.
    private func send<Body: Sendable>(
        _ request: URLRequest, by next: @escaping SendRequest<Body>
    ) async -> Result<NetworkResponse<Body>, NetworkError> {
        await RedirectedFields.$current.withValue(.descriptive) { await next(request) }
    }

    private func needsToken(_ request: URLRequest) -> Bool {
        isOfAPI(request.url) && !hasField(request) && !store.isWithinRefresh
    }

    private func hasField(_ request: URLRequest) -> Bool { header.flatMap(request.value(forHTTPHeaderField:)) != nil }

    private func isOfAPI(_ url: URL?) -> Bool { url.map { origins.contains($0.origin) } ?? false }

    private func authorized(_ request: URLRequest, with grant: TokenGrant) throws(NetworkError) -> URLRequest {
        var request = request
        do {
            try authorize(grant.token, &request)
        } catch {
            throw NetworkError(preparing: error)
        }
        return request
    }
}
