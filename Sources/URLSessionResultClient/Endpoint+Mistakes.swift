import Foundation

// What the compiler says to two common mistakes, in place of a message that does not help. `Tests/Mistakes` has them.

extension RequestBody {
    /// Not available: values of several types have no encoder.
    @available(*, unavailable, message: "A dictionary of several types is not Encodable. Write a struct for the body.")
    @_disfavoredOverload @_documentation(visibility: internal)
    public static func json(_ values: [String: Any]) -> RequestBody { .data(Data(), contentType: "") }
}

extension Endpoint where Value: Decodable & SendableMetatype {
    /// Not available: it would not be known whether slashes of the text separate segments.
    @available(
        *, unavailable, message: "Write EndpointPath(path: text) to keep its slashes, or \"\\(text)\" for one segment."
    )
    @_disfavoredOverload @_documentation(visibility: internal)
    public init(
        _ method: HTTPMethod, _ path: String, query: QueryItems = [:], headers: [String: String] = [:],
        body: RequestBody? = nil, accepting codes: some StatusCodes = 200..<300, as type: Value.Type = Value.self,
        at keyPath: String = ""
    ) {
        self.init(method, "\(path: path)", query: query, headers: headers, body: body, accepting: codes, at: keyPath)
    }
}

extension Endpoint where Value == Void {
    /// Not available: it would not be known whether slashes of the text separate segments.
    @available(
        *, unavailable, message: "Write EndpointPath(path: text) to keep its slashes, or \"\\(text)\" for one segment."
    )
    @_disfavoredOverload @_documentation(visibility: internal)
    public init(
        _ method: HTTPMethod, _ path: String, query: QueryItems = [:], headers: [String: String] = [:],
        body: RequestBody? = nil, accepting codes: some StatusCodes = 200..<300
    ) {
        self.init(method, "\(path: path)", query: query, headers: headers, body: body, accepting: codes)
    }
}
