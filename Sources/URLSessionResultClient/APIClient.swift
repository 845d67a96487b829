import Foundation

/// A client for one API, which sends its endpoints.
///
/// ```swift
/// let client = APIClient(
///     baseURL: url, headers: ["User-Agent": "Albums/1.0"],
///     middleware: [Retry(), TokenAuthentication(token, for: url)])
/// let albums = await client.result(
///     for: .albums(by: "Joni Mitchell"))
/// ```
///
/// A client is a value that is cheap to copy. To send a few requests differently, change a copy:
///
/// ```swift
/// var plain = client
/// plain.middleware = []
/// ```
///
/// The header fields of the client are sent only to the scheme, host and port of ``baseURL``, and the token of a
/// ``TokenAuthentication`` to those of the URLs that it is for. A redirect or a `Link` to another origin keeps only header fields that describe the wanted content: `Accept…`,
/// `Content-…`, `If-…`, `Range`, `User-Agent`, `Cache-Control` and `Last-Event-ID`.
public struct APIClient: Sendable {
    /// The URL that paths are relative to. If it has a query, each request by such a path has that query, too.
    public var baseURL: URL

    /// The session that sends the requests.
    public var session: URLSession

    /// The header fields of each request. A `Content-Type` is for bodies of JSON: a form, data or a file has its own. A request without a
    /// body has the field, too.
    public var headers: [String: String]

    /// The encoder for JSON bodies, and for forms of a value. Don't change its options while a client uses it.
    public var encoder: JSONEncoder {
        get { coders.encoder }
        set { coders.encoder = newValue }
    }

    /// The decoder for JSON responses. Every decoder for JSON without `using:` takes it, also within `.response(_:)` and in a
    /// stream of values. Don't change its options while a client uses it.
    ///
    /// Your own code has to pass it: give `using: client.decoder` to `NetworkError.body(with:)`, for example.
    public var decoder: JSONDecoder {
        get { coders.decoder }
        set { coders.decoder = newValue }
    }

    /// The middleware around each request. The first one is the outermost.
    public var middleware: [any RequestMiddleware]

    /// The maximum size in bytes of a response body that is read into memory, or `nil` for no limit.
    ///
    /// The size counts after a content encoding such as gzip is removed. A longer body is cancelled as soon as it exceeds the maximum:
    /// the error is `NetworkError.transportError` with `URLError.dataLengthExceedsMaximum`. Downloads and streams have no limit.
    /// With a maximum, whatever it is, the body of an error response is cut at 1 MiB, and after two seconds.
    ///
    /// With a maximum, a `progress:` function is not always called on the session's delegate queue.
    public var maximumBodySize: Int?

    private var coders: JSONCoders

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - baseURL: The URL that paths are relative to, such as `https://api.example.com/v1`.
    ///   - session: The session that sends the requests.
    ///   - headers: The header fields of each request, as in ``headers``.
    ///   - encoder: The encoder for JSON bodies, and for forms of a value.
    ///   - decoder: The decoder for JSON responses.
    ///   - middleware: The middleware around each request. The first one is the outermost.
    ///   - maximumBodySize: The maximum size in bytes of a response body that is read into memory.
    public init(
        baseURL: URL, session: URLSession = .shared, headers: [String: String] = [:],
        encoder: JSONEncoder = JSONEncoder(), decoder: JSONDecoder = JSONDecoder(),
        middleware: [any RequestMiddleware] = [], maximumBodySize: Int? = nil
    ) {
        self.baseURL = baseURL
        self.session = session
        self.headers = headers
        self.middleware = middleware
        self.maximumBodySize = maximumBodySize
        coders = JSONCoders(encoder: encoder, decoder: decoder)
    }
}

/// Unchecked, because Foundation declares both `Sendable` from macOS 13 and iOS 16 on only. On older systems, too, coding only reads
/// their options, which the documentation asks the caller not to change.
private struct JSONCoders: @unchecked Sendable {
    var encoder: JSONEncoder
    var decoder: JSONDecoder
}
