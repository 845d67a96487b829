extension LineReader {
    /// Waits for the next event. Returns without leaving the caller's actor if it has arrived.
    ///
    /// - Returns: The event, or `nil` at the end of the body.
    /// - Throws: An error at the end of a body that is no event stream, if its first bytes are kept.
    mutating func nextEvent(
        by parser: inout EventParser, isolation actor: isolated (any Actor)?
    ) async throws(NetworkError) -> ServerSentEvent? {
        while let line = try await next(isolation: actor) {
            let event = parser.take(line, isWhole: !isOver)
            if parser.content == .eventStream { _ = takeBeginning() }
            if let event { return event }
        }
        if parser.content == .somethingElse, let body = takeBeginning() {
            throw .noEventStream(NetworkResponse(body: body, urlResponse: source.response))
        }
        return nil
    }
}
