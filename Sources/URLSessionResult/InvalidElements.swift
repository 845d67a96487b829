// `ResultDecoder+JSON.swift` and `ResponseBytes+Elements.swift` do it.

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
    /// A document that is not valid JSON is a failure. For a number that does not fit, the description of the error has its path within the
    /// element: such an element of a body of up to 1 MiB is decoded again, about as often as its count of numbers has binary digits.
    ///
    /// On Linux, `JSONDecoder` takes a time that is linear in the size of the document for an element with a malformed string or
    /// number. Many of them take hours in a document of 10 MB. If you don't trust the server, limit the size of the body,
    /// or use ``ResponseBytes/elements(_:at:invalidElements:)``: it takes linear time.
    ///
    /// - Parameter report: A function that is called once for each invalid element, in the order of the document and on the thread
    ///   that decodes: by a stream as the elements arrive, otherwise after all of them have been decoded. It gets the position of the element and a
    ///   ``NetworkError/decodingError(_:response:)`` with its coding path. Positions count from 0 and include invalid elements.
    ///   In an array that `jsonValues` decodes they do not include `null`; in an object `null` is a value like any other and is
    ///   reported if it is invalid.
    /// - Returns: The choice to skip.
    public static func skip(
        _ report: @escaping @Sendable (_ index: Int, _ error: NetworkError) -> Void
    ) -> InvalidElements {
        InvalidElements(report: report)
    }
}
