import Foundation

extension PropertyListDecoder {
    /// Decodes a property list that a server wrote.
    ///
    /// It is `decode(_:from:)`, except that lists that could crash it, or take memory without a limit, are errors:
    ///
    /// * lists of more than 512 levels, or of one that contains itself. `PropertyListDecoder` calls itself for each level.
    ///   `PropertyListSerialization` has a limit (CoreFoundation, "Too many nested arrays or dictionaries"), so it reads the data first.
    /// * malformed binary lists. `PropertyListSerialization` rejects most, but reads some as text, which `PropertyListDecoder` never
    ///   does.
    /// * binary lists that ``BinaryPropertyListCheck`` rejects, because their objects are repeated too often or are sets.
    ///
    /// A subclass gets the data unchecked, because it may read another format.
    func decode<T: Decodable>(_ type: T.Type, fromUntrusted data: Data) throws -> T {
        guard Swift.type(of: self) == PropertyListDecoder.self else { return try decode(type, from: data) }
        let isBinary = BinaryPropertyListCheck.applies(to: data)
        guard !isBinary || BinaryPropertyListCheck.accepts(data) else { throw DecodingError.malformedPropertyList() }
        var format = PropertyListSerialization.PropertyListFormat.xml
        do {
            _ = try PropertyListSerialization.propertyList(from: data, options: [], format: &format)
        } catch {
            throw DecodingError.malformedPropertyList(error)
        }
        guard !isBinary || format == .binary else { throw DecodingError.malformedPropertyList() }
        return try decode(type, from: data)
    }
}

extension DecodingError {
    /// The error of `PropertyListDecoder` for data that is no property list.
    fileprivate static func malformedPropertyList(_ cause: (any Error)? = nil) -> DecodingError {
        let message = "The given data was not a valid property list."
        return .dataCorrupted(.init(codingPath: [], debugDescription: message, underlyingError: cause))
    }
}
