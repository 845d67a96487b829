/// A run of whole members of an array or object, without the brackets and commas around it.
struct JSONPart {
    /// The range of its text in the document.
    let bytes: Range<Int>

    /// The position of its first member in the array or object.
    let firstIndex: Int

    /// The number of its members.
    let count: Int

    /// The keys of its members; empty in an array.
    let keys: [String]
}
