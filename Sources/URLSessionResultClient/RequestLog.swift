import Foundation

/// Middleware that writes a line when a request is sent and a line when it ends. A stream ends with its headers here.
///
/// ```swift
/// let log = RequestLog { line in
///     // Otherwise os.Logger shows <private>.
///     logger.debug("\(line, privacy: .public)")
/// }
/// ```
///
/// ```text
/// 3F2A GET https://example.com/albums?…
/// 3F2A 200 after 0.042 s, 1523 bytes; h2, kept connection, …
/// ```
///
/// The bytes are those of the body, or of the file of a download, after a content encoding such as gzip is removed. Behind the semicolon
/// are the metrics of the response, if it has any: protocol, connection, and the times of the request that got it. By default, the
/// lines show no query, no header value and no body. As the last middleware of a client, the log shows each attempt. Decoding errors are
/// not in it, because values are decoded outside of all middleware.
public struct RequestLog: RequestMiddleware {
    private let showsSecrets: Bool
    private let showsFailuresAsCurl: Bool
    private let write: @Sendable (String) -> Void

    /// Creates the middleware.
    ///
    /// - Parameters:
    ///   - showsSecrets: Whether the lines show everything: each request as a command of `curl`, and the body of an error response.
    ///     Use it only while you look for a mistake.
    ///   - showsFailuresAsCurl: Whether a request that fails adds a third line with its command of `curl`, unless it is cancelled.
    ///     The other two lines are then no commands. With `showingSecrets: true`, you can run the command. Otherwise it leaves out
    ///     the query, the values of header fields and the body, as `curlCommand()` does.
    ///   - write: A function that writes a line. It is called off your actor.
    public init(
        showingSecrets showsSecrets: Bool = false, curlOfFailures showsFailuresAsCurl: Bool = false,
        _ write: @escaping @Sendable (String) -> Void = { print($0) }
    ) {
        self.showsSecrets = showsSecrets
        self.showsFailuresAsCurl = showsFailuresAsCurl
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
        // Not `systemUptime`, for which apps have to give Apple a reason, and not `Date`, whose clock may be set meanwhile.
        let nanoseconds = DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds
        let time = (Double(nanoseconds) / 1e9).withMilliseconds
        let size = result.byteCount().map { ", \($0) bytes" } ?? ""
        let metrics = result.metrics().map { "; \($0)" } ?? ""
        write("\(id) \(outcome(of: result)) after \(time) s\(size)\(metrics)")
        if showsFailuresAsCurl, case .failure(let error) = result, !error.isCancelled {
            write("\(id) \(request.curlCommand(showingSecrets: showsSecrets))")
        }
        return result
    }

    private func line(for request: URLRequest) -> String {
        guard !showsSecrets || showsFailuresAsCurl else { return request.curlCommand(showingSecrets: true) }
        return "\(request.method.rawValue.withEscapedControls) \(shown(request.url))"
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

    private func shown(_ url: URL?) -> String {
        guard let url else { return "no URL" }
        return showsSecrets ? url.absoluteString : url.withoutSecrets
    }
}

extension Result {
    /// What was measured of the request, or nil if nobody knows, or if it is not over.
    fileprivate func metrics<Body>() -> TransferMetrics?
    where Success == NetworkResponse<Body>, Failure == NetworkError {
        switch self {
        case .success(let response): response.metrics
        case .failure(let error): error.response?.metrics
        }
    }

    /// The size of the body, or nil for one that is still arriving, or if there is none.
    fileprivate func byteCount<Body>() -> Int? where Success == NetworkResponse<Body>, Failure == NetworkError {
        switch self {
        case .success(let response):
            switch response.body {
            case let data as Data: data.count
            case let file as URL: (try? file.resourceValues(forKeys: [.fileSizeKey]))?.fileSize
            default: nil
            }
        case .failure(let error):
            error.response?.body.count
        }
    }
}
