import FlyingFox

/// A response with an error status and a reason. A handler may throw it.
struct ErrorResponse: Error {
    let status: HTTPStatusCode
    let message: String
    var headers: HTTPHeaders = [:]

    init(_ status: HTTPStatusCode, _ message: String, headers: HTTPHeaders = [:]) {
        self.status = status
        self.message = message
        self.headers = headers
    }

    var response: HTTPResponse {
        get throws { try .json(["error": .string(message)], status, headers: headers) }
    }
}
