/// How far a transfer has come.
///
/// The `progress:` of the `async` methods is called with growing numbers, about a hundred times at most, and on success
/// a last time when everything is there, before the method returns. It counts the bytes of the request's body for
/// uploads and those of the response's body for everything else.
public struct TransferProgress: Hashable, Sendable {
    /// The bytes transferred so far.
    public let completedBytes: Int64

    /// The bytes to transfer in all, or `nil` while nobody knows: the server did not say, or it compresses the body.
    public let totalBytes: Int64?

    /// Makes a report, for a test or a preview.
    ///
    /// - Parameters:
    ///   - completedBytes: The bytes transferred so far.
    ///   - totalBytes: The bytes to transfer in all, or `nil` while nobody knows.
    public init(completedBytes: Int64, totalBytes: Int64?) {
        (self.completedBytes, self.totalBytes) = (completedBytes, totalBytes)
    }

    /// The part that is done, from 0 to 1, or `nil` while the total is not known.
    public var fractionCompleted: Double? { totalBytes.map { $0 == 0 ? 1 : Double(completedBytes) / Double($0) } }
}
