extension Collection<Int> {
    /// The status codes as a list. They have three digits, and a range may be endless in practice.
    var listed: [Int] {
        // Taken one by one, the usual range would cost more than the rest of a request.
        if let range = self as? Range<Int> { return Array(range.clamped(to: 0..<1000)) }
        if let range = self as? ClosedRange<Int> { return Array(range.clamped(to: 0...999)) }
        return Array(self)
    }
}
