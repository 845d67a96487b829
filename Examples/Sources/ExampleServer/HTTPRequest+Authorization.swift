import FlyingFox

extension HTTPRequest {
    /// The bearer token of the request (RFC 6750).
    var bearerToken: String? {
        guard let words = headers[.authorization]?.split(separator: " "), words.count == 2,
            words[0].lowercased() == "bearer"
        else { return nil }
        return String(words[1])
    }

    /// Whether the request has a bearer token, whichever it is.
    var hasBearerToken: Bool { bearerToken != nil }
}

extension HTTPHeaders {
    /// The header that a 401 must have (RFC 9110, section 15.5.2).
    static var challenge: HTTPHeaders { [HTTPHeader("WWW-Authenticate"): "Bearer"] }
}
