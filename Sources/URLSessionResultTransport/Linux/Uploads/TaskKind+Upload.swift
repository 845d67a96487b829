#if canImport(FoundationNetworking)

import Foundation

extension TaskKind {
    /// - Throws: The reason why there is nothing to send: there is no file.
    init(uploading body: UploadedBody) throws {
        switch body {
        case .data(let data): self = .upload(.data(data))
        case .file(let file):
            // Many files of the system say that they are empty, such as `/proc/self/status`, and some wait for bytes. They are read
            // as a pipe is.
            let hasLength = try file.lengthOfRegularFile ?? 0 > 0
            self = hasLength ? .fileUpload(file) : .pipeUpload(UploadedPipe(file))
        }
    }

    /// The kind with its file open, so that each request sends the same bytes. A small file is read instead: then no descriptor is
    /// needed, and the file may change. A pipe is read, too, because it cannot be read again.
    ///
    /// - Parameter seconds: How long to wait for a writer of a pipe, and for each piece.
    /// - Returns: The kind, whose body is an open file or data.
    /// - Throws: The reason why there is nothing to send: the file cannot be read.
    func opened(waitingUpTo seconds: TimeInterval) throws -> TaskKind {
        switch self {
        case .fileUpload(let url):
            let body = UploadBody.file(try UploadedFile(url))
            return .upload(body.isStreamed ? body : .data(try body.contents()))
        case .pipeUpload(let pipe):
            return .upload(.data(try pipe.contents(waitingUpTo: seconds)))
        case .data, .download, .resumedDownload, .upload:
            return self
        }
    }
}

#endif
