/// Puts server-sent events together, line by line, as the HTML standard says:
/// https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
struct EventParser {
    /// The last event ID. It persists.
    private var id = ""

    /// What the server has said since the last event that was given.
    private var retry: Int?

    // The fields of the event that is being put together.
    private var name = ""
    private var data = ""
    private var hasData = false

    private var isAtBeginning = true

    /// Takes the next line.
    ///
    /// - Parameter line: The line without its end.
    /// - Returns: The event that the line ends, if it ends one.
    mutating func take(_ line: ArraySlice<UInt8>) -> ServerSentEvent? {
        let line = withoutByteOrderMark(line)
        guard !line.isEmpty else { return finishEvent() }
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        var value = line.dropFirst(name.count + 1)
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        setField(String(decoding: name, as: UTF8.self), to: value)
        return nil
    }

    private mutating func setField(_ field: String, to value: ArraySlice<UInt8>) {
        switch field {
        case "event":
            name = String(decoding: value, as: UTF8.self)
        case "data":
            if hasData { data += "\n" }
            data += String(decoding: value, as: UTF8.self)
            hasData = true
        case "id" where !value.contains(0):
            id = String(decoding: value, as: UTF8.self)
        case "retry":
            retry = Self.integer(value) ?? retry
        default:
            break  // Unknown, or a comment, which has no name.
        }
    }

    /// Returns the event if it has data, and begins the next one.
    private mutating func finishEvent() -> ServerSentEvent? {
        defer {
            name = ""
            data = ""
            hasData = false
        }
        guard hasData else { return nil }
        defer { retry = nil }
        return ServerSentEvent(id: id, name: name.isEmpty ? "message" : name, data: data, retry: retry)
    }

    /// A byte order mark may stand at the beginning of the body, and nowhere else.
    private mutating func withoutByteOrderMark(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        defer { isAtBeginning = false }
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return isAtBeginning && line.starts(with: byteOrderMark) ? line.dropFirst(byteOrderMark.count) : line
    }

    /// The number, or `nil` if there is anything but ASCII digits, or more of them than an `Int` holds.
    private static func integer(_ digits: ArraySlice<UInt8>) -> Int? {
        let isNumber = digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isNumber ? Int(String(decoding: digits, as: UTF8.self)) : nil
    }
}
