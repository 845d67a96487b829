/// The HTTP status codes that count as success, such as `200..<300`, `200...399` or `[200, 304]`.
public typealias StatusCodes = Collection<Int> & Sendable

extension Collection<Int> {
    /// The status codes as a list. They have three digits, and a range may be endless in practice.
    package var listed: [Int] {
        // Taken one by one, the usual range would cost more than the rest of a request.
        if let range = self as? Range<Int> { return Array(range.clamped(to: 0..<1000)) }
        if let range = self as? ClosedRange<Int> { return Array(range.clamped(to: 0...999)) }
        return Array(self)
    }

    /// The status codes that count as success when a download is resumed: where that of a whole file does (200), that of the rest
    /// does, too.
    var acceptingRest: [Int] { contains(200) ? listed + [206] : listed }
}
