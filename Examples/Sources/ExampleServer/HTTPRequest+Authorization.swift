import FlyingFox

extension HTTPRequest {
    /// Whether the request has a bearer token (RFC 6750). This server accepts any token.
    var hasBearerToken: Bool {
        guard let words = headers[.authorization]?.split(separator: " "), words.count == 2 else { return false }
        return words[0].lowercased() == "bearer"
    }
}

extension HTTPHeaders {
    /// The header that a 401 must have (RFC 9110, section 15.5.2).
    static var challenge: HTTPHeaders { [HTTPHeader("WWW-Authenticate"): "Bearer"] }
}
