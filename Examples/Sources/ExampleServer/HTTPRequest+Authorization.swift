import FlyingFox

extension HTTPRequest {
    /// Whether there is any bearer token at all (RFC 6750): which one does not matter here.
    var hasBearerToken: Bool {
        guard let words = headers[.authorization]?.split(separator: " "), words.count == 2 else { return false }
        return words[0].lowercased() == "bearer"
    }
}

extension HTTPHeaders {
    /// What a 401 has to say (RFC 9110, section 15.5.2).
    static var challenge: HTTPHeaders { [HTTPHeader("WWW-Authenticate"): "Bearer"] }
}
