import Foundation
internal import URLSessionResultJSON
internal import URLSessionResultTransport

/// A function that turns a response into a value: made once, kept in a constant, passed with a leading dot.
///
/// ```swift
/// extension ResultDecoder where T == [Album] {
///     nonisolated static let albums = ResultDecoder.json().map { albums in
///         albums.sorted { $0.year < $1.year }
///     }
/// }
///
/// let result = await session.dataResult(from: url, decoder: .albums)
/// ```
///
/// Creating a decoder costs little, but not nothing. Keep a decoder that you use often in a constant.
public struct ResultDecoder<T>: Sendable {
    let transform: @Sendable (ReceivedBody) throws -> T

    /// Whether the value is made of the whole response. Then the metrics of the request are collected, too.
    private let takesResponse: Bool

    /// Creates a decoder from a function of the body.
    ///
    /// - Parameter transform: A function that turns the bytes of a body into a value. An error that it throws becomes
    ///   ``NetworkError/decodingError(_:response:)``; a `NetworkError` stays what it is. Tasks with a handler call it on
    ///   the session's delegate queue, `async` methods off the caller's actor, and the methods that decode what you have already
    ///   received where you call them. The same holds for every other function that a decoder is made of.
    public init(_ transform: @escaping @Sendable (Data) throws -> T) {
        self.transform = { received in try transform(received.data) }
        takesResponse = false
    }

    /// Creates a decoder from a function of the body and, if there is one, its response.
    ///
    /// Disfavored, because a trailing closure would fit both initializers.
    @_disfavoredOverload
    init(
        takingResponse takesResponse: Bool = false,
        ofReceivedBody transform: @escaping @Sendable (ReceivedBody) throws -> T
    ) {
        self.transform = transform
        self.takesResponse = takesResponse
    }

    /// Where a task for this decoder puts its metrics, or nil if nobody asks for them.
    var metricsToCollect: CollectedMetrics? { takesResponse ? CollectedMetrics(nil) : nil }

    /// Decodes the body of a success. A failure passes through untouched.
    ///
    /// - Parameter result: The result of a request for bytes.
    /// - Returns: The value, the given failure, or ``NetworkError/decodingError(_:response:)``. A decoder that needs the
    ///   response fails, because a `DataResult` has none.
    public func decode(_ result: DataResult) -> Result<T, NetworkError> {
        decode(received: result.map { data in ReceivedBody(data: data, response: nil) })
    }

    func decode(received result: Result<ReceivedBody, NetworkError>) -> Result<T, NetworkError> {
        result.flatMap { received in decode(received: received) }
    }

    func decode(received: ReceivedBody) -> Result<T, NetworkError> {
        do {
            return .success(try transform(received))
        } catch {
            return .failure(received.decodingError(error))
        }
    }

    /// Creates a decoder that transforms the value of this decoder.
    ///
    /// - Parameter transform: A function that turns the decoded value into another one.
    /// - Returns: A decoder that does both.
    public func map<U>(_ transform: @escaping @Sendable (T) throws -> U) -> ResultDecoder<U> {
        ResultDecoder<U>(
            takingResponse: takesResponse,
            ofReceivedBody: { [decode = self.transform] received in
                try transform(decode(received))
            })
    }
}

extension ResultDecoder {
    /// A decoder whose value is nil for an empty body.
    package var orNilIfEmpty: ResultDecoder<T?> {
        ResultDecoder<T?>(
            takingResponse: takesResponse,
            ofReceivedBody: { [transform] received in
                received.data.isEmpty ? nil : try transform(received)
            })
    }
}

// MARK: The response

extension ResultDecoder {
    /// Creates a decoder from a function of the whole response, for a value that depends on headers or the status code.
    ///
    /// ```swift
    /// let nextPage = ResultDecoder.response { response in
    ///     response.header("Link")
    /// }
    /// ```
    ///
    /// - Parameter transform: A function that turns the response into a value. What it decodes itself, by
    ///   ``NetworkResponse/decode(with:)``, is not decoded by the `JSONDecoder` of a client.
    /// - Returns: The decoder. Without a response (see ``decode(_:)``) the result is
    ///   ``NetworkError/decodingError(_:response:)``.
    public static func response(
        _ transform: @escaping @Sendable (NetworkResponse<Data>) throws -> T
    ) -> ResultDecoder {
        ResultDecoder(
            takingResponse: true,
            ofReceivedBody: { received in
                guard let response = received.networkResponse else { throw MissingResponseError() }
                return try transform(response)
            })
    }

    /// Creates a decoder that gives the value of another decoder together with the status code and the headers.
    ///
    /// ```swift
    /// let result = await session.dataResult(
    ///     from: url, decoder: .response(.json(Album.self)))
    /// if case .success(let response) = result {
    ///     print(response.body, response.header("ETag") ?? "no tag")
    /// }
    /// ```
    ///
    /// - Parameter decoder: The decoder for the body.
    /// - Returns: The decoder. Without a response it fails as ``response(_:)-((NetworkResponse<Data>)->T)`` does.
    public static func response<Body>(
        _ decoder: ResultDecoder<Body>
    ) -> ResultDecoder where T == NetworkResponse<Body> {
        ResultDecoder(
            takingResponse: true,
            ofReceivedBody: { received in
                guard let response = received.networkResponse else { throw MissingResponseError() }
                let value = try decoder.transform(received)
                return response.map { _ in value }
            })
    }
}

/// The error of a decoder that needs a response and is given bytes alone.
struct MissingResponseError: Error {}

// MARK: Bytes

extension ResultDecoder {
    /// Creates a decoder from an initializer that takes `Data` and may fail.
    ///
    /// ```swift
    /// let image = ResultDecoder.binary(UIImage.init(data:))
    /// ```
    ///
    /// - Parameter make: A function that turns the body into a value. If it returns `nil`, the result is
    ///   ``NetworkError/decodingError(_:response:)`` with a `DecodingError` that names the type.
    /// - Returns: The decoder.
    public static func binary(_ make: @escaping @Sendable (Data) throws -> T?) -> ResultDecoder {
        ResultDecoder { data in
            if let value = try make(data) { return value }
            throw DecodingError.typeMismatch(T.self, .init(codingPath: [], debugDescription: "Found other bytes."))
        }
    }
}

extension ResultDecoder where T == Data {
    /// A decoder that gives the body as it came.
    public static var data: ResultDecoder { ResultDecoder { data in data } }
}

extension ResultDecoder where T == Void {
    /// A decoder that ignores the body, for when only success matters. Any body is accepted, even an empty one.
    public static var ignored: ResultDecoder { ResultDecoder { _ in } }
}

/// The body of a successful transfer and, if there is one, its response: what a decoder reads.
struct ReceivedBody: Sendable {
    let data: Data
    let response: URLResponse?

    /// The `JSONDecoder` of the client that received the body, or nil. It decodes JSON unless the `ResultDecoder` has its own.
    var jsonDecoder: SharedJSONDecoder?

    /// Nil if nobody has asked for them.
    var metrics: CollectedMetrics?

    var networkResponse: NetworkResponse<Data>? {
        response.map { NetworkResponse(body: data, urlResponse: $0, collecting: metrics) }
    }

    /// The error of a decoder. A `NetworkError` stays what it is.
    func decodingError(_ error: any Error) -> NetworkError {
        error as? NetworkError ?? .decodingError(error, response: networkResponse)
    }
}
