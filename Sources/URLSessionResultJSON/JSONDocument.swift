import Foundation

/// Lets a function read a document. `JSONDecoder` gives its `Decoder` to the initializer of a type only, which is this one.
struct JSONDocument: Decodable {
    /// The function. It is not in the `userInfo` of the `JSONDecoder`, because that belongs to the owner of the decoder.
    @TaskLocal private static var reader: Reader?

    /// Unchecked, because it is called while `read(_:with:by:)` runs, on its thread. A task that a model starts may keep it longer,
    /// but never calls it.
    private struct Reader: @unchecked Sendable {
        let read: (any Decoder) throws -> Void
    }

    init(from decoder: any Decoder) throws {
        try Self.reader?.read(decoder)
    }

    /// Reads a document with a function, and throws the error of the function as `JSONDecoder` does.
    static func read(
        _ data: Data, with decoder: JSONDecoder, by read: @escaping (any Decoder) throws -> Void
    ) throws {
        try $reader.withValue(Reader(read: read)) {
            _ = try decoder.decode(JSONDocument.self, fromUntrusted: data)
        }
    }
}
