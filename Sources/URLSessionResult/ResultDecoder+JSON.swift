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
        .decodable(T.self, using: SharedJSONDecoder(decoder))
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
    ///   - keyPath: The way to the value, step by step, with dots between. A step is the name of a member, as it stands
    ///     in the document or as the key strategy of `decoder` converts it. A number is the index of an element where
    ///     there is an array, and a name where there is an object. The empty path is the whole document. A name that
    ///     has a dot in it cannot be written.
    ///   - decoder: The `JSONDecoder` to use. It is not to be changed afterwards: bodies may be decoded on several
    ///     threads.
    /// - Returns: The decoder. A step that is missing or leads to something else than the next one needs becomes
    ///   ``NetworkError/decodingError(_:)`` with a `DecodingError` whose coding path names it.
    public static func json(
        _ type: T.Type = T.self, at keyPath: String, using decoder: JSONDecoder = JSONDecoder()
    ) -> ResultDecoder {
        let json = SharedJSONDecoder(decoder)
        let steps = keyPath.isEmpty ? [] : keyPath.components(separatedBy: ".")
        return ResultDecoder { data in
            try JSONPath.$current.withValue(steps) { try json.decode(JSONEnvelope<T>.self, from: data).value }
        }
    }
}
