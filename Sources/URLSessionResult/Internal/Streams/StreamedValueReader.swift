import Foundation
internal import URLSessionResultJSON

/// Reads a body value by value: the value of each line, or of the data of each event.
///
/// ``ResponseBytes/Values`` and the values of the client are made of it.
package struct StreamedValueReader<Value> {
    /// Nil after the end of the values: releasing the reader cancels the request.
    private var lines: LineReader?
    private var form: ResponseBytes.ValueForm
    private let decoder: ResultDecoder<Value>

    /// The `JSONDecoder` of the client that reads the body. Nil without a client.
    private let jsonDecoder: SharedJSONDecoder?
    private let end: StreamEnd
    private let invalidElements: InvalidElements
    private var parser: EventParser
    private var lineNumber = 0

    /// How many values there were, with the invalid ones.
    private var count = 0

    init(
        of source: BodySource, as form: ResponseBytes.ValueForm, decoder: ResultDecoder<Value>,
        jsonDecoder: SharedJSONDecoder? = nil, lastEventID: String = "", end: StreamEnd,
        invalidElements: InvalidElements
    ) {
        lines = LineReader(of: source, keepingBeginning: form != .lines)
        parser = EventParser(lastEventID: lastEventID)
        self.form = form
        self.decoder = decoder
        self.jsonDecoder = jsonDecoder
        self.end = end
        self.invalidElements = invalidElements
    }

    /// Waits for the next value.
    package mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Value? {
        while let part = try await nextPart(isolation: actor) {
            defer { count += 1 }
            if let value = try await decoder.decode(part, at: count, orTreatAs: invalidElements) { return value }
        }
        lines = nil
        return nil
    }

    private mutating func nextPart(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> StreamPart? {
        if form != .events {
            guard let line = try await nextLine(isolation: actor) else { return nil }
            if form == .unknown { decideForm(by: line) }
            if form == .lines, let lines {
                return StreamPart(line, number: lineNumber, of: lines.source.response, by: jsonDecoder)
            }
        }
        guard let event = try await nextEvent(isolation: actor), !end.isReached(by: event) else { return nil }
        return StreamPart(event, number: count + 1, by: jsonDecoder)
    }

    private mutating func decideForm(by line: ArraySlice<UInt8>) {
        if EventParser.recognizes(line) {
            form = .events
            _ = parser.take(line)
        } else {
            form = .lines
            _ = lines?.takeBeginning()
        }
    }

    /// Waits for the next line that is not empty.
    private mutating func nextLine(isolation actor: isolated (any Actor)?) async throws(NetworkError)
        -> ArraySlice<UInt8>?
    {
        while let line = try await lines?.next(isolation: actor) {
            lineNumber += 1
            if !line.isEmpty { return line }
        }
        return nil
    }

    private mutating func nextEvent(isolation actor: isolated (any Actor)?) async throws(NetworkError)
        -> ServerSentEvent?
    {
        if let event = try await lines?.nextEvent(by: &parser, isolation: actor) { return event }
        return end.includesUnfinishedEvent ? parser.finish() : nil
    }
}

/// Where the events of a stream end.
struct StreamEnd: Sendable {
    /// The data of an event before which they end, or nil to end with the body.
    let data: String?

    /// Whether the last event of a body counts even if no empty line ends it. By the HTML standard, it does not.
    let includesUnfinishedEvent: Bool

    func isReached(by event: ServerSentEvent) -> Bool {
        guard let data else { return false }
        return event.data == data
    }
}

extension ResponseBytes {
    /// What the values of a body are.
    package enum ValueForm: Sendable {
        case events
        case lines

        /// Events if the first line that is not empty is one of an event stream, otherwise lines.
        case unknown
    }

    /// Starts to read the values of a body as a language model streams them.
    ///
    /// Unlike ``events``, they include the last event of a body that ended regularly, even if no empty line ends it.
    ///
    /// - Parameters:
    ///   - decoder: The decoder for a value. It is called off your actor.
    ///   - jsonDecoder: The `JSONDecoder` of the client.
    ///   - form: What the values are.
    ///   - end: The data of the event that ends the values.
    ///   - invalidElements: What to do with values that cannot be decoded.
    /// - Returns: A reader of the values.
    package func valueReader<T>(
        _ decoder: ResultDecoder<T>, or jsonDecoder: JSONDecoder, of form: ValueForm, until end: String?,
        invalidElements: InvalidElements
    ) -> StreamedValueReader<T> {
        StreamedValueReader(
            of: source, as: form, decoder: decoder, jsonDecoder: SharedJSONDecoder(decoder: jsonDecoder),
            end: StreamEnd(data: end, includesUnfinishedEvent: true), invalidElements: invalidElements)
    }
}
