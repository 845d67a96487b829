/// How far a transfer has come.
///
/// The `progress:` function of the `async` methods is called with growing numbers, at most about a hundred times. The last
/// report of a success is complete, and comes before the method returns. For uploads, the numbers count the bytes of the
/// request's body; otherwise they count the bytes of the response's body, if the
/// response is accepted.
public struct TransferProgress: Hashable, Sendable {
    /// The number of bytes transferred so far.
    public let completedBytes: Int64

    /// The total number of bytes, or `nil` while it is unknown: the server did not send it, or it compresses the body.
    public let totalBytes: Int64?

    /// Creates a report, for a test or a preview.
    ///
    /// - Parameters:
    ///   - completedBytes: The number of bytes transferred so far.
    ///   - totalBytes: The total number of bytes, or `nil` while it is unknown.
    public init(completedBytes: Int64, totalBytes: Int64?) {
        self.completedBytes = completedBytes
        self.totalBytes = totalBytes
    }

    /// The completed fraction, from 0 to 1, or `nil` while the total is unknown.
    public var fractionCompleted: Double? {
        guard let totalBytes else { return nil }
        guard totalBytes > 0 else { return 1 }
        return Double(completedBytes) / Double(totalBytes)
    }
}
