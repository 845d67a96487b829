extension String {
    /// The text with some scalars replaced.
    ///
    /// `replacingOccurrences` finds no quotation mark that a combining mark follows: the two are one character.
    func replacing(_ replacements: [Unicode.Scalar: String]) -> String {
        // To append to the view of the scalars would copy the text each time.
        unicodeScalars.reduce(into: "") { text, scalar in
            text += replacements[scalar] ?? String(scalar)
        }
    }
}
