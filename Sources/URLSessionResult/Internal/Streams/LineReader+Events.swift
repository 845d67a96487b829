import Foundation

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

extension NetworkError {
    package static func noEventStream(_ response: NetworkResponse<Data>) -> NetworkError {
        .decodingError(NoEventStreamError(contentType: response.contentType), response: response)
    }
}

/// The error of reading events from a body that is no event stream.
struct NoEventStreamError: Error {
    /// The type and subtype that the response has, if any.
    let contentType: String?

    /// The content type, or its charset, is the only header value that an error shows: it is the first thing to look at.
    var finding: String {
        let type = contentType.map { "\"\($0.safeToLog)\"" } ?? "missing"
        return "the body is no event stream (its content type is \(type))"
    }
}
