/// Puts server-sent events together, line by line, as the HTML standard says:
/// https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
struct EventParser {
    /// The ID of the last block that has ended, whether it was an event or not.
    private(set) var lastEventID: String

    /// The reconnection time that the server gave last, in milliseconds.
    private(set) var retry: Int?

    /// What kind of body the lines so far are from.
    private(set) var content = Content.nothing

    enum Content {
        /// There was no line, or only empty ones.
        case nothing
        /// There were lines, but no comment and no field that the standard knows.
        case somethingElse
        case eventStream
    }

    /// The last ID that was read, even in a block that has not ended. Events without an ID of their own get it, too.
    private var id: String

    /// The reconnection time that has come since the last event was returned.
    private var newRetry: Int?

    // The fields of the event that is being put together.
    private var name = ""
    private var data = ""
    private var hasData = false

    private var isAtBeginning = true

    /// - Parameter lastEventID: The ID of the last event of the connection before.
    init(lastEventID: String = "") {
        self.lastEventID = lastEventID
        id = lastEventID
    }

    /// Takes the next line.
    ///
    /// - Parameters:
    ///   - line: The line without its end.
    ///   - isWhole: Whether the line has a line end. Without one, the body ended within the line. Such a line still tells what kind
    ///     of body this is, but a `retry` in it is ignored.
    /// - Returns: The event that the line ends, if it ends one.
    mutating func take(_ line: ArraySlice<UInt8>, isWhole: Bool = true) -> ServerSentEvent? {
        let line = withoutByteOrderMark(line)
        guard !line.isEmpty else { return finishEvent() }
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        var value = line.dropFirst(name.count + 1)
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        setField(String(decoding: name, as: UTF8.self), to: value, isWhole: isWhole)
        return nil
    }

    /// Ends an event at the end of the body, although no empty line has ended it. The standard drops such an event.
    mutating func finish() -> ServerSentEvent? { finishEvent() }

    /// Whether a line of an unknown kind of body looks like one of an event stream: a comment, or a field with a colon.
    static func recognizes(_ line: ArraySlice<UInt8>) -> Bool {
        var parser = EventParser()
        _ = parser.take(line)
        return parser.content == .eventStream && line.contains(UInt8(ascii: ":"))
    }

    private mutating func setField(_ field: String, to value: ArraySlice<UInt8>, isWhole: Bool) {
        switch field {
        case "event":
            name = String(decoding: value, as: UTF8.self)
        case "data":
            if hasData { data += "\n" }
            data += String(decoding: value, as: UTF8.self)
            hasData = true
        case "id":
            if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
        case "retry":
            if isWhole, let milliseconds = Int(digits: value) {
                retry = milliseconds
                newRetry = milliseconds
            }
        case "":
            break  // A comment, which has no name.
        default:
            if content == .nothing { content = .somethingElse }
            return
        }
        content = .eventStream
    }

    /// Returns the event if it has data, and begins the next one.
    private mutating func finishEvent() -> ServerSentEvent? {
        defer {
            name = ""
            data = ""
            hasData = false
        }
        lastEventID = id
        guard hasData else { return nil }
        defer { newRetry = nil }
        return ServerSentEvent(id: id, name: name.isEmpty ? "message" : name, data: data, retry: newRetry)
    }

    /// A byte order mark may stand at the beginning of the body, and nowhere else.
    private mutating func withoutByteOrderMark(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        defer { isAtBeginning = false }
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return isAtBeginning && line.starts(with: byteOrderMark) ? line.dropFirst(byteOrderMark.count) : line
    }
}

extension Int {
    /// The number, or `nil` if there is anything but ASCII digits, or more of them than an `Int` holds.
    fileprivate init?(digits: ArraySlice<UInt8>) {
        let text = String(decoding: digits, as: UTF8.self)
        guard !text.hasPrefix("+"), !text.hasPrefix("-") else { return nil }
        self.init(text)
    }
}
