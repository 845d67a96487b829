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

    /// An upload of something that can be read only once, such as a pipe. It is read into memory before the first request is sent.
    case pipeUpload(URL)

    /// - Throws: The reason why there is nothing to send: there is no file.
    init(uploading file: URL) throws {
        self = try file.isRegularFile ? .fileUpload(file) : .pipeUpload(file)
    }

    init(uploading body: UploadedBody) throws {
        switch body {
        case .data(let data): self = .upload(data)
        case .file(let file): try self.init(uploading: file)
        }
    }

    /// Whether sending waits for a writer (a pipe).
    var waitsForWriter: Bool {
        if case .pipeUpload = self { true } else { false }
    }

    var isUpload: Bool {
        switch self {
        case .data, .download, .resumedDownload: false
        case .upload, .fileUpload, .openFileUpload, .pipeUpload: true
        }
    }

    var isDownload: Bool {
        switch self {
        case .download, .resumedDownload: true
        case .data, .upload, .fileUpload, .openFileUpload, .pipeUpload: false
        }
    }

    /// What an upload sends. Nil for a task that is none.
    ///
    /// - Throws: The reason why there is nothing to send: the file cannot be read.
    func body() throws -> UploadBody? {
        switch self {
        case .data, .download, .resumedDownload: nil
        case .upload(let body): .data(body)
        case .fileUpload, .pipeUpload: try opened().body()
        case .openFileUpload(let file): .file(file)
        }
    }

    /// The kind with its file open, so that each request sends the same bytes. A small file is read instead: then no
    /// descriptor is needed, and whatever happens to the file does not matter. So is a pipe, which cannot be read again.
    ///
    /// - Throws: The reason why there is nothing to send: the file cannot be read.
    func opened() throws -> TaskKind {
        switch self {
        case .fileUpload(let url):
            let file = try OpenFile(url)
            // Workaround: interruptedFile
            return UploadBody.file(file).isStreamed ? .openFileUpload(file) : .upload(try file.contents())
        case .pipeUpload(let url):
            return .upload(try url.read())
        case .data, .download, .resumedDownload, .upload, .openFileUpload:
            return self
        }
    }
}

#endif
