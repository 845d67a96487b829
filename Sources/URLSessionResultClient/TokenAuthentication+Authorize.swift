import Foundation

extension TokenAuthentication {
    /// Creates the middleware with a function that puts the token into a request: as a query item or a signature, for example.
    ///
    /// ```swift
    /// let key = TokenAuthentication(
    ///     AccessToken(secret), for: api,
    ///     authorize: { token, request in
    ///         let item = URLQueryItem(name: "key", value: token.value)
    ///         // From macOS 13 and iOS 16 on.
    ///         request.url?.append(queryItems: [item])
    ///     })
    /// ```
    ///
    /// - Parameters:
    ///   - token: The first token. Without one, the first request waits for `refresh`.
    ///   - api: A URL of the API. Other origins don't get the token.
    ///   - others: URLs of the API at other origins.
    ///   - margin: How many seconds before its expiry a token is refreshed.
    ///   - authorize: A function that changes each request to the API, also one that is authorized already. If it throws, nothing is sent:
    ///     the result is that of ``RequestAdapter``.
    ///   - refresh: A function that gets another token. Without one, a 401 is the result.
    ///   - isRefusal: A function that tells whether an error means that the server rejects the token. Status codes that the endpoint
    ///     accepts are no error.
    public convenience init(
        _ token: AccessToken? = nil, for api: URL, _ others: URL..., refreshingBefore margin: TimeInterval = 60,
        authorize: @escaping @Sendable (_ token: AccessToken, _ request: inout URLRequest) throws -> Void,
        refresh: Refresh? = nil,
        isRefusal: @escaping @Sendable (_ error: NetworkError) -> Bool = { $0.statusCode == 401 }
    ) {
        let store = TokenStore(token, margin: margin, refresh: refresh, now: { Date() }, start: startTask)
        self.init(for: [api] + others, header: nil, authorize: authorize, isRefusal: isRefusal, store: store)
    }
}
