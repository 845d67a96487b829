#if canImport(FoundationNetworking)

import Foundation

/// What an upload sends: an `UploadedBody` whose file is open, or was read.
enum UploadBody: Sendable {
    case data(Data)

    /// An open file, which all requests read. It is not mapped: if the file becomes shorter, reading the mapping crashes the
    /// process.
    case file(UploadedFile)

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
}

#endif
