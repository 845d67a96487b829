/// The HTTP status codes that count as success, such as `200..<300`, `200...399` or `[200, 304]`.
public typealias StatusCodes = Collection<Int> & Sendable
