import Foundation

extension TokenAuthentication {
    /// Not available: a token may have an expiry or a scheme.
    @available(*, unavailable, message: "Write AccessToken(text): only a literal is a token by itself.")
    @_disfavoredOverload @_documentation(visibility: internal)
    public convenience init(
        _ token: String?, for api: URL, _ others: URL..., header: String = "Authorization",
        scheme: String? = "Bearer", refreshingBefore margin: TimeInterval = 60, refresh: Refresh? = nil,
        isRefusal: @escaping @Sendable (_ error: NetworkError) -> Bool = { $0.statusCode == 401 }
    ) {
        self.init(
            token.map { AccessToken($0) }, for: [api] + others, header: header, scheme: scheme,
            refreshingBefore: margin, refresh: refresh, isRefusal: isRefusal, now: { Date() })
    }
}
