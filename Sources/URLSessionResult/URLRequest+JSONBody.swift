import Foundation

extension URLRequest {
    /// Creates a request with a method.
    ///
    /// - Parameters:
    ///   - url: The URL of the request.
    ///   - method: The method, such as `.put`.
    public init(url: URL, method: HTTPMethod) {
        self.init(url: url)
        httpMethod = method.rawValue
    }

    /// Creates a request with a JSON body.
    ///
    /// ```swift
    /// let request = try URLRequest(
    ///     url: url, method: .post, json: album)
    /// ```
    ///
    /// - Parameters:
    ///   - url: The URL of the request.
    ///   - method: The method, such as `.put`.
    ///   - body: The value to send, with `Content-Type: application/json`.
    ///   - encoder: The encoder for the value.
    /// - Throws: ``NetworkError/encodingError(_:)`` with the error of the encoder.
    public init(
        url: URL, method: HTTPMethod, json body: some Encodable, using encoder: JSONEncoder = JSONEncoder()
    ) throws(NetworkError) {
        self.init(url: url, method: method)
        try setJSONBody(body, using: encoder)
    }

    /// Encodes a value as the JSON body of the request and sets `Content-Type` to `application/json`.
    ///
    /// If the value cannot be encoded, the request stays unchanged.
    ///
    /// - Parameters:
    ///   - body: The value to send.
    ///   - encoder: The encoder for the value.
    /// - Throws: ``NetworkError/encodingError(_:)`` with the error of the encoder.
    public mutating func setJSONBody(
        _ body: some Encodable, using encoder: JSONEncoder = JSONEncoder()
    ) throws(NetworkError) {
        do {
            httpBody = try encoder.encode(body)
        } catch {
            throw .encodingError(error)
        }
        setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
}
