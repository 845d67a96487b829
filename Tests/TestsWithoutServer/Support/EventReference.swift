import Foundation

@testable import URLSessionResult
@testable import URLSessionResultTransport

/// Reads the events of a whole body in the plainest way, as the reference for `EventParser`.
enum EventReference {
    /// Decodes and splits the whole body first, then goes through the steps of the HTML standard one by one.
    static func events(of body: [UInt8]) -> [ServerSentEvent] {
        let hasByteOrderMark = body.starts(with: [0xEF, 0xBB, 0xBF])
        let lines = LineReference.lines(of: hasByteOrderMark ? Array(body[3...]) : body)
        var events: [ServerSentEvent] = []
        var dataBuffer = ""
        var typeBuffer = ""
        var lastEventID = ""
        var retry: Int?
        for line in lines {
            let characters = Array(line.unicodeScalars)
            if characters.isEmpty {
                if !dataBuffer.unicodeScalars.isEmpty {
                    dataBuffer.unicodeScalars.removeLast()
                    let name = typeBuffer.unicodeScalars.isEmpty ? "message" : typeBuffer
                    events.append(ServerSentEvent(id: lastEventID, name: name, data: dataBuffer, retry: retry))
                    retry = nil
                }
                dataBuffer = ""
                typeBuffer = ""
                continue
            }
            if characters[0] == ":" { continue }
            let colon = characters.firstIndex(of: ":") ?? characters.count
            var value = Array(characters.dropFirst(colon + 1))
            if value.first == " " { value.removeFirst() }
            let text = String(String.UnicodeScalarView(value))
            switch String(String.UnicodeScalarView(characters[..<colon])) {
            case "event": typeBuffer = text
            case "data": dataBuffer += text + "\n"
            case "id": if !value.contains("\0") { lastEventID = text }
            case "retry":
                let digits: ClosedRange<Unicode.Scalar> = "0"..."9"
                if !value.isEmpty, value.allSatisfy(digits.contains), let number = Int(text) { retry = number }
            default: break
            }
        }
        // The last line is none of these if it has no end: an event needs an empty line, which has nothing but its end.
        return events
    }

    /// Reads a body that arrives in pieces, and says how the events differ from those of the whole.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - sizes: The sizes of the pieces; the last piece is the rest.
    /// - Returns: A description, or `nil` when they agree.
    static func disagreement(on body: [UInt8], inPiecesOf sizes: some Sequence<Int>) -> String? {
        let found = parsed(body, inPiecesOf: sizes)
        let expected = events(of: body)
        // Compared by bytes: equal strings may have different ones.
        guard !found.map(bytes).elementsEqual(expected.map(bytes)) else { return nil }
        return "\(body) in pieces of \(Array(sizes)): \(found) instead of \(expected)"
    }

    /// The events of a body that arrives in pieces.
    static func parsed(_ body: [UInt8], inPiecesOf sizes: some Sequence<Int>) -> [ServerSentEvent] {
        var splitter = LineSplitter()
        var parser = EventParser()
        var events: [ServerSentEvent] = []
        var rest = body[...]
        for size in Array(sizes) + [body.count] {
            splitter.append(Data(rest.prefix(size)))
            rest = rest.dropFirst(size)
            while let line = splitter.next() {
                if let event = parser.take(line) { events.append(event) }
            }
        }
        if let line = splitter.finish(), let event = parser.take(line) { events.append(event) }
        return events
    }

    private static func bytes(_ event: ServerSentEvent) -> [[UInt8]] {
        [event.id, event.name, event.data, "\(event.retry, default: "none")"].map { Array($0.utf8) }
    }
}
