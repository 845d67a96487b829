import Foundation

extension PropertyListDecoder {
    /// Decodes a property list that a server wrote.
    ///
    /// It is `decode(_:from:)`, except that a list of more than 512 levels, or of one that contains itself, is an error.
    /// `PropertyListDecoder` calls itself for each level without a limit, so thousands of levels crash it.
    /// `PropertyListSerialization` has a limit (CoreFoundation, "Too many nested arrays or dictionaries"), so it reads the data
    /// first.
    ///
    /// A subclass gets the data unchecked, because it may read another format.
    func decode<T: Decodable>(_ type: T.Type, fromUntrusted data: Data) throws -> T {
        guard Swift.type(of: self) == PropertyListDecoder.self else { return try decode(type, from: data) }
        do {
            _ = try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
        } catch {
            let message = "The given data was not a valid property list."
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: message, underlyingError: error))
        }
        return try decode(type, from: data)
    }
}
