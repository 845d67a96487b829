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
    ///   - form: What the values are.
    ///   - end: The data of the event that ends the values.
    ///   - invalidElements: What to do with values that cannot be decoded.
    /// - Returns: A reader of the values.
    package func valueReader<T>(
        _ decoder: ResultDecoder<T>, of form: ValueForm, until end: String?, invalidElements: InvalidElements
    ) -> StreamedValueReader<T> {
        StreamedValueReader(
            lines: LineReader(of: source, keepingBeginning: form != .lines), form: form, decoder: decoder, end: end,
            invalidElements: invalidElements)
    }
}

/// Reads a body value by value.
package struct StreamedValueReader<Value> {
    /// Nil after the end, so that the request is cancelled there.
    fileprivate var lines: LineReader?
    fileprivate var form: ResponseBytes.ValueForm
    fileprivate let decoder: ResultDecoder<Value>
    fileprivate let end: String?
    fileprivate let invalidElements: InvalidElements
    fileprivate var parser = EventParser()
    fileprivate var lineNumber = 0

    /// How many values there were, with the invalid ones.
    fileprivate var count = 0

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
            if form == .lines, let lines { return StreamPart(line, number: lineNumber, of: lines.source.response) }
        }
        guard let event = try await nextEvent(isolation: actor), end == nil || event.data != end else { return nil }
        return StreamPart(event, number: count + 1)
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
        try await lines?.nextEvent(by: &parser, isolation: actor) ?? parser.finish()
    }
}
