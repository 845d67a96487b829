import Foundation
internal import URLSessionResultJSON

extension ResultDecoder where T: Decodable & SendableMetatype {
    /// Creates a decoder for JSON.
    ///
    /// If an API wraps the value in an envelope, give the path to the value. Only the value is decoded; what surrounds it
    /// needs no types and may have any content.
    ///
    /// ```swift
    /// // {"data": {"items": [{"id": 1}, {"id": 2}]}}
    /// let items = ResultDecoder.json([Item].self, at: "data.items")
    /// let first = ResultDecoder.json(Item.self, at: "data.items.0")
    /// ```
    ///
    /// If `JSONDecoder` says no more than that a document is not valid JSON, the description of the error has the line and the
    /// column, or the path of a number that does not fit its type. To find this number, a body of up to 1 MiB with n numbers is
    /// decoded again, about log2(n) times.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - keyPath: The names of the members that lead to the value, separated by dots, each as the key strategy of
    ///     `decoder` converts it. In an array, a number is the index of an element. The empty path is the whole
    ///     document. A path cannot contain a name that has a dot in it.
    ///   - decoder: The `JSONDecoder` to use. Don't change it afterwards: bodies may be decoded on several threads. With `nil`, a client
    ///     of `URLSessionResultClient` that decodes the response uses its own, with its dates and keys, for values of a stream, too.
    ///     Everything else uses a new one without options: a session, ``NetworkError/body(with:)`` and
    ///     ``NetworkResponse/decode(with:)``, also within the closure of a decoder.
    /// - Returns: The decoder. An error of `JSONDecoder` becomes ``NetworkError/decodingError(_:response:)``. So does a step of the
    ///   path that is missing or that is not what the next step needs, as a `DecodingError` whose coding path names it.
    public static func json(
        _ type: T.Type = T.self, at keyPath: String = "", using decoder: JSONDecoder? = nil
    ) -> ResultDecoder {
        let path = JSONKeyPath(keyPath)
        return ResultDecoder(by: decoder) { json, data in try json.value(T.self, in: data, at: path) }
    }
}

extension ResultDecoder {
    /// Creates a decoder for a JSON array.
    ///
    /// ```swift
    /// // {"results": [{"name": "Blue"}, {"name": 7}]}
    /// let albums = ResultDecoder.jsonArray(
    ///     of: Album.self, at: "results",
    ///     invalidElements: .skip { index, error in
    ///         print("Album \(index) is left out: \(error)")
    ///     })
    /// ```
    ///
    /// The decoder accepts and rejects what `JSONDecoder` does for `[Element]`, with the same errors. If the document is
    /// large (from 64 kB on, unless the elements are tiny), it uses all cores that don't decode other documents. So
    /// elements may be decoded on several threads at once, in any order, twice if something is invalid, and without the
    /// task-local values and the locks of the caller. One core is used if a step of `keyPath` is an index, or a name that
    /// the document writes differently: with escapes, or because a key strategy converts it.
    ///
    /// - Parameters:
    ///   - element: The type of the elements.
    ///   - keyPath: The path to the array, as in ``json(_:at:using:)``.
    ///   - invalidElements: What to do with elements that cannot be decoded.
    ///   - decoder: The `JSONDecoder` to use, as in ``json(_:at:using:)``.
    /// - Returns: The decoder. The coding path of an error begins with the steps of `keyPath`.
    public static func jsonArray<Element: Decodable & SendableMetatype>(
        of element: Element.Type = Element.self, at keyPath: String = "", invalidElements: InvalidElements = .fail,
        using decoder: JSONDecoder? = nil
    ) -> ResultDecoder where T == [Element] {
        let path = JSONKeyPath(keyPath)
        guard let report = invalidElements.report else {
            return ResultDecoder(by: decoder) { json, data in
                try json.array(of: Element.self, in: data, at: path)
            }
        }
        return ResultDecoder(by: decoder) { json, data in
            try json.array(of: JSONSkippableElement<Element>.self, in: data, at: path)
        } transform: { elements, received, json in
            var faults = JSONElementFaults(of: Element.self, in: received.data, at: path, by: json)
            return elements.valid { report($0, received.decodingError(faults.explained($1))) }
        }
    }

