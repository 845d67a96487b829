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

    case upload(UploadBody)

    /// An upload of a file that is opened when the first request is sent. A task that is never resumed has no descriptor.
    case fileUpload(URL)

    /// An upload of something that can be read only once. It is read into memory before the first request is sent.
    case pipeUpload(UploadedPipe)

    /// - Throws: The reason why there is nothing to send: there is no file.
    init(uploading body: UploadedBody) throws {
        switch body {
        case .data(let data): self = .upload(.data(data))
        case .file(let file):
            // Many files of the system have no length, such as `/proc/self/status`, and some wait for bytes as a pipe does.
            let hasLength = try file.lengthOfRegularFile ?? 0 > 0
            self = hasLength ? .fileUpload(file) : .pipeUpload(UploadedPipe(file))
        }
    }

    /// What is read before anything is sent, and may have to wait for a writer.
    var pipe: UploadedPipe? {
        if case .pipeUpload(let pipe) = self { pipe } else { nil }
    }

    var isUpload: Bool {
        switch self {
        case .data, .download, .resumedDownload: false
        case .upload, .fileUpload, .pipeUpload: true
        }
    }

    var isDownload: Bool {
        switch self {
        case .download, .resumedDownload: true
        case .data, .upload, .fileUpload, .pipeUpload: false
        }
    }

    /// What a download goes on with. Its file may have gone since its task was made.
    var resumeData: ResumeData? {
        if case .resumedDownload(let resumeData) = self { resumeData } else { nil }
    }

    /// What an upload sends once it is open. Nil for a task that is none.
    var body: UploadBody? {
        if case .upload(let body) = self { body } else { nil }
    }

    /// The kind with its file open, so that each request sends the same bytes. A small file is read instead: then no
    /// descriptor is needed, and whatever happens to the file does not matter. So is a pipe, which cannot be read again.
    ///
    /// - Parameter seconds: How long to wait for a writer of a pipe, and for each piece.
    /// - Returns: The kind, whose body is an open file or data.
    /// - Throws: The reason why there is nothing to send: the file cannot be read.
    func opened(waitingUpTo seconds: TimeInterval) throws -> TaskKind {
        switch self {
        case .fileUpload(let url):
            let body = UploadBody.file(try OpenFile(url))
            // Workaround: interruptedFile
            return .upload(body.isStreamed ? body : .data(try body.contents()))
        case .pipeUpload(let pipe):
            return .upload(.data(try pipe.contents(waitingUpTo: seconds)))
        case .data, .download, .resumedDownload, .upload:
            return self
        }
    }
}

#endif
