import Foundation

extension URLResponse {
    /// The length of the body as it arrives, or a number below 1 while it is unknown.
    ///
    /// `Content-Length` is that of a compressed body, and URLSession gives it decompressed.
    package var lengthOfBody: Int64 { isEncoded ? 0 : expectedContentLength }

    /// Whether the body is compressed.
    package var isEncoded: Bool {
        let field = (self as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Encoding")
        let encoding = field?.trimmingCharacters(in: .whitespaces) ?? ""
        return !encoding.isEmpty && encoding.lowercased() != "identity"
    }
}

/// The status codes whose responses never have a body: 204 (RFC 9110, 15.3.5), 205 (15.3.6) and 304 (15.4.5).
package let statusCodesWithoutBody = [204, 205, 304]
