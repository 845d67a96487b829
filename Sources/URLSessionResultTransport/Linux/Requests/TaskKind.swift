#if canImport(FoundationNetworking)

import Foundation

/// What kind of task sends a request.
///
/// Indirect, so that a request without a body has no room for one.
indirect enum TaskKind: Sendable {
    case data
    case download

    /// An upload of data. The bytes are not copied here.
    case upload(Data)

    /// An upload of a file, which is read for each task.
    ///
    /// FoundationNetworking would read it while it sends it, and crash if the transfer ends before it has read the file, for
    /// example after a cancellation (`_BodyFileSource`). So a task is given the bytes. They are read and not mapped, because
    /// reading a mapping of a file that has become shorter ends the process.
    case fileUpload(URL)

    /// An upload of a file, or of something that can be read only once, such as a pipe.
    init(uploading file: URL) throws {
        self = try file.isRegularFile ? .fileUpload(file) : .upload(file.read())
    }

    var isUpload: Bool {
        switch self {
        case .data, .download: false
        case .upload, .fileUpload: true
        }
    }

    var isDownload: Bool {
        switch self {
        case .download: true
        case .data, .upload, .fileUpload: false
        }
    }

    /// What an upload sends. Nil for a task that is none.
    ///
    /// - Throws: The reason why there is nothing to send: the file cannot be read.
    func body() throws -> Data? {
        switch self {
        case .data, .download: nil
        case .upload(let body): body
        case .fileUpload(let file): try file.read()
        }
    }
}

// Workaround: `URLSession` crashes if the upload of a file is cut short (`_BodyFileSource`)
// Instead: the library reads the file before it sends it
// Kind: crash
// Needed by: Swift 6.2 to main
// Shown by: its sources
// Upstream: not reported
// May go: `fileUpload`

#endif
