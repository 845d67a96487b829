import Foundation

extension QueryItems {
    /// How an array is sent.
    public struct ArrayStyle: Sendable, Hashable {
        enum Kind { case repeated, brackets, commaSeparated }

        let kind: Kind

        /// The name is repeated: `tag=a&tag=b`.
        public static let repeated = ArrayStyle(kind: .repeated)

        /// The name is repeated with brackets: `tag[]=a&tag[]=b`.
        public static let brackets = ArrayStyle(kind: .brackets)

        /// The values have commas between them: `tag=a,b`. A comma of a value is percent-encoded. The elements can be neither arrays nor
        /// objects.
        public static let commaSeparated = ArrayStyle(kind: .commaSeparated)
    }

    /// How the members of an object within the value are named.
    public struct KeyStyle: Sendable, Hashable {
        enum Kind { case brackets, dots }

        let kind: Kind

        /// `filter[year]=1971`.
        public static let brackets = KeyStyle(kind: .brackets)

        /// `filter.year=1971`.
        public static let dots = KeyStyle(kind: .dots)
    }

    /// Creates the items of a query or a form from a value.
    ///
    /// ```swift
    /// struct Search: Encodable {
    ///     var text = "Blue"
    ///     var tags = ["folk", "live"]
    /// }
    /// // tags=folk&tags=live&text=Blue
    /// let query = try QueryItems(encoding: Search())
    /// ```
    ///
    /// The members of an object are in the order of their names, the elements of an array in their own. What is `null`, and an empty array
    /// or object, is left out. Numbers, dates and data are written as in JSON.
    ///
    /// - Parameters:
    ///   - value: A value that is encoded as an object, such as a structure or a dictionary.
    ///   - arrays: How an array is sent.
    ///   - keys: How members of an object within the value are named.
    ///   - encoder: The encoder, whose strategies for keys, dates and data apply. Don't change it meanwhile.
    /// - Throws: `NetworkError.encodingError` for an error of the value, for a value that is no object, and for an array that cannot be
    ///   separated by commas.
    public init(
        encoding value: some Encodable, arrays: ArrayStyle = .repeated, keys: KeyStyle = .brackets,
        using encoder: JSONEncoder = JSONEncoder()
    ) throws(NetworkError) {
        do {
            var encoding = EncodableQuery(arrays: arrays, keys: keys)
            try encoding.append(try encoder.encode(value), named: nil)
            self = encoding.items
        } catch {
            throw .encodingError(error)
        }
    }
}
