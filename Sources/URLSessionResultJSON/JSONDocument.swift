import Foundation

/// A document that a function reads. `JSONDecoder` shows its decoder to a type only.
struct JSONDocument: Decodable {
    /// The function, passed beside `JSONDecoder`, whose `userInfo` belongs to its owner.
    @TaskLocal private static var reader: Reader?

    /// Unchecked, because it is called while `read(_:with:by:)` runs, on its thread. A task that a model starts keeps it
    /// longer, and calls it never.
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
