import Foundation
internal import URLSessionResultJSON

/// A part of a streamed body that is a value of its own: a line, or the data of an event.
struct StreamPart: Sendable {
    /// "line" or "event".
    let name: String

    /// Counts from 1.
    let number: Int
    let body: ReceivedBody

    init(_ event: ServerSentEvent, number: Int, by jsonDecoder: SharedJSONDecoder?) {
        name = "event"
        self.number = number
        body = event.receivedBody(by: jsonDecoder)
    }

    init(_ line: ArraySlice<UInt8>, number: Int, of response: URLResponse, by jsonDecoder: SharedJSONDecoder?) {
        name = "line"
        self.number = number
        body = ReceivedBody(data: Data(line), response: response, jsonDecoder: jsonDecoder)
    }
}
