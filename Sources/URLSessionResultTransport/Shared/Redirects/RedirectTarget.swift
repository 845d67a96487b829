import Foundation

extension HTTPURLResponse {
    /// Where a redirect leads: its `Location`, resolved against the URL of the response (RFC 3986, section 5.2).
    ///
    /// FoundationNetworking takes every relative path as one that begins at the root, and decodes `%2F` in it
    /// (`_HTTPURLProtocol.redirectRequest`).
    ///
    /// It is `nil` for a `Location` that is missing, empty or malformed.
    var redirectTarget: URL? {
        // Workaround: relativeLocation
        guard let url, let location = value(forHTTPHeaderField: "Location") else { return nil }
        // Workaround: blankInLocation
        let reference = location.trimmingCharacters(in: CharacterSet(charactersIn: " \t")).escapedAsReference
        // From Swift 6.4 on, `URL(string:)` takes `//a b/`.
        guard URLComponents(string: reference) != nil,
            let target = URL(string: reference, relativeTo: url)?.absoluteURL
        else { return nil }
        return target.withSchemeInLowerCase.inheritingFragment(of: url)
    }
}

extension String {
    /// The reference with everything escaped that a URL cannot contain behind its authority. Escapes that are there stay.
    ///
    /// As soon as one character needs an escape, `URL(string:)` escapes the percent signs of the others again.
    package var escapedAsReference: String {
        // Workaround: escapesInLocation
        let bytes = Array(utf8)
        let authority = bytes[..<endOfAuthority(in: bytes)]
        var escaped = String(decoding: authority, as: UTF8.self)
        var hasFragment = false
        for (index, byte) in zip(bytes.indices, bytes).dropFirst(authority.count) {
            let isSecondFragment = byte == UInt8(ascii: "#") && hasFragment
            if byte == UInt8(ascii: "#") { hasFragment = true }
            let isEscape = byte == UInt8(ascii: "%") && isHexadecimal(bytes[(index + 1)...].prefix(2))
            if isEscape || Self.allowedBytes.contains(byte) && !isSecondFragment {
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                escaped += String(format: "%%%02X", byte)
            }
        }
        return escaped
    }

    /// Where `//host` or `scheme://host` ends, or 0 for a reference without a host.
    private func endOfAuthority(in bytes: [UInt8]) -> Int {
        guard let slash = bytes.firstIndex(where: "/?#".utf8.contains), bytes[slash...].starts(with: "//".utf8),
            slash == 0 || bytes[slash - 1] == UInt8(ascii: ":")
        else { return 0 }
        return bytes[(slash + 2)...].firstIndex(where: "/?#".utf8.contains) ?? bytes.count
    }

    private func isHexadecimal(_ digits: ArraySlice<UInt8>) -> Bool {
        digits.count == 2 && digits.allSatisfy("0123456789abcdefABCDEF".utf8.contains)
    }

    /// RFC 3986, section 2, without brackets: they belong to the authority.
    private static let allowedBytes = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?#@!$&'()*+,;=".utf8)
}

extension URL {
    /// `HTTPS` is `https` (RFC 3986, section 3.1).
    fileprivate var withSchemeInLowerCase: URL {
        // Workaround: schemeInCapitals
        var components = URLComponents(string: absoluteString)
        components?.scheme = scheme?.lowercased()
        return components?.url ?? self
    }

    /// A redirect that names no fragment keeps the one of the request (RFC 9110, section 10.2.2).
    fileprivate func inheritingFragment(of source: URL) -> URL {
        guard var target = URLComponents(string: absoluteString), target.percentEncodedFragment == nil else {
            return self
        }
        guard let fragment = URLComponents(string: source.absoluteString)?.percentEncodedFragment else { return self }
        target.percentEncodedFragment = fragment
        return target.url ?? self
    }
}
