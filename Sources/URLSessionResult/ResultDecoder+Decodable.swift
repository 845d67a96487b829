import Foundation

extension ResultDecoder where T: Decodable & SendableMetatype {
    /// Makes a decoder for JSON.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: The `JSONDecoder` to use. It is not to be changed afterwards: bodies may be decoded on several
    ///     threads.
    /// - Returns: The decoder. What `JSONDecoder` throws becomes ``NetworkError/decodingError(_:)``.
    public static func json(_ type: T.Type = T.self, using decoder: JSONDecoder = JSONDecoder()) -> ResultDecoder {
        .decodable(T.self, using: SharedJSONDecoder(decoder: decoder))
    }

    /// Makes a decoder for a JSON value that is wrapped in others, as APIs with envelopes send it.
    ///
    /// ```swift
    /// // {"data": {"items": [{"id": 1}, {"id": 2}]}}
    /// let items = ResultDecoder.json([Item].self, at: "data.items")
    /// let first = ResultDecoder.json(Item.self, at: "data.items.0")
    /// ```
    ///
    /// Only the wanted value is decoded; what surrounds it needs no types and may have any content.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - keyPath: The way to the value, step by step, with dots between. A step is the name of a member, as the
    ///     key strategy of `decoder` converts it. A number is the index of an element where there is an array, and a
    ///     name where there is an object. The empty path is the whole document. A name that has a dot in it cannot be
    ///     written.
    ///   - decoder: The `JSONDecoder` to use. It is not to be changed afterwards: bodies may be decoded on several
    ///     threads.
    /// - Returns: The decoder. A step that is missing or leads to something else than the next one needs becomes
    ///   ``NetworkError/decodingError(_:)`` with a `DecodingError` whose coding path names it.
    public static func json(
        _ type: T.Type = T.self, at keyPath: String, using decoder: JSONDecoder = JSONDecoder()
    ) -> ResultDecoder {
        let json = SharedJSONDecoder(decoder: decoder)
        let steps = keyPath.isEmpty ? [] : keyPath.components(separatedBy: ".")
        return ResultDecoder { data in
            try JSONPath.$current.withValue(steps) { try json.decode(JSONEnvelope<T>.self, from: data).value }
        }
    }

    /// Makes a decoder that uses a parser other than JSON's, for example for property lists.
    ///
    /// ```swift
    /// let settings = ResultDecoder.decodable(Settings.self, using: PropertyListDecoder())
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - parser: The parser. What it throws becomes ``NetworkError/decodingError(_:)``.
    /// - Returns: The decoder.
    public static func decodable(_ type: T.Type = T.self, using parser: some DataDecoding) -> ResultDecoder {
        ResultDecoder { data in try parser.decode(T.self, from: data) }
    }
}

/// What to do with the elements of a collection that cannot be decoded.
public enum InvalidElements: Sendable {
    /// Fail with the error of the element.
    case fail

    /// Leave the element out and report it.
    ///
    /// ```swift
    /// let albums = ResultDecoder.jsonArray(of: Album.self, invalidElements: .skip { index, error in
    ///     logger.warning("album \(index) is left out: \(NetworkError.decodingError(error))")
    /// })
    /// ```
    ///
    /// The error itself may quote values of the document; as a ``NetworkError`` it is printed without them.
    ///
    /// The closure is called once for each element left out, in the order of the document, after everything has been
    /// decoded and on the thread that decodes. It is given the position of the element among all, counted from 0 (for
    /// `jsonValues` and an array among those that are not `null`; in an object a `null` counts, and is reported), and
    /// the error with its coding path. A document that is no JSON at all is a failure still.
    case skip(@Sendable (_ index: Int, _ error: any Error) -> Void)
}

extension ResultDecoder {
    /// Makes a decoder for a JSON array.
    ///
    /// It accepts and refuses what `JSONDecoder` does for `[Element]`, and gives its errors, but uses all cores for
    /// large documents (from 64 kB on, unless the elements are tiny). Elements may thus be decoded on several threads
    /// at once, in any order, twice when there is something wrong, and without the task-local values and the locks of
    /// the caller.
    ///
    /// - Parameters:
    ///   - element: The type of the elements.
    ///   - invalidElements: What to do with elements that cannot be decoded.
    ///   - decoder: The `JSONDecoder` to use. It is not to be changed afterwards.
    /// - Returns: The decoder. What `JSONDecoder` throws becomes ``NetworkError/decodingError(_:)``.
    public static func jsonArray<Element: Decodable & SendableMetatype>(
        of element: Element.Type = Element.self, invalidElements: InvalidElements = .fail,
        using decoder: JSONDecoder = JSONDecoder()
    ) -> ResultDecoder where T == [Element] {
        let json = SharedJSONDecoder(decoder: decoder)
        guard case .skip(let log) = invalidElements else { return .init { try json.array(of: Element.self, in: $0) } }
        return .init { try json.array(of: JSONLossyElement.self, in: $0).valid(reportingOthersTo: log) }
    }

    /// Makes a decoder for the values of a JSON object, in the order of the document.
    ///
    /// ```swift
    /// // {"-Nx1": {"name": "Blue"}, "-Nx2": {"name": "Hejira"}}
    /// let albums = ResultDecoder.jsonValues(of: Album.self)
    /// ```
    ///
    /// The order is that of the document, each time; of two equal keys the first counts. A `null` gives no elements,
    /// and an array those of its elements that are not `null`: this is how Firebase-style databases write an empty node
    /// and a node with integer keys. Apart from that it accepts and refuses what `JSONDecoder` does for
    /// `[String: Element]`, and gives its errors, but uses all cores for large documents (from 64 kB on). Elements may
    /// thus be decoded on several threads at once, in any order, twice when there is something wrong, and without the
    /// task-local values and the locks of the caller.
    ///
    /// An element that needs its key finds it as the last of its decoder's `codingPath`.
    ///
    /// - Parameters:
    ///   - element: The type of the values.
    ///   - invalidElements: What to do with values that cannot be decoded.
    ///   - decoder: The `JSONDecoder` to use. It is not to be changed afterwards.
    /// - Returns: The decoder. What `JSONDecoder` throws becomes ``NetworkError/decodingError(_:)``.
    public static func jsonValues<Element: Decodable & SendableMetatype>(
        of element: Element.Type = Element.self, invalidElements: InvalidElements = .fail,
        using decoder: JSONDecoder = JSONDecoder()
    ) -> ResultDecoder where T == [Element] {
        let json = SharedJSONDecoder(decoder: decoder)
        guard case .skip(let log) = invalidElements else { return .init { try json.values(of: Element.self, in: $0) } }
        return .init { try json.values(of: JSONLossyElement.self, in: $0).valid(reportingOthersTo: log) }
    }
}
