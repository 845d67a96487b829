/// How the values of a streamed response are separated.
public struct StreamFormat: Sendable, Hashable {
    private enum Kind { case byContentType, events, lines }

    private let kind: Kind

    /// As the `Content-Type` says: `text/event-stream` or a type of lines, such as `application/x-ndjson`. A body that is not declared to be
    /// streamed, such as `text/plain`, has events if its first line is one of an event stream (`data:`, `event:`, `id:`, `retry:` or a
    /// comment), and lines otherwise.
    public static let byContentType = StreamFormat(kind: .byContentType)

    /// Server-sent events, whatever the `Content-Type` says. A value is the data of an event.
    public static let events = StreamFormat(kind: .events)

    /// Lines, whatever the `Content-Type` says. Empty ones are left out.
    public static let lines = StreamFormat(kind: .lines)

    /// What a request accepts.
    var contentTypes: String {
        switch kind {
        case .byContentType: "text/event-stream, application/x-ndjson, application/json"
        case .events: "text/event-stream"
        case .lines: "application/x-ndjson, application/json"
        }
    }

    /// What the values of a response are.
    func form<Body>(of response: NetworkResponse<Body>) -> ResponseBytes.ValueForm {
        switch kind {
        case .events: .events
        case .lines: .lines
        case .byContentType where response.isEventStream: .events
        case .byContentType: response.isStreamOfLines ? .lines : .unknown
        }
    }
}

extension NetworkResponse {
    /// Whether the body says that it is an event stream.
    var isEventStream: Bool { contentType?.lowercased() == "text/event-stream" }

    fileprivate var isStreamOfLines: Bool { contentType.map { typesOfLines.contains($0.lowercased()) } ?? false }
}

/// None of them is registered.
private let typesOfLines: Set<String> = [
    "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonl", "application/jsonlines",
    "application/x-jsonlines", "application/stream+json",
]
