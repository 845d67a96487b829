import Foundation

/// Middleware that writes a line when a request is sent and a line when it ends. A stream ends with its headers here.
///
/// ```swift
/// let log = RequestLog { line in logger.debug("\(line)") }
/// ```
///
/// ```text
/// 3F2A GET https://example.com/albums?…
/// 3F2A 200 after 0.042 s
/// ```
///
/// By default, the lines show no query, no header value and no body. As the last middleware of a client, the log shows each attempt.
/// Decoding errors are not in it, because values are decoded outside of all middleware.
public struct RequestLog: RequestMiddleware {
    private let showsSecrets: Bool
    private let write: @Sendable (String) -> Void

    /// Creates the middleware.
    ///
    /// - Parameters:
    ///   - showsSecrets: Whether the lines show everything: each request as a command of `curl`, and the body of an error response.
    ///     Use it only while you look for a mistake.
    ///   - write: A function that writes a line. It is called off your actor.
    public init(
        showingSecrets showsSecrets: Bool = false, _ write: @escaping @Sendable (String) -> Void = { print($0) }
    ) {
        self.showsSecrets = showsSecrets
        self.write = write
    }

    /// Writes a line, sends the request, and writes another line.
    public func response<Body: Sendable>(
        for request: URLRequest, next: @escaping SendRequest<Body>
    ) async -> Result<NetworkResponse<Body>, NetworkError> {
        let id = UUID().uuidString.prefix(4)
        let start = DispatchTime.now()
        write("\(id) \(line(for: request))")
        let result = await next(request)
        // `systemUptime` and `Date` will not do: apps have to give Apple a reason for the one, and the other may be set.
        let nanoseconds = DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds
        write("\(id) \(outcome(of: result)) after \(String(format: "%.3f", Double(nanoseconds) / 1e9)) s")
        return result
    }

    private func line(for request: URLRequest) -> String {
        guard !showsSecrets else { return request.curlCommand(showingSecrets: true) }
        return "\(request.method.rawValue.withEscapedControls) \(request.url?.withoutSecrets ?? "no URL")"
    }

    private func outcome<Body>(of result: Result<NetworkResponse<Body>, NetworkError>) -> String {
        switch result {
        case .success(let response):
            return response.statusCode.map(String.init) ?? "success"
        case .failure(let error):
            guard showsSecrets, let body = error.body(with: .string()) else { return "\(error)" }
            return "\(error) (\(body))"
        }
    }
}
