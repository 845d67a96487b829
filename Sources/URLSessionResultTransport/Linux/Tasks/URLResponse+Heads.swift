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

    /// Whether the response redirects, if its `Location` is well-formed.
    var redirects: Bool {
        guard let response = self as? HTTPURLResponse else { return false }
        return [301, 302, 303, 305, 306, 307, 308].contains(response.statusCode)
            && response.value(forHTTPHeaderField: "Location") != nil
    }

    /// Whether another request may follow: the response redirects, or may be a challenge.
    var mayLeadToAnotherRequest: Bool {
        guard let response = self as? HTTPURLResponse else { return false }
        return [401, 407].contains(response.statusCode) || (300..<400).contains(response.statusCode)
    }
}

#endif