    /// Creates a decoder for the values of a JSON object, in the order of the document.
    ///
    /// ```swift
    /// // {"-Nx1": {"name": "Blue"}, "-Nx2": {"name": "Hejira"}}
    /// let albums = ResultDecoder.jsonValues(of: Album.self)
    /// ```
    ///
    /// If two keys are equal, the first counts. `null` gives no elements, and an array gives its elements that are not
    /// `null`: Firebase-style databases write an empty node and a node with integer keys like this. Apart from that the
    /// decoder accepts and rejects what `JSONDecoder` does for `[String: Element]`, with the same errors. It uses several
    /// cores as ``jsonArray(of:at:invalidElements:using:)`` does, with the same consequences.
    ///
    /// ``jsonMembers(of:at:invalidElements:using:)`` also gives the keys.
    ///
    /// - Parameters:
    ///   - element: The type of the values.
    ///   - keyPath: The path to the object, as in ``json(_:at:using:)``. A member that is missing is an error, unlike one that
    ///     is `null`.
    ///   - invalidElements: What to do with values that cannot be decoded.
    ///   - decoder: The `JSONDecoder` to use, as in ``json(_:at:using:)``.
    /// - Returns: The decoder. The coding path of an error begins with the steps of `keyPath`.
    public static func jsonValues<Element: Decodable & SendableMetatype>(
        of element: Element.Type = Element.self, at keyPath: String = "", invalidElements: InvalidElements = .fail,
        using decoder: JSONDecoder? = nil
    ) -> ResultDecoder where T == [Element] {
        let path = JSONKeyPath(keyPath)
        guard let report = invalidElements.report else {
            return ResultDecoder(by: decoder) { json, data in
                try json.values(of: Element.self, in: data, at: path)
            }
        }
        return ResultDecoder(by: decoder) { json, data in
            try json.values(of: JSONSkippableElement<Element>.self, in: data, at: path)
        } transform: { elements, received, json in
            var faults = JSONElementFaults(of: Element.self, in: received.data, at: path, by: json)
            return elements.valid { report($0, received.decodingError(faults.explained($1))) }
        }
    }

    /// Creates a decoder for the members of a JSON object, in the order of the document: their keys and values.
    ///
    /// ```swift
    /// // {"-Nx1": {"name": "Blue"}, "-Nx2": {"name": "Hejira"}}
    /// let members = ResultDecoder.jsonMembers(of: Album.self)
    ///     .map { members in members.map { ($0.key, $0.value.name) } }
    /// ```
    ///
    /// It reads what ``jsonValues(of:at:invalidElements:using:)`` reads, with the same errors. The key of an element of an array
    /// is its index, as text.
    ///
    /// - Parameters:
    ///   - element: The type of the values.
    ///   - keyPath: The path to the object, as in ``json(_:at:using:)``.
    ///   - invalidElements: What to do with values that cannot be decoded.
    ///   - decoder: The `JSONDecoder` to use, as in ``json(_:at:using:)``. Keys stay as they stand in the document, whatever its
    ///     key strategy is.
    /// - Returns: The decoder. The coding path of an error begins with the steps of `keyPath`.
    public static func jsonMembers<Element: Decodable & SendableMetatype>(
        of element: Element.Type = Element.self, at keyPath: String = "", invalidElements: InvalidElements = .fail,
        using decoder: JSONDecoder? = nil
    ) -> ResultDecoder where T == [(key: String, value: Element)] {
        ResultDecoder<[JSONKeyedValue<Element>]>.jsonValues(
            at: keyPath, invalidElements: invalidElements, using: decoder
        )
        .map { members in members.map { (key: $0.key, value: $0.value) } }
    }

    /// Creates a decoder from a function of a `JSONDecoder` and a document.
    ///
    /// - Parameters:
    ///   - decoder: The `JSONDecoder`, or nil for that of the client that has received the body, or a new one.
    ///   - decode: A function that decodes a document. After an error it may be called again, with other documents.
    ///   - transform: A function that makes the value. It gets the body and the decoder, too.
    private init<Decoded>(
        by decoder: JSONDecoder?, _ decode: @escaping @Sendable (SharedJSONDecoder, Data) throws -> Decoded,
        transform: @escaping @Sendable (Decoded, ReceivedBody, SharedJSONDecoder) -> T
    ) {
        let given = decoder.map { SharedJSONDecoder(decoder: $0) }
        let new = given ?? SharedJSONDecoder(decoder: JSONDecoder())
        self.init(ofReceivedBody: { received in
            let json = given ?? received.jsonDecoder ?? new
            let decoded = try json.explainingFaults(of: received.data) { data in try decode(json, data) }
            return transform(decoded, received, json)
        })
    }

    private init(by decoder: JSONDecoder?, _ decode: @escaping @Sendable (SharedJSONDecoder, Data) throws -> T) {
        self.init(by: decoder, decode) { value, _, _ in value }
    }
}
