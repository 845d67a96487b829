#if canImport(FoundationNetworking)

import Foundation

/// What an upload sends.
enum UploadBody: Sendable {
    case data(Data)
    case file(OpenFile)

    /// From this length on (in bytes), a body is sent piece by piece. A shorter one is copied or read as a whole, which is
    /// faster.
    static let lengthToStream = 1 << 20

    var length: Int {
        switch self {
        case .data(let data): data.count
        case .file(let file): file.length
        }
    }

    var isStreamed: Bool { length >= Self.lengthToStream }

    /// The whole body.
    func contents() throws -> Data {
        switch self {
        case .data(let data): data
        case .file(let file): try file.contents()
        }
    }

    /// Fills memory with the bytes at a position. The body has as many.
    func read(_ bytes: UnsafeMutableRawBufferPointer, at position: Int) throws {
        switch self {
        case .data(let data): data[data.startIndex + position..<data.endIndex].copyBytes(to: bytes, count: bytes.count)
        case .file(let file): try file.read(bytes, at: position)
        }
    }
}

#endif
