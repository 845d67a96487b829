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
