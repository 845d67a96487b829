/// The HTTP status codes that count as success, such as `200..<300`, `200...399` or `[200, 304]`.
public typealias StatusCodes = Collection<Int> & Sendable

extension Collection<Int> {
    /// The status codes as an array. A range is cut to numbers of three digits, because `200...Int.max` would not fit in memory.
    package var listed: [Int] {
        // Ranges are copied by their own types: copying a generic collection takes longer than the rest of a request.
        if let range = self as? Range<Int> { return Array(range.clamped(to: 0..<1000)) }
        if let range = self as? ClosedRange<Int> { return Array(range.clamped(to: 0...999)) }
        return Array(self)
    }

    /// The status codes that count as success for a resumed download. If 200 does (the whole file), 206 does, too (the rest).
    var acceptingRest: [Int] { contains(200) ? listed + [206] : listed }
}
