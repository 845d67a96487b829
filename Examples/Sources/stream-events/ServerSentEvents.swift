import Foundation
import URLSessionResult

/// An event of a stream.
struct ServerSentEvent {
    var name = "message"
    var data: [String] = []
}

/// The events of a body, as the HTML standard has them ("Server-sent events").
struct ServerSentEvents: AsyncSequence {
    let body: ResponseBytes

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(lines: body.lines.makeAsyncIterator())
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        var lines: ResponseBytes.Lines.AsyncIterator

        /// Reads lines up to the empty one that ends an event. An event without its end does not count.
        mutating func next() async throws(NetworkError) -> ServerSentEvent? {
            var event = ServerSentEvent()
            while let line = try await lines.next() {
                if line.isEmpty {
                    guard event.data.isEmpty else { return event }
                    event = ServerSentEvent()
                } else {
                    event.append(line)
                }
            }
            return nil
        }
    }
}

extension ServerSentEvent {
    /// Adds a line: the name of a field, a colon, at most one space, and the value.
    fileprivate mutating func append(_ line: String) {
        let name = line.prefix { $0 != ":" }
        let value = line.dropFirst(name.count + 1).trimmingPrefix(" ")
        switch name {
        case "event": self.name = String(value)
        case "data": data.append(String(value))
        default: break  // a comment, or a field that matters for reconnecting
        }
    }
}
