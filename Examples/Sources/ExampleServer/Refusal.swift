import FlyingFox

/// An error status with a reason, for a handler to throw.
struct Refusal: Error {
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

    static func method(allowed: String) -> Refusal {
        Refusal(.methodNotAllowed, "This resource answers \(allowed).", headers: [HTTPHeader("Allow"): allowed])
    }
}
