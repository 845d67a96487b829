import Foundation

extension URLRequest {
    /// Requests what follows the first bytes of a file, or all of it if it is no longer the one with the tag.
    ///
    /// - Parameters:
    ///   - start: The number of bytes that are there.
    ///   - entityTag: A strong entity tag: `If-Range` must not have another one (RFC 9110, section 13.1.5).
    package mutating func requestRest(from start: Int64, of entityTag: String) {
        setValue("bytes=\(start)-", forHTTPHeaderField: "Range")
        setValue(entityTag, forHTTPHeaderField: "If-Range")
        // A range of a compressed body cannot be joined.
        setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    }
}

extension String {
    /// Whether it is an entity tag that says that the bytes are the same (RFC 9110, section 8.8.3): in quotation marks, with none
    /// between them, and without the mark of a weak one.
    ///
    /// The RFC allows bytes above 0x7E, too. Such a tag is not used: Foundation gives text, and may send other bytes for it.
    package var isStrongEntityTag: Bool {
        let quotationMark = UInt8(ascii: "\"")
        guard utf8.count >= 2, utf8.first == quotationMark, utf8.last == quotationMark else { return false }
        return utf8.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != quotationMark }
    }
}
