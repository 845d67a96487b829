extension String {
    /// The text with some scalars replaced.
    ///
    /// `replacingOccurrences` finds no quotation mark that a combining mark follows: the two are one character.
    func replacing(_ replacements: [Unicode.Scalar: String]) -> String {
        unicodeScalars.reduce(into: "") { text, scalar in
            text.unicodeScalars.append(
                contentsOf: replacements[scalar]?.unicodeScalars ?? String(scalar).unicodeScalars)
        }
    }
}
