import Foundation
internal import URLSessionResultTransport

// `StubbedServer.swift` finds the answer to a request, and `StubbedLoad.swift` gives it.

extension SessionStub {
    /// What the server says.
    ///
    /// The response to HEAD, and one with status 204, 205 or 304, comes without its body, as from a server (RFC 9110, sections 6.4.1
    /// and 15.3.6). The length of the body is known, for progress, if `headers` has `Content-Length`.
    public struct Answer: Sendable {
        enum Kind: Sendable {
            case response(statusCode: Int, headers: [String: String], body: Data)
            case stream(
                statusCode: Int, headers: [String: String], body: @Sendable (BodyWriter) async throws -> Void)
            case redirect(to: URL, statusCode: Int, headers: [String: String])
            case notHTTP(body: Data, mimeType: String?)
            case failure(URLError)
            case never
        }

        let kind: Kind
    }
}

extension SessionStub.Answer {
    /// A response, with its whole body.
    ///
    /// - Parameters:
    ///   - statusCode: The HTTP status code.
    ///   - headers: The header fields.
    ///   - body: The body.
    /// - Returns: The answer.
    public static func response(
        statusCode: Int = 200, headers: [String: String] = [:], body: Data = Data()
    ) -> Self {
        Self(kind: .response(statusCode: statusCode, headers: headers, body: body))
    }

    /// A response whose body comes in pieces, as a function sends them.
    ///
    /// ```swift
    /// let stub = SessionStub(.stream { body in
    ///     body.write("data: 1\n\n")
    /// })
    /// ```
    ///
    /// - Parameters:
    ///   - statusCode: The HTTP status code.
    ///   - headers: The header fields.
    ///   - body: A function that sends the body, which ends when it returns, and is cut off if it throws. It runs for each request, and is
    ///     cancelled with it.
    /// - Returns: The answer.
    public static func stream(
        statusCode: Int = 200, headers: [String: String] = [:],
        body: @escaping @Sendable (SessionStub.BodyWriter) async throws -> Void
    ) -> Self {
        Self(kind: .stream(statusCode: statusCode, headers: headers, body: body))
    }

    /// A redirect, which `URLSession` follows as one over HTTP: it asks the delegate about the next request, and the stub
    /// answers that one, too.
    ///
    /// The next request has the method, body and header fields that RFC 9110, section 15.4, asks for, and no credentials if
    /// it goes to another origin. If the delegate stops the redirect, its response is the response of the task, without a body.
    ///
    /// - Parameters:
    ///   - target: The URL of the next request. It may be relative to the URL of the request.
    ///   - statusCode: The HTTP status code.
    ///   - headers: Other header fields than `Location`.
    /// - Returns: The answer.
    public static func redirect(
        to target: URL, statusCode: Int = 302, headers: [String: String] = [:]
    ) -> Self {
        Self(kind: .redirect(to: target, statusCode: statusCode, headers: headers))
    }

    /// A response that is not HTTP: without a status code and header fields, so that no error response can come of it.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - mimeType: The type of the body, such as `text/plain`.
    /// - Returns: The answer.
    public static func notHTTP(body: Data = Data(), mimeType: String? = nil) -> Self {
        Self(kind: .notHTTP(body: body, mimeType: mimeType))
    }

    /// No response, for example because the network is down.
    ///
    /// - Parameter error: The error of the request.
    /// - Returns: The answer.
    public static func failure(_ error: URLError) -> Self { Self(kind: .failure(error)) }

    /// Nothing. The request waits until it is cancelled.
    public static var never: Self { Self(kind: .never) }
}

extension SessionStub.Answer {
    /// A response with JSON, and its `Content-Type`.
    ///
    /// - Parameters:
    ///   - json: The body.
    ///   - statusCode: The HTTP status code.
    ///   - headers: Other header fields, or another `Content-Type`.
    /// - Returns: The answer.
    public static func json(_ json: String, statusCode: Int = 200, headers: [String: String] = [:]) -> Self {
        let headers = headers.withContentType("application/json")
        return .response(statusCode: statusCode, headers: headers, body: Data(json.utf8))
    }

    /// A response with text in UTF-8, and its `Content-Type`.
    ///
    /// - Parameters:
    ///   - text: The body.
    ///   - statusCode: The HTTP status code.
    ///   - headers: Other header fields, or another `Content-Type`.
    /// - Returns: The answer.
    public static func text(_ text: String, statusCode: Int = 200, headers: [String: String] = [:]) -> Self {
        let headers = headers.withContentType("text/plain; charset=utf-8")
        return .response(statusCode: statusCode, headers: headers, body: Data(text.utf8))
    }

    /// A response with the bytes of a file. That of a file whose name ends in `.json` has the `Content-Type` of JSON.
    ///
    /// - Parameters:
    ///   - file: The file. It is read at once.
    ///   - statusCode: The HTTP status code.
    ///   - headers: Other header fields.
    /// - Returns: The answer.
    /// - Throws: The reason why the file cannot be read.
    public static func file(_ file: URL, statusCode: Int = 200, headers: [String: String] = [:]) throws -> Self {
        let isJSON = file.pathExtension.lowercased() == "json"
        let headers = isJSON ? headers.withContentType("application/json") : headers
        return .response(statusCode: statusCode, headers: headers, body: try Data(contentsOf: file))
    }

    /// A response with the bytes of a resource, as ``file(_:statusCode:headers:)`` has those of a file.
    ///
    /// ```swift
    /// let stub = try SessionStub(.resource("albums.json", in: .module))
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the resource with its extension, and the folder it is in, if there is one.
    ///   - bundle: The bundle that has the resource: in a package, `.module`.
    ///   - statusCode: The HTTP status code.
    ///   - headers: Other header fields.
    /// - Returns: The answer.
    /// - Throws: `CocoaError.fileReadNoSuchFile` with the name if the bundle has no such resource.
    public static func resource(
        _ name: String, in bundle: Bundle, statusCode: Int = 200, headers: [String: String] = [:]
    ) throws -> Self {
        guard let file = bundle.url(forResource: name, withExtension: nil) else {
            throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: name])
        }
        return try .file(file, statusCode: statusCode, headers: headers)
    }
}

extension [String: String] {
    fileprivate func withContentType(_ type: String) -> Self {
        contains { $0.key.lowercased() == "content-type" } ? self : merging(["Content-Type": type]) { $1 }
    }
}

extension URLRequest {
    func response(statusCode: Int, headers: [String: String]) throws -> HTTPURLResponse {
        let response = url.flatMap {
            HTTPURLResponse(url: $0, statusCode: statusCode, httpVersion: "HTTP/1.1", headerFields: headers)
        }
        guard let response else { throw URLError.noResponse }
        return response
    }

    /// A response that is not HTTP.
    func response(with body: Data, of mimeType: String?) throws -> URLResponse {
        guard let url else { throw URLError.noResponse }
        return URLResponse(url: url, mimeType: mimeType, expectedContentLength: body.count, textEncodingName: nil)
    }
}

extension URLError {
    fileprivate static let noResponse = URLError(.badServerResponse, "The answer makes no response.")
}

extension URLResponse {
    /// Whether a response with this head may have a body.
    func mayHaveBody(after request: URLRequest) -> Bool {
        guard let head = self as? HTTPURLResponse else { return true }
        return request.httpMethod != "HEAD" && !statusCodesWithoutBody.contains(head.statusCode)
    }
}
