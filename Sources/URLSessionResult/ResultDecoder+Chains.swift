import Foundation

// These overloads let a chain of calls begin with a leading dot. In `.json([Album].self).map(\.count)`, Swift looks for `json` in
// the type of the whole chain, ResultDecoder<Int>. The other `json` returns that very type, so `[Album]` does not fit it; this one
// returns any ResultDecoder. The others stay the first choice, because they let the context say what `T` is, and the documentation
// shows only them.
extension ResultDecoder {
    /// Creates a decoder for JSON, at the beginning of a chain of calls.
    @_disfavoredOverload @_documentation(visibility: internal)
    public static func json<Value: Decodable & SendableMetatype>(
        _ type: Value.Type = Value.self, at keyPath: String = "", using decoder: JSONDecoder? = nil
    ) -> ResultDecoder<Value> {
        ResultDecoder<Value>.json(at: keyPath, using: decoder)
    }

    /// Creates a decoder for a JSON array, at the beginning of a chain of calls.
    @_disfavoredOverload @_documentation(visibility: internal)
    public static func jsonArray<Element: Decodable & SendableMetatype>(
        of element: Element.Type = Element.self, at keyPath: String = "", invalidElements: InvalidElements = .fail,
        using decoder: JSONDecoder? = nil
    ) -> ResultDecoder<[Element]> {
        ResultDecoder<[Element]>.jsonArray(at: keyPath, invalidElements: invalidElements, using: decoder)
    }

    /// Creates a decoder for the values of a JSON object, at the beginning of a chain of calls.
    @_disfavoredOverload @_documentation(visibility: internal)
    public static func jsonValues<Element: Decodable & SendableMetatype>(
        of element: Element.Type = Element.self, at keyPath: String = "", invalidElements: InvalidElements = .fail,
        using decoder: JSONDecoder? = nil
    ) -> ResultDecoder<[Element]> {
        ResultDecoder<[Element]>.jsonValues(at: keyPath, invalidElements: invalidElements, using: decoder)
    }

    /// Creates a decoder for the members of a JSON object, at the beginning of a chain of calls.
    @_disfavoredOverload @_documentation(visibility: internal)
    public static func jsonMembers<Element: Decodable & SendableMetatype>(
        of element: Element.Type = Element.self, at keyPath: String = "", invalidElements: InvalidElements = .fail,
        using decoder: JSONDecoder? = nil
    ) -> ResultDecoder<[(key: String, value: Element)]> {
        ResultDecoder<[(key: String, value: Element)]>.jsonMembers(
            at: keyPath, invalidElements: invalidElements, using: decoder)
    }

    /// Creates a decoder for property lists, at the beginning of a chain of calls.
    @_disfavoredOverload @_documentation(visibility: internal)
    public static func propertyList<Value: Decodable & SendableMetatype>(
        _ type: Value.Type = Value.self, using decoder: PropertyListDecoder = PropertyListDecoder()
    ) -> ResultDecoder<Value> {
        ResultDecoder<Value>.propertyList(using: decoder)
    }

    /// Creates a decoder from a function of the whole response, at the beginning of a chain of calls.
    @_disfavoredOverload @_documentation(visibility: internal)
    public static func response<Value>(
        _ transform: @escaping @Sendable (NetworkResponse<Data>) throws -> Value
    ) -> ResultDecoder<Value> {
        ResultDecoder<Value>.response(transform)
    }

    /// Creates a decoder that keeps the response, at the beginning of a chain of calls.
    @_disfavoredOverload @_documentation(visibility: internal)
    public static func response<Body>(_ decoder: ResultDecoder<Body>) -> ResultDecoder<NetworkResponse<Body>> {
        ResultDecoder<NetworkResponse<Body>>.response(decoder)
    }

    /// Creates a decoder that reads the body as text, at the beginning of a chain of calls.
    @_disfavoredOverload @_documentation(visibility: internal)
    public static func string(encoding: String.Encoding? = nil) -> ResultDecoder<String> {
        ResultDecoder<String>.string(encoding: encoding)
    }

    /// Creates a decoder from an initializer that takes `Data` and may fail, at the beginning of a chain of calls.
    @_disfavoredOverload @_documentation(visibility: internal)
    public static func binary<Value>(_ make: @escaping @Sendable (Data) throws -> Value?) -> ResultDecoder<Value> {
        ResultDecoder<Value>.binary(make)
    }

    /// A decoder that gives the body as it came, at the beginning of a chain of calls.
    @_disfavoredOverload @_documentation(visibility: internal)
    public static var data: ResultDecoder<Data> { ResultDecoder<Data>.data }

    /// A decoder that ignores the body, at the beginning of a chain of calls.
    @_disfavoredOverload @_documentation(visibility: internal)
    public static var ignored: ResultDecoder<Void> { ResultDecoder<Void>.ignored }
}
