import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// Makes a request with a method.
    ///
    /// - Parameters:
    ///   - url: Where to send the request.
    ///   - method: The method, such as `.put`.
    public init(url: URL, method: HTTPMethod) {
        self.init(url: url)
        httpMethod = method.rawValue
    }

    /// Encodes a value as the JSON body of the request and sets `Content-Type` to `application/json`.
    ///
    /// A request whose body cannot be encoded is left as it was.
    ///
    /// - Parameters:
    ///   - body: The value to send.
    ///   - encoder: How to encode it.
    /// - Throws: ``NetworkError/encodingError(_:)`` with what the encoder threw.
    public mutating func setJSONBody(
        _ body: some Encodable, using encoder: JSONEncoder = JSONEncoder()
    ) throws(NetworkError) {
        httpBody = try Result { try encoder.encode(body) }.mapError(NetworkError.encodingError).get()
        setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
}
