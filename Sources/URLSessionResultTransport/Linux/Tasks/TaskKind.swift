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
}

#endif
