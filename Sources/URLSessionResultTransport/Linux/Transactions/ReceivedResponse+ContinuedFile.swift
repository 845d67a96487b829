#if canImport(FoundationNetworking)

import Foundation

/// A download that goes on where another one was interrupted.
extension ReceivedResponse {
    /// Goes on with a kept file if the response has the rest of it. The whole body, or an error, goes to a new file. The first head
    /// counts.
    ///
    /// - Returns: False if the kept file is needed and gone. A system may remove a temporary file at any time.
    mutating func continueFile(of resumeData: ResumeData, with head: HTTPURLResponse) -> Bool {
        guard !hasContinued else { return true }
        hasContinued = true
        guard head.statusCode == 206 else {
            if head.statusCode == 200 { KeptDownloads.remove(resumeData.file) }
            return true
        }
        do {
            guard let length = head.wholeLength(continuing: resumeData) else { throw URLError(.badServerResponse) }
            file = try DownloadedFile(continuing: KeptDownloads.url(of: resumeData.file), at: resumeData.length)
            KeptDownloads.removeFolderIfEmpty()
            wholeCount = length
            count = resumeData.length
        } catch {
            errorOfContinuing = error
            return (error as? CocoaError)?.code != .fileNoSuchFile
        }
        return true
    }

    /// The error of a resumed file that has a wrong length, although its load has ended well. If the response has no
    /// `Content-Length`, nobody else knows the length of the rest.
    var wrongLength: URLError? {
        guard let wholeCount, count != wholeCount else { return nil }
        return URLError(count < wholeCount ? .networkConnectionLost : .badServerResponse)
    }
}

#endif
