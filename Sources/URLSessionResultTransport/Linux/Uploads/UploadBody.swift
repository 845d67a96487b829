#if canImport(FoundationNetworking)

import Foundation

/// What an upload sends.
enum UploadBody: Sendable {
    case data(Data)

    /// An open file, which all requests read.
    ///
    /// FoundationNetworking would read it while it sends it, too, but crash if the transfer ends before it has read the file, for
    /// example after a cancellation (`_BodyFileSource`). So it is given a stream. The file is not mapped, because reading a
    /// mapping of a file that has become shorter ends the process.
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
