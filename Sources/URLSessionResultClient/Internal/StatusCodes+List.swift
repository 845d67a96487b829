extension Collection<Int> {
    /// The status codes as a list. They have three digits, and a range may be endless in practice.
    var listed: [Int] {
        // Taken one by one, the usual range would cost more than the rest of a request.
        if let range = self as? Range<Int> { return Array(range.prefix(mostStatusCodes)) }
        // `prefix` asks for the count, which may be more than an `Int` holds.
        var codes: [Int] = []
        var iterator = makeIterator()
        while codes.count < mostStatusCodes, let code = iterator.next() { codes.append(code) }
        return codes
    }
}

private let mostStatusCodes = 1000
