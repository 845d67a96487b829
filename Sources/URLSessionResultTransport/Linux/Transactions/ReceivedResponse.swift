#if canImport(FoundationNetworking)

import Foundation

/// What has arrived of a response. It belongs to a transaction, whose lock is held on every access.
struct ReceivedResponse {
    /// How far the head of a stream's response has got.
    enum Head {
        case missing

        /// It may be that of a challenge. It is given to the receiver after some time, or some bytes.
        case heldBack

        /// A delegate decides whether another request follows. It is given if none does.
        case judged
        case given
    }

    /// Where bytes are, with their number so far.
    enum Kept {
        case counted(Int64)
        case heldBack(Int)
        case passedOn
    }

    private let isStream: Bool
    private let isDownload: Bool
    private let makeFile: @Sendable () throws -> DownloadedFile

    var head = Head.missing
    private(set) var data = Data()
    private(set) var count: Int64 = 0
    private(set) var file: DownloadedFile?

    /// The length of a file that is resumed, with the bytes that were there before.
    private(set) var wholeCount: Int64?

    /// Why the bytes that arrive cannot be put behind those.
    private(set) var refusal: (any Error)?

    /// Whether the file was removed. What arrives later makes no other one.
    private var isRemoved = false

    init(isStream: Bool, isDownload: Bool, makingFile makeFile: @escaping @Sendable () throws -> DownloadedFile) {
        self.isStream = isStream
        self.isDownload = isDownload
        self.makeFile = makeFile
    }

    /// Keeps bytes: in memory, or in the file of a download. Those of a stream are only counted, unless it is held back.
    ///
    /// - Throws: The reason why a file cannot be made, or written.
    mutating func keep(_ bytes: Data) throws -> Kept {
        if let refusal { throw refusal }
        // Workaround: byteCounts
        count += Int64(bytes.count)
        if isStream, head != .heldBack { return .passedOn }
        if isDownload {
            try fileToWrite().append(bytes)
        } else {
            data.append(bytes)
        }
        return isStream ? .heldBack(data.count) : .counted(count)
    }

    /// Takes what is given to the receiver of a stream with the head.
    ///
    /// - Returns: The bytes that were held back, or nil if the head was given before.
    mutating func takeHead() -> Data? {
        guard head != .given else { return nil }
        head = .given
        defer { data = Data() }
        return data
    }

    // MARK: The file of a download

    /// The file, which is made if there is none.
    mutating func fileToWrite() throws -> DownloadedFile {
        if let refusal { throw refusal }
        guard !isRemoved else { throw URLError(.cancelled) }
        let file = try file ?? makeFile()
        self.file = file
        return file
    }

    /// Takes the file, so that nobody else removes it.
    mutating func takeFile() -> DownloadedFile? {
        guard let file = file.take() else { return nil }
        isRemoved = true
        return file
    }

    /// Notes that the file is removed.
    ///
    /// - Returns: The file to remove, unless it was moved.
    mutating func removeFile() -> URL? {
        isRemoved = true
        return file?.url
    }

    // MARK: The rest of a file

    /// Goes on with a kept file if the response has the rest of it. The whole body, or an error, goes to a new file.
    ///
    /// - Returns: Whether the kept file is still there if it is needed. A system may remove a temporary file at any time.
    mutating func resume(_ resumeData: ResumeData, with head: HTTPURLResponse) -> Bool {
        guard head.statusCode == 206 else {
            if head.statusCode == 200 { KeptDownloads.remove(resumeData.file) }
            return true
        }
        do {
            guard let length = head.wholeLength(continuing: resumeData) else { throw URLError(.badServerResponse) }
            file = try DownloadedFile(continuing: KeptDownloads.url(of: resumeData.file), at: resumeData.length)
            wholeCount = length
            count = resumeData.length
        } catch {
            refusal = error
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
