#if canImport(FoundationNetworking)

import Foundation

/// What has arrived of a response. It belongs to a transaction, whose lock is held on every access.
struct ReceivedResponse {
    /// How far the head of a stream's response has got.
    enum HeadState {
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

    var headState = HeadState.missing
    private(set) var data = Data()
    private(set) var count: Int64 = 0
    private(set) var file: DownloadedFile?

    /// The length of a file that is resumed, with the bytes that were there before.
    private(set) var wholeCount: Int64?

    /// Why the bytes that arrive cannot be put behind those.
    private(set) var errorOfContinuing: (any Error)?

    /// Whether a head has said what becomes of the kept file. A `URLProtocol` may give several heads.
    private var hasContinued = false

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
        if isDownload {
            try fileToWrite().append(bytes)
        } else if !isStream || headState == .heldBack {
            data.append(bytes)
        }
        // Workaround: byteCounts
        count += Int64(bytes.count)
        if isStream, headState != .heldBack { return .passedOn }
        return isStream ? .heldBack(data.count) : .counted(count)
    }

    /// Notes that the receiver of a stream is given the head.
    ///
    /// - Returns: The bytes that were held back, or nil if the head was given before.
    mutating func takeHeldBack() -> Data? {
        guard headState != .given else { return nil }
        headState = .given
        defer { data = Data() }
        return data
    }

    // MARK: The file of a download

    /// The file, which is made if there is none.
    mutating func fileToWrite() throws -> DownloadedFile {
        if let errorOfContinuing { throw errorOfContinuing }
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
