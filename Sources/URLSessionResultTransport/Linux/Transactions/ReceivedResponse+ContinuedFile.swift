#if canImport(FoundationNetworking)

import Foundation

/// A download that goes on where another one was interrupted.
extension ReceivedResponse {
    /// Goes on with a kept file if the response has the rest of it. The whole body, or an error, goes to a new file. The first head
    /// counts.
    ///
    /// - Returns: Whether the kept file is still there if it is needed. A system may remove a temporary file at any time.
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

    /// Why a file that was resumed is not whole, although its load has ended well: nothing else says how long the rest is if the
    /// response has no `Content-Length`.
    var wrongLength: URLError? {
        guard let wholeCount, count != wholeCount else { return nil }
        return URLError(count < wholeCount ? .networkConnectionLost : .badServerResponse)
    }
}

#endif
