import Foundation

extension URLRequest {
    /// Whether a server may act on it twice (RFC 9110, section 9.2.2).
    package var isIdempotent: Bool {
        ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"].contains(httpMethod ?? "GET")
    }
}
