import Foundation

extension APIClient {
    /// Not available: without it, the compiler has no message for `[Retry, RequestLog]`. `Tests/Mistakes` has what it says now.
    @available(*, unavailable, message: "Write Retry(), with parentheses: middleware is a value, not a type.")
    @_disfavoredOverload @_documentation(visibility: internal)
    public init(
        baseURL: URL, session: URLSession = .shared, headers: [String: String] = [:],
        encoder: JSONEncoder = JSONEncoder(), decoder: JSONDecoder = JSONDecoder(),
        middleware: [any RequestMiddleware.Type], maximumBodySize: Int? = nil
    ) {
        self.init(baseURL: baseURL, session: session, headers: headers, encoder: encoder, decoder: decoder)
    }
}
