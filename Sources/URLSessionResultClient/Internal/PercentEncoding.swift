extension String {
    /// The text with `%…` for each byte, except for unreserved characters (RFC 3986, section 2.3) and those to keep.
    ///
    /// So it may stand in a segment of a path, in a query and in a form. On Linux, `addingPercentEncoding` of Foundation would need a
    /// `CharacterSet`, which takes 40 µs to make.
    func percentEncoded(keeping kept: String = "") -> String {
        utf8.reduce(into: "") { text, byte in
            if byte.isUnreserved || kept.utf8.contains(byte) {
                text.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    /// The text with the characters percent-encoded that a URL must not have, and with `%25` for each `%` that begins no valid
    /// escape.
    ///
    /// If one such character is left, `URL(string:)` encodes the whole text again, with the `%` of each escape. The host of a whole
    /// URL stays as it is: it may have brackets and letters of any language.
    var percentEncodedWhereNeeded: String {
        let rest = utf8.dropFirst(sizeOfSchemeAndHost)
        return String(self[..<rest.startIndex]) + String(self[rest.startIndex...]).percentEncodedBehindHost
    }

    private var percentEncodedBehindHost: String {
        var parts = split(separator: "%", omittingEmptySubsequences: false)
        var text = String(parts.removeFirst()).percentEncoded(keeping: separators)
        for part in parts {
            let code = part.utf8.prefix(2)
            text += code.count == 2 && code.allSatisfy(\.isHexDigit) ? "%" : "%25"
            text += String(part).percentEncoded(keeping: separators)
        }
        return text
    }

    /// In bytes, or 0 if the text does not begin with a whole URL.
    private var sizeOfSchemeAndHost: Int {
        // The scheme, nothing, the host with its port, and the rest.
        let parts = utf8.split(separator: UInt8(ascii: "/"), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count > 2, parts[1].isEmpty, ["http:", "https:"].contains(String(parts[0])?.lowercased()) else {
            return 0
        }
        let host = parts[2].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        return parts[0].count + "//".utf8.count + host.count
    }
}

/// What separates the parts of a path and a query (RFC 3986, section 2.2). A fragment is never sent, and brackets belong to a host.
private let separators = "/?:@!$&'()*+,;="

extension UInt8 {
    fileprivate var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "-._~".utf8.contains(self)
        }
    }

    fileprivate var isHexDigit: Bool { Character(UnicodeScalar(self)).isHexDigit }
}
