import Foundation

/// Which bytes of a file a response has: `Content-Range: bytes 100-199/5000` (RFC 9110, section 14.4).
package struct ContentRange: Equatable {
    package let first: Int64
    package let last: Int64

    /// The size of the whole file, or nil if the server does not know it.
    package let total: Int64?

    /// Is nil if the response must not be joined with other bytes: the unit is not `bytes` (in any capitalization, section 14.1),
    /// the field is `bytes */5000`, or the range is invalid, because it ends before its beginning or after the end of the file.
    package init?(_ field: String) {
        let words = field.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let positions = parts[0].split(separator: "-", omittingEmptySubsequences: false).map(\.asPosition)
        guard positions.count == 2, let first = positions[0], let last = positions[1], first <= last else { return nil }
        let total = parts[1].asPosition
        guard total != nil || parts[1] == "*", last < total ?? .max else { return nil }
        self.first = first
        self.last = last
        self.total = total
    }
}

extension URLResponse {
    package var contentRange: ContentRange? {
        (self as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Range").flatMap(ContentRange.init)
    }
}

extension Substring {
    /// A number of digits alone: `Int64` reads a sign, too.
    fileprivate var asPosition: Int64? {
        utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int64(self) : nil
    }
}
