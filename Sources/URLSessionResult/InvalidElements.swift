// `ResultDecoder+JSON.swift`, `ResultDecoder+Parts.swift` and `ResponseBytes+Elements.swift` do what is chosen here.

/// What to do with elements that cannot be decoded.
public struct InvalidElements: Sendable {
    /// Called for each element that is skipped, or nil if none is.
    let report: (@Sendable (Int, NetworkError) -> Void)?

    /// Fail with the error of an invalid element.
    public static let fail = InvalidElements(report: nil)

    /// Skip the invalid elements and report each of them.
    ///
    /// ```swift
    /// let albums = ResultDecoder.jsonArray(
    ///     of: Album.self,
    ///     invalidElements: .skip { index, error in
    ///         print("Album \(index) is left out: \(error)")
    ///     })
    /// ```
    ///
    /// A document that is not valid JSON is a failure. If an element has a number that does not fit its type, the description of
    /// its error has the path of the number. To find the number in a body of up to 1 MiB, an element with n numbers is decoded
    /// again, about log2(n) times.
    ///
    /// On Linux, `JSONDecoder` takes a time that is linear in the size of the whole document for each element with a malformed
    /// string or number. With many such elements, a document of 10 MB takes hours. If you don't trust the server, limit the size of
    /// the body, or use ``ResponseBytes/elements(_:at:invalidElements:)``: it takes linear time.
    ///
    /// - Parameter report: A function that is called once for each invalid element, in the order of the document and on the thread
    ///   that decodes: by a stream as the elements arrive, otherwise after all of them have been decoded. It gets the position of
    ///   the element and a ``NetworkError/decodingError(_:response:)`` with its coding path. Positions count from 0 and include
    ///   invalid elements. In an array that `jsonValues` decodes they do not include `null`; in an object `null` is a value like
    ///   any other and is reported if it is invalid.
    /// - Returns: The choice to skip.
    public static func skip(
        _ report: @escaping @Sendable (_ index: Int, _ error: NetworkError) -> Void
    ) -> InvalidElements {
        InvalidElements(report: report)
    }
}
