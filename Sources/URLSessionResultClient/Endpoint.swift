import Foundation

/// A call of an API as a value: what is sent, and how the response is decoded.
///
/// Describe an API as a list of endpoints:
///
/// ```swift
/// extension Endpoint where Value == [Album] {
///     static func albums(by artist: String) -> Endpoint {
///         Endpoint(.get, "albums", query: ["artist": artist])
///     }
/// }
///
/// extension Endpoint where Value == Void {
///     static func put(_ album: Album) -> Endpoint {
///         Endpoint(
///             .put, "albums/\(album.id)", body: .json(album))
///     }
/// }
///
/// let albums = await client.result(
///     for: .albums(by: "Joni Mitchell"))
/// ```
///
/// An ``APIClient`` sends it. Before that, nothing is encoded.
public struct Endpoint<Value: Sendable>: Sendable {
    /// The method of the request.
    public var method: HTTPMethod

    /// The path of the resource.
    public var path: EndpointPath

    /// The items that are added to the query of the base URL.
    public var query: QueryItems

    /// The header fields of this request. They replace those of the client.
    public var headers: [String: String]

    /// The body of the request, or `nil` if it has none.
    public var body: RequestBody?

    /// The HTTP status codes that count as success.
    public var acceptedStatusCodes: [Int]

    /// The changes of ``configured(_:)``.
    var configure: @Sendable (inout URLRequest) -> Void = { _ in }

    let decoder: ResultDecoder<Value>

    /// Whether the request accepts JSON.
    private(set) var acceptsJSON = false

    /// Creates an endpoint whose response is read by a decoder.
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - path: The path, relative to the base URL of the client.
    ///   - query: The items to add to the query.
    ///   - headers: The header fields of this request.
    ///   - body: The body of the request.
    ///   - decoder: The decoder for the body of the response, such as `.data` or `.response(.string())`. A decoder for JSON
    ///     without `using:` uses the `JSONDecoder` of the client.
    ///   - codes: The HTTP status codes that count as success, such as `[200, 404]`.
    public init(
        _ method: HTTPMethod, _ path: EndpointPath, query: QueryItems = [:], headers: [String: String] = [:],
        body: RequestBody? = nil, decoder: ResultDecoder<Value>, accepting codes: some StatusCodes = 200..<300
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        acceptedStatusCodes = codes.listed
        self.decoder = decoder
    }
}

extension Endpoint where Value: Decodable & SendableMetatype {
    /// Creates an endpoint whose response is JSON, read by the decoder of the client.
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - path: The path, relative to the base URL of the client.
    ///   - query: The items to add to the query.
    ///   - headers: The header fields of this request. `Accept` is `application/json`, unless these or the client's have another one.
    ///   - body: The body of the request.
    ///   - type: The type of the value. `Data` is read from a JSON string: for the bytes of the body, use `decoder: .data`.
    ///   - keyPath: The path to the value within the document, as in `ResultDecoder.json(_:at:using:)`.
    ///   - codes: The HTTP status codes that count as success, such as `[200, 404]`.
    public init(
        _ method: HTTPMethod, _ path: EndpointPath, query: QueryItems = [:], headers: [String: String] = [:],
        body: RequestBody? = nil, as type: Value.Type = Value.self, at keyPath: String = "",
        accepting codes: some StatusCodes = 200..<300
    ) {
        self.init(
            method, path, query: query, headers: headers, body: body, decoder: .json(at: keyPath), accepting: codes)
        acceptsJSON = true
    }
}

extension Endpoint where Value == Void {
    /// Creates an endpoint whose response has no body that matters.
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - path: The path, relative to the base URL of the client.
    ///   - query: The items to add to the query.
    ///   - headers: The header fields of this request.
    ///   - body: The body of the request.
    ///   - codes: The HTTP status codes that count as success, such as `[200, 404]`.
    public init(
        _ method: HTTPMethod, _ path: EndpointPath, query: QueryItems = [:], headers: [String: String] = [:],
        body: RequestBody? = nil, accepting codes: some StatusCodes = 200..<300
    ) {
        self.init(method, path, query: query, headers: headers, body: body, decoder: .ignored, accepting: codes)
    }
}

extension Endpoint {
    /// Creates an endpoint from one with another value.
    init<Other>(_ other: Endpoint<Other>, decoder: ResultDecoder<Value>) {
        method = other.method
        path = other.path
        query = other.query
        headers = other.headers
        body = other.body
        acceptedStatusCodes = other.acceptedStatusCodes
        configure = other.configure
        self.decoder = decoder
        acceptsJSON = other.acceptsJSON
    }
}
