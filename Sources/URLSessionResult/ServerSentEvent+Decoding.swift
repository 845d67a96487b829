import Foundation
internal import URLSessionResultJSON

extension ServerSentEvent {
    /// Decodes the data.
    ///
    /// ```swift
    /// for try await event in response.body.events {
    ///     let part = try event.decode(with: .json(ChatPart.self)).get()
    /// }
    /// ```
    ///
    /// It runs on the caller's actor.
    ///
    /// - Parameter decoder: The decoder for the data.
    /// - Returns: The value, or ``NetworkError/decodingError(_:response:)``, whose response has the data as its body, and neither
    ///   a status code nor headers.
    public func decode<T>(with decoder: ResultDecoder<T>) -> Result<T, NetworkError> {
        decoder.decode(received: receivedBody())
    }

    /// Makes a body of the data. Its charset is UTF-8, whatever charset the response of the stream names.
    ///
    /// - Parameter jsonDecoder: The `JSONDecoder` of the client that received the event, or nil.
    /// - Returns: The data as a body.
    func receivedBody(by jsonDecoder: SharedJSONDecoder? = nil) -> ReceivedBody {
        let response = URLResponse(
            url: blank, mimeType: nil, expectedContentLength: data.utf8.count, textEncodingName: "utf-8")
        return ReceivedBody(data: Data(data.utf8), response: response, jsonDecoder: jsonDecoder)
    }
}

/// An event has no URL of its own.
private let blank = URL(string: "about:blank") ?? URL(fileURLWithPath: "/")
