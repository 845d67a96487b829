import Foundation

extension ResultDecoder where T: Decodable & SendableMetatype {
    /// Creates a decoder for JSON.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: The `JSONDecoder` to use. Don't change it afterwards: bodies may be decoded on several threads.
    /// - Returns: The decoder. What `JSONDecoder` throws becomes ``NetworkError/decodingError(_:response:)``.
    public static func json(_ type: T.Type = T.self, using decoder: JSONDecoder = JSONDecoder()) -> ResultDecoder {
        json(type, at: "", using: decoder)
    }

    /// Creates a decoder for a JSON value inside an envelope.
    ///
    /// ```swift
    /// // {"data": {"items": [{"id": 1}, {"id": 2}]}}
    /// let items = ResultDecoder.json([Item].self, at: "data.items")
    /// let first = ResultDecoder.json(Item.self, at: "data.items.0")
    /// ```
    ///
    /// Only the value is decoded; what surrounds it needs no types and may have any content.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - keyPath: The names of the members that lead to the value, separated by dots, each as the key strategy of
    ///     `decoder` converts it. In an array, a number is the index of an element. The empty path is the whole
    ///     document. A path cannot contain a name that has a dot in it.
    ///   - decoder: The `JSONDecoder` to use. Don't change it afterwards: bodies may be decoded on several threads.
    /// - Returns: The decoder. A step that is missing, or leads to something that the next step cannot enter, becomes
    ///   ``NetworkError/decodingError(_:response:)`` with a `DecodingError` whose coding path names it.
    public static func json(
        _ type: T.Type = T.self, at keyPath: String, using decoder: JSONDecoder = JSONDecoder()
    ) -> ResultDecoder {
        let json = SharedJSONDecoder(decoder: decoder)
        let path = JSONKeyPath(keyPath)
        return ResultDecoder { data in try json.value(T.self, in: data, at: path) }
    }
}

extension ResultDecoder {
    /// Creates a decoder for a JSON array.
    ///
    /// It accepts and rejects what `JSONDecoder` does for `[Element]`, with the same errors, but uses all free cores for
    /// large documents (from 64 kB on, unless the elements are tiny). So elements may be decoded on several threads at
    /// once, in any order, twice if something is invalid, and without the task-local values and the locks of the caller.
    ///
    /// - Parameters:
    ///   - element: The type of the elements.
    ///   - invalidElements: What to do with elements that cannot be decoded.
    ///   - decoder: The `JSONDecoder` to use. Don't change it afterwards.
    /// - Returns: The decoder. What `JSONDecoder` throws becomes ``NetworkError/decodingError(_:response:)``.
    public static func jsonArray<Element: Decodable & SendableMetatype>(
        of element: Element.Type = Element.self, invalidElements: InvalidElements = .fail,
        using decoder: JSONDecoder = JSONDecoder()
    ) -> ResultDecoder where T == [Element] {
        let json = SharedJSONDecoder(decoder: decoder)
        switch invalidElements {
        case .fail:
            return ResultDecoder { data in try json.array(of: Element.self, in: data) }
        case .skip(let report):
            return ResultDecoder { data in
                try json.array(of: JSONSkippableElement.self, in: data).valid(reportingOthersTo: report)
            }
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
    /// `null`: Firebase-style databases write an empty node and a node with integer keys like this. Apart from that it
    /// accepts and rejects what `JSONDecoder` does for `[String: Element]`, with the same errors, but uses all free cores
    /// for large documents (from 64 kB on). So elements may be decoded on several threads at once, in any order, twice if
    /// something is invalid, and without the task-local values and the locks of the caller.
    ///
    /// If an element needs its key, it finds it as the last of its decoder's `codingPath`.
    ///
    /// - Parameters:
    ///   - element: The type of the values.
    ///   - invalidElements: What to do with values that cannot be decoded.
    ///   - decoder: The `JSONDecoder` to use. Don't change it afterwards.
    /// - Returns: The decoder. What `JSONDecoder` throws becomes ``NetworkError/decodingError(_:response:)``.
    public static func jsonValues<Element: Decodable & SendableMetatype>(
        of element: Element.Type = Element.self, invalidElements: InvalidElements = .fail,
        using decoder: JSONDecoder = JSONDecoder()
    ) -> ResultDecoder where T == [Element] {
        let json = SharedJSONDecoder(decoder: decoder)
        switch invalidElements {
        case .fail:
            return ResultDecoder { data in try json.values(of: Element.self, in: data) }
        case .skip(let report):
            return ResultDecoder { data in
                try json.values(of: JSONSkippableElement.self, in: data).valid(reportingOthersTo: report)
            }
        }
    }
}
