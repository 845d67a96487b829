#if canImport(FoundationNetworking)

import Foundation

/// What kind of task sends a request.
///
/// Indirect, so that a request without a body has no room for one.
indirect enum TaskKind: Sendable {
    case data
    case download

    /// A download that goes on where another one was interrupted.
    case resumedDownload(ResumeData)

    /// An upload of data. The bytes are not copied here.
    case upload(Data)

    /// An upload of a file that is opened when the first request is sent. A task that is never resumed has no descriptor.
    case fileUpload(URL)

    /// An upload of an open file, which all requests read.
    ///
    /// FoundationNetworking would read it while it sends it, too, but crash if the transfer ends before it has read the file, for
    /// example after a cancellation (`_BodyFileSource`). So it is given a stream. The file is not mapped, because reading a
    /// mapping of a file that has become shorter ends the process.
    case openFileUpload(OpenFile)

    /// An upload of a file, or of something that can be read only once, such as a pipe.
    init(uploading file: URL) throws {
        self = try file.isRegularFile ? .fileUpload(file) : .upload(file.read())
    }

    init(uploading body: UploadedBody) throws {
        switch body {
        case .data(let data): self = .upload(data)
        case .file(let file): try self.init(uploading: file)
        }
    }

    var isUpload: Bool {
        switch self {
        case .data, .download, .resumedDownload: false
        case .upload, .fileUpload, .openFileUpload: true
        }
    }

    var isDownload: Bool {
        switch self {
        case .download, .resumedDownload: true
        case .data, .upload, .fileUpload, .openFileUpload: false
        }
    }

    /// What an upload sends. Nil for a task that is none.
    ///
    /// - Throws: The reason why there is nothing to send: the file cannot be read.
    func body() throws -> UploadBody? {
        switch self {
        case .data, .download, .resumedDownload: nil
        case .upload(let body): .data(body)
        case .fileUpload: try opened().body()
        case .openFileUpload(let file): .file(file)
        }
    }

    /// The kind with its file open, so that each request sends the same bytes. A small file is read instead: then no
    /// descriptor is needed, and whatever happens to the file does not matter.
    ///
    /// - Throws: The reason why there is nothing to send: the file cannot be read.
    func opened() throws -> TaskKind {
        guard case .fileUpload(let url) = self else { return self }
        let file = try OpenFile(url)
        return UploadBody.file(file).isStreamed ? .openFileUpload(file) : .upload(try file.contents())
    }
}

// Workaround: `URLSession` crashes if the upload of a file is cut short (`_BodyFileSource`)
// Instead: the library gives it a stream, or reads a small file before it sends it
// Kind: crash
// Needed by: Swift 6.2 to main
// Shown by: its sources
// Upstream: not reported
// May go: nothing alone, because a redirect sends the file again

#endif
