/// An event that a server sends in the body of a response, as the
/// [HTML standard](https://html.spec.whatwg.org/multipage/server-sent-events.html) defines it.
///
/// ``ResponseBytes/events`` gives them:
///
/// ```swift
/// for try await event in response.body.events {
///     print(event.name, event.data)
/// }
/// ```
public struct ServerSentEvent: Hashable, Sendable {
    /// The last event ID: the value of the latest `id` field of the stream, even of an earlier event. It is empty before the
    /// first one.
    ///
    /// Send it as `Last-Event-ID` when you reconnect.
    public var id: String

    /// The type of the event. It is "message" for an event without an `event` field.
    public var name: String

    /// The data. The values of several `data` fields are separated by line feeds.
    public var data: String

    /// How long to wait before you reconnect, in milliseconds, if the server has sent it since the previous event.
    public var retry: Int?

    /// Creates an event, for example for a test.
    ///
    /// - Parameters:
    ///   - id: The last event ID.
    ///   - name: The type of the event.
    ///   - data: The data.
    ///   - retry: How long to wait before reconnecting, in milliseconds.
    public init(id: String = "", name: String = "message", data: String, retry: Int? = nil) {
        self.id = id
        self.name = name
        self.data = data
        self.retry = retry
    }
}
