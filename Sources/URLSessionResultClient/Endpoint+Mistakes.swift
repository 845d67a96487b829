import Foundation

// What the compiler says to common mistakes, in place of a message that does not help. `Tests/Mistakes` has them.

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
        body: RequestBody? = nil, as type: Value.Type = Value.self, at keyPath: String = "",
        accepting codes: some StatusCodes = 200..<300
    ) {
        self.init(method, "\(path: path)", query: query, headers: headers, body: body, at: keyPath, accepting: codes)
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

extension Endpoint where Value: Decodable & SendableMetatype {
    /// Not available: a dictionary has no order, and the same values are to make the same URL.
    @available(*, unavailable, message: "Write QueryItems(sortedByName: values): a dictionary has no order.")
    @_disfavoredOverload @_documentation(visibility: internal)
    public init(
        _ method: HTTPMethod, _ path: EndpointPath, query: [String: some RequestValue],
        headers: [String: String] = [:], body: RequestBody? = nil, as type: Value.Type = Value.self,
        at keyPath: String = "", accepting codes: some StatusCodes = 200..<300
    ) {
        self.init(method, path, headers: headers, body: body, at: keyPath, accepting: codes)
    }

    /// Not available: a value may be sent as JSON or as a form.
    @available(
        *, unavailable,
        message: "Write .json(value), .form(encoding: value) or .data(bytes, contentType: type): a value has no format."
    )
    @_disfavoredOverload @_documentation(visibility: internal)
    public init(
        _ method: HTTPMethod, _ path: EndpointPath, query: QueryItems = [:], headers: [String: String] = [:],
        body: some Encodable, as type: Value.Type = Value.self, at keyPath: String = "",
        accepting codes: some StatusCodes = 200..<300
    ) {
        self.init(method, path, query: query, headers: headers, at: keyPath, accepting: codes)
    }

    /// Not available: success has a collection of status codes.
    @available(*, unavailable, message: "Write the status code in brackets, as in [201].")
    @_disfavoredOverload @_documentation(visibility: internal)
    public init(
        _ method: HTTPMethod, _ path: EndpointPath, query: QueryItems = [:], headers: [String: String] = [:],
        body: RequestBody? = nil, as type: Value.Type = Value.self, at keyPath: String = "", accepting code: Int
    ) {
        self.init(method, path, query: query, headers: headers, body: body, at: keyPath, accepting: [code])
    }
}

extension Endpoint where Value == Void {
    /// Not available: a dictionary has no order, and the same values are to make the same URL.
    @available(*, unavailable, message: "Write QueryItems(sortedByName: values): a dictionary has no order.")
    @_disfavoredOverload @_documentation(visibility: internal)
    public init(
        _ method: HTTPMethod, _ path: EndpointPath, query: [String: some RequestValue],
        headers: [String: String] = [:], body: RequestBody? = nil, accepting codes: some StatusCodes = 200..<300
    ) {
        self.init(method, path, headers: headers, body: body, accepting: codes)
    }

    /// Not available: a value may be sent as JSON or as a form.
    @available(
        *, unavailable,
        message: "Write .json(value), .form(encoding: value) or .data(bytes, contentType: type): a value has no format."
    )
    @_disfavoredOverload @_documentation(visibility: internal)
    public init(
        _ method: HTTPMethod, _ path: EndpointPath, query: QueryItems = [:], headers: [String: String] = [:],
        body: some Encodable, accepting codes: some StatusCodes = 200..<300
    ) {
        self.init(method, path, query: query, headers: headers, accepting: codes)
    }

    /// Not available: success has a collection of status codes.
    @available(*, unavailable, message: "Write the status code in brackets, as in [201].")
    @_disfavoredOverload @_documentation(visibility: internal)
    public init(
        _ method: HTTPMethod, _ path: EndpointPath, query: QueryItems = [:], headers: [String: String] = [:],
        body: RequestBody? = nil, accepting code: Int
    ) {
        self.init(method, path, query: query, headers: headers, body: body, accepting: [code])
    }
}
