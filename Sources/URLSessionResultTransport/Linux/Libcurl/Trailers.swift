#if canImport(FoundationNetworking)

import Foundation

extension URLSessionTask {
    /// Keeps the trailers of a response from FoundationNetworking. It takes them for the beginning of another head, forgets the
    /// response, and misses it at the end.
    ///
    /// - Parameter head: The head that FoundationNetworking tells at this moment. It is told no other one.
    func withholdTrailers(of head: URLResponse) {
        // Workaround: trailers
        guard mayHaveTrailers, let head = head as? HTTPURLResponse, head.isFinal, head.mayHaveTrailers,
            let transfer = libcurlTransfer(),
            // Otherwise it is the head of a proxy's response to CONNECT.
            transfer.statusCode == head.statusCode
        else { return }
        transfer.tellNoMoreHeaders()
    }

    /// libcurl knows the length of a body that comes in one piece. To look for the field would cost every request something.
    private var mayHaveTrailers: Bool { countOfBytesExpectedToReceive <= 0 || originalRequest?.url?.scheme == "https" }
}

extension HTTPURLResponse {
    /// Behind chunks, or over HTTP/2, which FoundationNetworking uses with TLS alone.
    fileprivate var mayHaveTrailers: Bool { hasTransferEncoding || url?.scheme == "https" }

    /// Whether the body comes in chunks, as far as libcurl takes it at all.
    fileprivate var hasTransferEncoding: Bool { value(forHTTPHeaderField: "Transfer-Encoding") != nil }
}

extension Error {
    /// Nil if the error comes after a whole body: FoundationNetworking has lost the response, or libcurl refuses its trailers.
    ///
    /// A redirect or a challenge stays a failure, because no delegate was asked about it.
    func unlessComplete(_ response: URLResponse?) -> (any Error)? {
        guard let response = response as? HTTPURLResponse, response.isFinal, !response.isUnannounced,
            response.statusCode != 401, response.statusCode != 407, comesAfterBody(of: response)
        else { return self }
        return nil
    }

    private func comesAfterBody(of response: HTTPURLResponse) -> Bool {
        // Workaround: trailers
        switch localizedDescription {
        case "Transfer completed, but there's no response.":
            // FoundationNetworking says so where libcurl succeeded.
            true
        case let message where refusalsOfTrailers.contains(where: message.hasPrefix):
            response.hasTransferEncoding
        case "Failed reading the chunked-encoded stream":
            // Trailers are refused, or what has come cannot be decompressed.
            response.hasTransferEncoding && !response.isEncoded
        default:
            false
        }
    }
}

/// What libcurl says of a field that has no colon, too many fields, and one of more than 4 kB. The head is whole by then.
private let refusalsOfTrailers = [
    "Invalid response header", "Too many response headers", "Out of memory in chunked-encoding",
]

#endif
