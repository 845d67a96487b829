import FlyingFox

/// An answer other than the one asked for, thrown by a handler on its way.
struct Refusal: Error {
    let status: HTTPStatusCode
    let message: String
    var headers: HTTPHeaders = [:]

    init(_ status: HTTPStatusCode, _ message: String, headers: HTTPHeaders = [:]) {
        self.status = status
        self.message = message
        self.headers = headers
    }

    static func method(allowed: String) -> Refusal {
        Refusal(.methodNotAllowed, "This resource answers \(allowed).", headers: [HTTPHeader("Allow"): allowed])
    }
}
