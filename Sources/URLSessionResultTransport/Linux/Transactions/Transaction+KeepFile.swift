#if canImport(FoundationNetworking)

import Foundation

/// What a download can be resumed with.
extension Transaction {
    /// Keeps the file of a download that did not end well, if the server can be asked for the rest.
    ///
    /// - Parameter url: The address to ask.
    /// - Returns: What resumes the download, or nil if nothing does.
    func keepFile(of url: URL?) -> ResumeData? {
        guard request.httpMethod ?? "GET" == "GET" else { return nil }
        if let earlier = earlierResumeData { return earlier }
        guard let url, url.isForHTTP, let part = takePart() else { return nil }
        part.file.close()
        guard let name = KeptDownloads.keep(part.file.url) else {
            try? FileManager.default.removeItem(at: part.file.url)
            return nil
        }
        let total = shown.expectedToReceive
        return ResumeData(
            url: url, entityTag: part.entityTag, file: name, length: part.length, total: total > 0 ? total : nil)
    }

    /// The resume data of this download, if it is still good: no head of the rest has arrived, so the kept file was not touched. An
    /// error response goes to a file of its own. If the server has sent the whole file again, the kept one is gone.
    private var earlierResumeData: ResumeData? {
        guard let resumeData = prepared.kind.resumeData,
            state.withLock({ $0.received.wholeCount == nil && $0.received.errorOfContinuing == nil }),
            KeptDownloads.length(of: resumeData.file) != nil
        else { return nil }
        return resumeData
    }

    /// The beginning of a file, and what a request for the rest needs.
    private struct Part {
        let file: DownloadedFile
        let entityTag: String
        let length: Int64
    }

    /// Takes the file if the server can be asked for the rest.
    private func takePart() -> Part? {
        state.withLock { state in
            let count = state.received.count
            // If all bytes have come, the last one is asked for again, because a server has none behind it. Without a known length,
            // each byte may be the last one.
            let length = count < state.expectedCount ? count : count - 1
            guard let entityTag = entityTag(of: state), length > 0, (state.received.wholeCount ?? .max) >= count,
                let file = state.received.takeFile()
            else { return nil }
            return Part(file: file, entityTag: entityTag, length: length)
        }
    }

    /// The tag of the file. Some servers leave it out of a 206: then it is that of the resume data.
    private func entityTag(of state: TransactionLifecycle) -> String? {
        if let tag = (state.response as? HTTPURLResponse)?.entityTagForResuming { return tag }
        return state.received.wholeCount == nil ? nil : prepared.kind.resumeData?.entityTag
    }
}

#endif
