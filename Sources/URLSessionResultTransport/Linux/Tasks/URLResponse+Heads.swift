#if canImport(FoundationNetworking)

import Foundation

extension URLResponse {
    /// Whether no other head follows, as one does after 103 (Early Hints), for example (RFC 9110, section 15.2).
    ///
    /// FoundationNetworking announces each of them. After 101 (Switching Protocols), the rest is another protocol's.
    var isFinal: Bool {
        guard let response = self as? HTTPURLResponse else { return true }
        return !(100..<200).contains(response.statusCode) || response.statusCode == 101
    }

    /// Whether FoundationNetworking announces no head of the response, with or without a `Location`
    /// (`_HTTPURLProtocol.didReceiveResponse`). The load has the response when it is over.
    var isUnannounced: Bool {
        guard let response = self as? HTTPURLResponse else { return false }
        return [301, 302, 303, 305, 306, 307, 308].contains(response.statusCode)
    }

    /// Whether another request may follow: the response is a redirect, or may be a challenge. Over HTTP, it is the head of a
    /// challenge, or of a response such as 304: those of redirects are not announced.
    var mayLeadToAnotherRequest: Bool {
        guard let response = self as? HTTPURLResponse else { return false }
        return response.statusCode == 401 || (300..<400).contains(response.statusCode)
    }
}

#endif
