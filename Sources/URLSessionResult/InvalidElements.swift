/// What to do with the elements of a collection that cannot be decoded.
public enum InvalidElements: Sendable {
    /// Fail with the error of an invalid element.
    case fail

    /// Skip the invalid elements and report each of them.
    ///
    /// ```swift
    /// let albums = ResultDecoder.jsonArray(
    ///     of: Album.self,
    ///     invalidElements: .skip { index, error in
    ///         let reason = NetworkError.decodingError(error, response: nil)
    ///         print("Album \(index) is left out: \(reason)")
    ///     })
    /// ```
    ///
    /// The error itself may quote values of the document. Wrapped in a ``NetworkError`` it is printed without them.
    ///
    /// The closure is called once for each invalid element, in the order of the document, after all elements have been
    /// decoded and on the thread that decodes. It gets the position of the element and the error with its coding path.
    /// Positions count from 0 and include invalid elements. In an array that `jsonValues` decodes they do not include
    /// `null`; in an object `null` is a value like any other and is reported if it is invalid. A document that is not
    /// valid JSON is a failure.
    case skip(@Sendable (_ index: Int, _ error: any Error) -> Void)
}
